"""Padding at the ends of axes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, Data, data_of

Width = Tensor | int | tuple[Any, ...] | list[Any]
Ends = tuple[Any, Any]

_STATISTICS: dict[str, Callable[..., Data]] = {"maximum": torch.amax, "mean": torch.mean, "minimum": torch.amin}


def pad(
    arr: Array,
    pad_width: Width,
    mode: str = "constant",
    stat_length: Width | None = None,
    constant_values: Width | float = 0,
    end_values: Width | float = 0,
    reflect_type: str = "even",
) -> Tensor:
    """Put elements before and after those along each axis.

    Args:
        arr: what to pad.
        pad_width: how many: one number for all ends, `(before, after)` for all axes, or a pair for each axis.
        mode: "constant", "edge", "empty", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap".
        stat_length: of how many elements at the end a maximum, mean or minimum is taken; all by default.
        constant_values: what "constant" puts in, given as `pad_width` is.
        end_values: where "linear_ramp" goes, given as `pad_width` is.
        reflect_type: "even", or "odd": reflected at the end's value, too.

    Returns:
        A Tensor of the dtype of `arr`, longer by the widths.

    Raises:
        NotImplementedError: `mode` is "median".
        ValueError: there is no such mode.

    Follows: mindspore.numpy.pad (2.10).
    """
    data = data_of(arr, "pad", "arr")
    widths = _per_axis(pad_width, data.dim())
    if mode == "median":
        raise NotImplementedError("For 'pad', the mode 'median' is not supported.")
    one_of(reflect_type, "reflect_type", "pad", ("even", "odd"))
    if mode in ("constant", "empty"):
        values = _per_axis(constant_values if mode == "constant" else 0, data.dim())
        return wrap(_along_axes(data, widths, values, _constant))
    if mode == "linear_ramp":
        return wrap(_along_axes(data, widths, _per_axis(end_values, data.dim()), _ramp))
    if mode in _STATISTICS:
        lengths = [(None, None)] * data.dim() if stat_length is None else _per_axis(stat_length, data.dim())
        statistic = _STATISTICS[mode]
        return wrap(_along_axes(data, widths, lengths, lambda *end: _statistic(statistic, *end)))
    one_of(mode, "mode", "pad", ("edge", "reflect", "symmetric", "wrap"))
    for axis, width in enumerate(widths):
        if width != (0, 0):
            data = _copy(data, axis, width, mode, reflect_type)
    return wrap(data)


def _per_axis(value: Any, rank: int) -> list[Ends]:
    """Return a pair for each axis."""
    plain = value.tolist() if isinstance(value, Tensor) else value
    if not isinstance(plain, int | float | tuple | list):
        raise TypeError(f"For 'pad', a number, tuple, list or Tensor is needed, got {describe(value)}.")
    try:
        pairs = np.broadcast_to(np.asarray(plain), (rank, 2)).tolist()
    except ValueError as error:
        raise ValueError(f"For 'pad', {value!r} is not a pair for each of {rank} axes.") from error
    return [(before, after) for before, after in pairs]


def _along_axes(data: Data, widths: list[Ends], values: list[Ends], end: Callable[..., Data]) -> Data:
    """Put at both ends of each axis what `end(data, axis, width, value, first)` returns."""
    for axis, ((before, after), (low, high)) in enumerate(zip(widths, values, strict=True)):
        parts = [end(data, axis, before, low, True), data, end(data, axis, after, high, False)]
        data = torch.cat([part.to(data.dtype) for part in parts], axis)
    return data


def _constant(data: Data, axis: int, width: int, value: float, first: bool) -> Data:
    shape = [width if index == axis else size for index, size in enumerate(data.shape)]
    return torch.full(shape, value, dtype=data.dtype, device=data.device)


def _statistic(fn: Callable[..., Data], data: Data, axis: int, width: int, length: int | None, first: bool) -> Data:
    count = data.shape[axis] if length is None else min(length, data.shape[axis])
    part = data.narrow(axis, 0 if first else data.shape[axis] - count, count)
    value = fn(part if data.is_floating_point() or fn is not torch.mean else part.double(), axis, keepdim=True)
    return value.expand([width if index == axis else size for index, size in enumerate(data.shape)])


def _ramp(data: Data, axis: int, width: int, value: float, first: bool) -> Data:
    """Go from an end's value, not with it, to `value`."""
    edge = data.narrow(axis, 0 if first else data.shape[axis] - 1, 1)
    steps = torch.arange(width, 0, -1, device=data.device) if first else torch.arange(1, width + 1, device=data.device)
    share = (steps / max(width, 1)).reshape([-1 if index == axis else 1 for index in range(data.dim())])
    return edge + share.to(data.dtype if data.is_floating_point() else torch.float32) * (value - edge)


def _copy(data: Data, axis: int, width: Ends, mode: str, reflect_type: str) -> Data:
    """Pad by elements along the axis: numpy pads their indices, or for "odd" the matrix that makes them."""
    count = data.shape[axis]
    if mode in ("edge", "wrap") or reflect_type == "even":
        places = np.pad(np.arange(count), width, mode)  # type: ignore[call-overload]
        return data.index_select(axis, torch.from_numpy(places).to(data.device))
    weights = np.pad(np.eye(count), (width, (0, 0)), mode, reflect_type=reflect_type)  # type: ignore[call-overload]
    wide = data.double()
    matrix = torch.from_numpy(weights).to(wide.device, wide.dtype)  # float32 where the device has no float64
    return (
        (matrix @ wide.movedim(axis, 0).flatten(1) if data.dim() > 1 else matrix @ wide)
        .reshape(-1, *data.movedim(axis, 0).shape[1:])
        .movedim(0, axis)
        .to(data.dtype)
    )
