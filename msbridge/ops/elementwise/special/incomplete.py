"""The regularised incomplete gamma functions, with the derivative by their order, which torch (2.13) lacks."""

from typing import Any

import torch

from msbridge.core import torch_private

__all__ = ["lower", "upper"]


class _OfOrder(torch.autograd.Function):
    """P(a, x), or Q(a, x) where the sign is -1.

    A sample x = s(a) of the gamma distribution keeps P(a, s(a)) the same, and torch knows s'(a): so ∂P/∂a is
    -s'(a)·p(x), with p = ∂P/∂x the density.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(order: torch.Tensor, data: torch.Tensor, sign: int) -> torch.Tensor:
        return (torch.special.gammainc if sign > 0 else torch.special.gammaincc)(order, data)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor, torch.Tensor, int], _output: torch.Tensor) -> None:
        order, data, ctx.sign = inputs
        ctx.save_for_backward(order, data)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:
        order, data = ctx.saved_tensors
        density = torch.exp((order - 1) * torch.log(data) - data - torch.lgamma(order))
        slope = -torch_private.standard_gamma_grad(*torch.broadcast_tensors(order, data)) * density
        signed = ctx.sign * gradient
        return (signed * slope).sum_to_size(order.shape), (signed * density).sum_to_size(data.shape), None


def lower(order: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    """Return the part of the gamma function of `order` that is below `data`."""
    return _of_order(order, data, 1) if order.requires_grad else torch.special.gammainc(order, data)


def upper(order: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    """Return the part of the gamma function of `order` that is above `data`."""
    return _of_order(order, data, -1) if order.requires_grad else torch.special.gammaincc(order, data)


def _of_order(order: torch.Tensor, data: torch.Tensor, sign: int) -> torch.Tensor:
    return _OfOrder.apply(order, data, sign)  # type: ignore[no-any-return, no-untyped-call]
