"""Kernels for integers that torch has only for the CPU: products of matrices, and the pooling of maxima.

Products are exact: factors are cut into digits of 16 bits, whose products are added up in float64 without rounding.
A device without float64 leaves them to the CPU. What goes beyond the dtype wraps, as it does in sums of integers:

    a = Σ aᵢ·2¹⁶ⁱ      a·b = Σ (aᵢ·bⱼ)·2¹⁶⁽ⁱ⁺ʲ⁾     int32: 3 products of float64, int64: 10, smaller dtypes: 1
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.runtime.accelerators import has_float64
from msbridge.core.torch_private import TorchDispatchMode

__all__ = ["IntegerKernels"]

_aten = torch.ops.aten
_DIGIT = 16  # bits
_INTEGERS = frozenset({torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64})
_MAX_TERMS = 1 << 20  # whose products of digits, each below 2³², have a sum that float64 holds


class IntegerKernels(TorchDispatchMode):
    """Computes with integers on an accelerator what torch's functions in the block ask for, and has no kernels for."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kernel = _KERNELS.get(func)
        if kernel is None or args[0].is_cpu or args[0].dtype not in _INTEGERS:
            return func(*args, **(kwargs or {}))
        if not has_float64(args[0].device):
            return _compute_on_cpu(func, args, kwargs or {})
        return kernel(*args, **(kwargs or {}))


def _compute_on_cpu(func: Any, args: Any, kwargs: Any) -> Any:
    device = args[0].device
    result = func(*(arg.cpu() if isinstance(arg, torch.Tensor) else arg for arg in args), **kwargs)
    return tuple(data.to(device) for data in result) if isinstance(result, tuple) else result.to(device)


def _multiply(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Multiply two matrices, or batches of them."""
    if left.shape[-1] > _MAX_TERMS:
        pairs = zip(left.split(_MAX_TERMS, -1), right.split(_MAX_TERMS, -2), strict=True)
        return torch.stack([_multiply(*pair) for pair in pairs]).sum(0).to(left.dtype)
    count = max(1, left.element_size() * 8 // _DIGIT)
    lefts, rights = _digits(left, count), _digits(right, count)
    total = torch.zeros((), dtype=torch.int64, device=left.device)
    for place, digit in enumerate(lefts):
        for other, factor in enumerate(rights[: count - place]):
            total = total + (torch.matmul(digit, factor).to(torch.int64) << _DIGIT * (place + other))
    return total.to(left.dtype)


def _digits(data: torch.Tensor, count: int) -> list[torch.Tensor]:
    """Return the digits of integers in float64, the lowest first; the highest has the sign."""
    data = data.to(torch.int64)
    digits = [data >> _DIGIT * place & (1 << _DIGIT) - 1 for place in range(count - 1)]
    return [digit.double() for digit in [*digits, data >> _DIGIT * (count - 1)]]


def _add(total: torch.Tensor, product: torch.Tensor, beta: Any = 1, alpha: Any = 1) -> torch.Tensor:
    return (total * beta + product * alpha).to(product.dtype)


def _pool(pool: Callable[..., Any], rank: int) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    """Return a pooling of maxima that finds the places in float64, which holds integers below 2⁵³."""

    def pool_integers(data: torch.Tensor, *settings: Any) -> tuple[torch.Tensor, torch.Tensor]:
        _, places = pool(data.double(), *settings)
        return data.flatten(-rank).gather(-1, places.flatten(-rank)).reshape(places.shape), places

    return pool_integers


_KERNELS: dict[Any, Callable[..., Any]] = {
    _aten.max_pool2d_with_indices.default: _pool(_aten.max_pool2d_with_indices.default, 2),
    _aten.max_pool3d_with_indices.default: _pool(_aten.max_pool3d_with_indices.default, 3),
    _aten.mm.default: _multiply,
    _aten.bmm.default: _multiply,
    _aten.mv.default: lambda left, right: _multiply(left, right[:, None])[:, 0],
    _aten.dot.default: lambda left, right: (left * right).sum().to(left.dtype),
    _aten.vdot.default: lambda left, right: (left * right).sum().to(left.dtype),
    _aten.addmm.default: lambda total, left, right, **scales: _add(total, _multiply(left, right), **scales),
    _aten.baddbmm.default: lambda total, left, right, **scales: _add(total, _multiply(left, right), **scales),
    _aten.addbmm.default: lambda total, left, right, **scales: _add(
        total, _multiply(left, right).sum(0).to(left.dtype), **scales
    ),
    _aten.addmv.default: lambda total, left, right, **scales: _add(
        total, _multiply(left, right[:, None])[:, 0], **scales
    ),
}
