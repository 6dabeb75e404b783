"""Decompositions of torch's operators before translation: those that no rule is for are made of smaller ones."""

import math
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core import torch_private

__all__ = ["decompositions"]

aten = torch.ops.aten


def decompositions(kept: Any) -> Any:
    """Return torch's table of decompositions, without the operators that have a rule, and with ours.

    Args:
        kept: the operators that stay as they are.
    """
    every = torch_private.decomposition_table
    table = {operator: make for operator, make in every.items() if make.__module__ != "torch._refs"}  # no primitives
    table.update(torch.export.default_decompositions().items())
    table.update(_OWN)
    return {operator: make for operator, make in table.items() if operator not in kept}


def _variance(
    x: torch.Tensor, dim: Any = None, *, correction: float | None = None, keepdim: bool = False
) -> torch.Tensor:
    axes = list(range(x.dim())) if not dim else list(dim)
    mean = x.mean(axes, keepdim=True)
    count = 1
    for axis in axes:
        count = count * x.shape[axis]
    squares = ((x - mean) ** 2).sum(axes, keepdim=keepdim)
    return squares / (count - (1 if correction is None else correction))


def _deviation(x: torch.Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> torch.Tensor:
    return _variance(x, dim, correction=correction, keepdim=keepdim).sqrt()


def _variance_and_mean(x: torch.Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    axes = list(range(x.dim())) if not dim else list(dim)
    return _variance(x, dim, correction=correction, keepdim=keepdim), x.mean(axes, keepdim=keepdim)


def _slice_scatter(
    x: torch.Tensor, source: torch.Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> torch.Tensor:
    begin, stop, _ = slice(start, end, step).indices(x.shape[dim])
    if step == 1:
        before, behind = x.narrow(dim, 0, begin), x.narrow(dim, stop, x.shape[dim] - stop)
        return torch.cat([part for part in (before, source, behind) if part.shape[dim]], dim)
    places = torch.arange(begin, stop, step)
    return x.movedim(dim, 0).index_put((places,), source.movedim(dim, 0)).movedim(0, dim)


def _select_scatter(x: torch.Tensor, source: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    index = index % x.shape[dim]
    return _slice_scatter(x, source.unsqueeze(dim), dim, index, index + 1)


def _log2(x: torch.Tensor) -> torch.Tensor:
    return x.log() / math.log(2)


def _log10(x: torch.Tensor) -> torch.Tensor:
    return x.log() / math.log(10)


def _hypot(x: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return (x * x + other * other).sqrt()


def _group_norm(
    x: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    samples: int,
    channels: int,
    size: int,
    groups: int,
    eps: float,
) -> Any:
    data = x.reshape(samples, groups, -1)
    centred = data - data.mean(-1, keepdim=True)
    y = (centred * ((centred * centred).mean(-1, keepdim=True) + eps).rsqrt()).reshape(x.shape)
    along = [1, channels] + [1] * (x.dim() - 2)
    y = y if weight is None else y * weight.reshape(along)
    y = y if bias is None else y + bias.reshape(along)
    unused = data.mean(-1)
    return y, unused, unused


def _fill(x: torch.Tensor, value: Any, **_: Any) -> torch.Tensor:
    return torch.full(x.shape, value, dtype=_.get("dtype") or x.dtype)


def _scatter(accumulate: bool) -> Callable[..., torch.Tensor]:
    """As `index_put`: the releases do not agree on the attributes of `TensorScatterElements`."""

    def scatter_by_index(x: torch.Tensor, dim: int, index: torch.Tensor, source: Any) -> torch.Tensor:
        places = [torch.arange(n).reshape([-1] + [1] * (index.dim() - 1 - a)) for a, n in enumerate(index.shape)]
        places[dim] = index
        if not isinstance(source, torch.Tensor):
            source = torch.full(index.shape, source, dtype=x.dtype)
        for axis, length in enumerate(index.shape):
            source = source.narrow(axis, 0, length)
        return x.index_put(tuple(places), source, accumulate)

    return scatter_by_index


def _diagonal(x: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> torch.Tensor:
    x = x.movedim((dim1, dim2), (-2, -1))
    count = max(min(x.shape[-2] - max(-offset, 0), x.shape[-1] - max(offset, 0)), 0)
    places = torch.arange(count)
    return x[..., places + max(-offset, 0), places + max(offset, 0)]


_OWN: dict[Any, Callable[..., Any]] = {
    aten.var.correction: _variance,
    aten.std.correction: _deviation,
    aten.var_mean.correction: _variance_and_mean,
    aten.log2.default: _log2,
    aten.log10.default: _log10,
    aten.hypot.default: _hypot,
    aten.native_group_norm.default: _group_norm,
    aten.full_like.default: _fill,
    aten.scatter.src: _scatter(False),
    aten.scatter.value: _scatter(False),
    aten.scatter_add.default: _scatter(True),
    aten.slice_scatter.default: _slice_scatter,
    aten.select_scatter.default: _select_scatter,
    aten.diagonal.default: _diagonal,
}
