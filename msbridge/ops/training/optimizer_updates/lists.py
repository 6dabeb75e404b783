"""Arithmetic on lists of torch tensors, in a few kernels for all of them; scalars are numbers or 0-d tensors.

No function reads a 0-d tensor. Where `overflow` is one of 1.0, rather than of 0.0, nothing is changed.
"""

import math
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.parameter.step_scalars import Scalar

__all__ = [
    "Pair",
    "Tensors",
    "add",
    "add_product",
    "add_quotient",
    "add_to_all",
    "add_weight_decay",
    "approach",
    "clear",
    "fill",
    "follow",
    "follow_square",
    "for_kernel",
    "is_none",
    "like",
    "match_strides",
    "powers",
    "restore_on_overflow",
    "root",
    "root_plus",
    "scale",
]

Tensors = list[torch.Tensor] | tuple[torch.Tensor, ...]
Pair = tuple[Scalar, Scalar]


def add_weight_decay(p: Tensors, g: Tensors, decay: Scalar) -> Tensors:
    """Return g + decay·p."""
    if isinstance(decay, torch.Tensor):
        return torch_private.foreach_add(g, torch_private.foreach_mul(p, like(decay, p)))
    return torch_private.foreach_add(g, p, alpha=decay) if decay else g


def match_strides(g: Tensors, p: Tensors) -> Tensors:
    """Return g with the strides of p: torch's fused kernels (2.13) walk through the memory of all as through that of p.

    The gradient of a transposed or broadcast weight is a view of other strides.
    """
    return [
        grad if grad.stride() == parameter.stride() else torch.empty_like(parameter, dtype=grad.dtype).copy_(grad)
        for grad, parameter in zip(g, p, strict=True)
    ]


def restore_on_overflow(tensors: Tensors, before: Tensors, overflow: torch.Tensor | None) -> None:
    """Restore what tensors held before, where there was an overflow."""
    if overflow is not None:
        failed = overflow != 0
        for data, old in zip(tensors, before, strict=True):
            torch.where(failed.to(data.device), old, data, out=data)


def fill(tensors: Tensors, value: Scalar) -> None:
    """Set all elements."""
    torch_private.foreach_zero_(tensors)
    add_to_all(tensors, value)


def clear(tensors: Tensors, overflow: torch.Tensor | None) -> None:
    """Set all elements to zero."""
    if overflow is None:
        torch_private.foreach_zero_(tensors)
    else:
        torch_private.foreach_mul_(tensors, like(overflow, tensors))


def root(value: Scalar) -> Scalar:
    """Return the square root."""
    return value.sqrt() if isinstance(value, torch.Tensor) else math.sqrt(value)


def like(value: Any, tensors: Tensors) -> Any:
    """Return a scalar as torch's foreach kernels take it: in the dtype of the tensors, if it is one itself."""
    return value.to(tensors[0].dtype) if isinstance(value, torch.Tensor) else value


def for_kernel(lr: Scalar, p: Tensors) -> Scalar:
    """Return a rate as torch's fused kernels take it: those of accelerators point to a float32."""
    return lr.float() if isinstance(lr, torch.Tensor) and not p[0].is_cpu else lr


def add_to_all(tensors: Tensors, value: Scalar) -> None:
    """Add a scalar to every element; given a tensor of one itself, torch's foreach kernel would read it (2.13)."""
    if isinstance(value, torch.Tensor):
        torch_private.foreach_add_(tensors, [like(value, tensors)] * len(tensors))
    else:
        torch_private.foreach_add_(tensors, value)


def add(p: Tensors, x: Tensors, factor: Scalar) -> None:
    """p += factor·x."""
    if isinstance(factor, torch.Tensor):
        torch_private.foreach_add_(p, torch_private.foreach_mul(x, like(factor, x)))
    else:
        torch_private.foreach_add_(p, x, alpha=factor)


def add_product(p: Tensors, x: Tensors, y: Tensors, factor: Scalar) -> None:
    """p += factor·x·y."""
    if isinstance(factor, torch.Tensor):
        torch_private.foreach_addcmul_(p, torch_private.foreach_mul(x, like(factor, x)), y)
    else:
        torch_private.foreach_addcmul_(p, x, y, factor)


def add_quotient(p: Tensors, x: Tensors, y: Tensors, factor: Scalar) -> None:
    """p += factor·x / y."""
    if isinstance(factor, torch.Tensor):
        torch_private.foreach_addcdiv_(p, torch_private.foreach_mul(x, like(factor, x)), y)
    else:
        torch_private.foreach_addcdiv_(p, x, y, factor)


def scale(p: Tensors, factor: Scalar) -> None:
    """p *= factor."""
    torch_private.foreach_mul_(p, like(factor, p))


def approach(p: Tensors, x: Tensors, weight: Scalar) -> None:
    """p += weight·(x - p)."""
    if isinstance(weight, torch.Tensor):
        torch_private.foreach_lerp_(p, x, [like(weight, p)] * len(p))
    else:
        torch_private.foreach_lerp_(p, x, weight)


def powers(x: Tensors, exponent: Scalar) -> Tensors:
    """Return x^exponent."""
    if isinstance(exponent, torch.Tensor):
        return torch_private.foreach_pow(x, [like(exponent, x)] * len(x))
    return torch_private.foreach_pow(x, exponent)


def is_none(value: Scalar) -> bool:
    """Whether a scalar is known to be zero, without reading it."""
    return not isinstance(value, torch.Tensor) and not value


def follow(g: Tensors, m: Tensors, v: Tensors, betas: Pair) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²."""
    approach(m, g, 1 - betas[0])
    follow_square(g, v, betas[1])


def follow_square(g: Tensors, v: Tensors, rho: Scalar) -> None:
    """v = ρ·v + (1-ρ)·g²."""
    scale(v, rho)
    add_product(v, g, g, 1 - rho)


def root_plus(v: Tensors, eps: Scalar) -> Tensors:
    """Return √v + eps."""
    roots = torch_private.foreach_sqrt(v)
    if not is_none(eps):
        add_to_all(roots, eps)
    return roots
