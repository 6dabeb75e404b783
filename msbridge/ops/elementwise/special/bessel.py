"""Bessel functions that torch computes without a gradient (torch 2.13), with their derivatives.

J0' = -J1 and J1' = J0 - J1/x; Y alike; K0' = -K1 and K1' = -K0 - K1/x, and what exp(x) adds
where they are scaled by it.
"""

from collections.abc import Callable
from typing import Any

import torch

__all__ = ["j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1"]

Function = Callable[[torch.Tensor], torch.Tensor]


class _Differentiable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(data: torch.Tensor, value: Function, _slope: Function) -> torch.Tensor:
        return value(data)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor, Function, Function], _output: torch.Tensor) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])
        ctx.slope = inputs[2]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        return gradient * ctx.slope(*ctx.saved_tensors), None, None

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, *_: None) -> torch.Tensor:
        return tangent * ctx.slope(*ctx.saved_tensors)


def _differentiable(data: torch.Tensor, value: Function, slope: Function) -> torch.Tensor:
    return _Differentiable.apply(data, value, slope)  # type: ignore[no-any-return, no-untyped-call]


def _of_positive(data: torch.Tensor, value: Function, elsewhere: float, slope: Function) -> torch.Tensor:
    """Do the same for a function that MindSpore continues to the left of 0 by its limit there; torch has NaN."""
    return _differentiable(data, lambda x: torch.where(x < 0, elsewhere, value(x)), slope)


def _over(data: torch.Tensor, first: torch.Tensor, at_zero: float) -> torch.Tensor:
    """Return first / data, with its limit at 0."""
    return torch.where(data == 0, at_zero, first / data)


def j0(data: torch.Tensor) -> torch.Tensor:
    """Return the Bessel function of the first kind, order 0."""
    return _differentiable(data, torch.special.bessel_j0, lambda x: -j1(x))


def j1(data: torch.Tensor) -> torch.Tensor:
    """Return the Bessel function of the first kind, order 1."""
    return _differentiable(data, torch.special.bessel_j1, lambda x: j0(x) - _over(x, j1(x), 0.5))


def y0(data: torch.Tensor) -> torch.Tensor:
    """Return the Bessel function of the second kind, order 0."""
    return _of_positive(data, torch.special.bessel_y0, -torch.inf, lambda x: -y1(x))


def y1(data: torch.Tensor) -> torch.Tensor:
    """Return the Bessel function of the second kind, order 1."""
    return _of_positive(data, torch.special.bessel_y1, -torch.inf, lambda x: y0(x) - y1(x) / x)


def k0(data: torch.Tensor) -> torch.Tensor:
    """Return the modified Bessel function of the second kind, order 0."""
    return _of_positive(data, torch.special.modified_bessel_k0, torch.inf, lambda x: -k1(x))


def k1(data: torch.Tensor) -> torch.Tensor:
    """Return the modified Bessel function of the second kind, order 1."""
    return _of_positive(data, torch.special.modified_bessel_k1, torch.inf, lambda x: -k0(x) - k1(x) / x)


def k0e(data: torch.Tensor) -> torch.Tensor:
    """Return exp(x)·K0(x)."""
    return _of_positive(data, torch.special.scaled_modified_bessel_k0, torch.inf, lambda x: k0e(x) - k1e(x))


def k1e(data: torch.Tensor) -> torch.Tensor:
    """Return exp(x)·K1(x)."""
    value = torch.special.scaled_modified_bessel_k1
    return _of_positive(data, value, torch.inf, lambda x: k1e(x) - k0e(x) - k1e(x) / x)
