"""Update rules that follow the gradient, with momentum or by its sign, as `rules` has the adaptive ones."""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.ops.training.optimizer_updates.lists import (
    Tensors,
    add,
    add_product,
    add_weight_decay,
    approach,
    for_kernel,
    is_none,
    like,
    restore_on_overflow,
    scale,
)

__all__ = ["agreeing", "descent", "descent_with_stat", "keras_momentum", "momentum"]


def momentum(
    p: Tensors,
    g: Tensors,
    v: Tensors,
    lr: Scalar,
    mu: Scalar,
    decay: Scalar,
    nesterov: bool,
    dampening: Scalar = 0.0,
    overflow: torch.Tensor | None = None,
) -> None:
    """v = mu·v + (1 - dampening)·(g + decay·p); p -= lr·v, or lr·(g + mu·v) with nesterov.

    torch's kernel takes a momentum of zero for none, and leaves v as it is (2.13).
    """
    if isinstance(dampening, torch.Tensor):
        g = torch_private.foreach_mul(add_weight_decay(p, g, decay), like(1 - dampening, g))
        decay = dampening = 0.0
    elif isinstance(decay, torch.Tensor):
        g, decay = add_weight_decay(p, g, decay), 0.0
    if isinstance(mu, torch.Tensor):
        g = add_weight_decay(p, g, decay)
        scale(v, mu)
        add(v, g, 1 - dampening)
        if nesterov:
            add(p, g, -lr)
        add(p, v, -lr * mu if nesterov else -lr)
        return
    if mu == 0.0 and v:
        before = v if overflow is None else [data.clone() for data in v]
        torch_private.foreach_copy_(v, add_weight_decay(p, g, decay))
        restore_on_overflow(v, before, overflow)
        v = []
    torch_private.fused_sgd_(
        p,
        g,
        v,
        weight_decay=decay,
        momentum=mu,
        lr=for_kernel(lr, p),  # type: ignore[arg-type]
        dampening=dampening,
        nesterov=nesterov and mu != 0.0,
        maximize=False,
        is_first_step=False,
        found_inf=overflow,
    )


def descent(p: Tensors, g: Tensors, lr: Scalar, decay: Scalar, overflow: torch.Tensor | None = None) -> None:
    """p -= lr·(g + decay·p)."""
    momentum(p, g, [], lr, 0.0, decay, False, overflow=overflow)


def keras_momentum(p: Tensors, g: Tensors, v: Tensors, lr: Scalar, mu: Scalar, nesterov: bool) -> None:
    """v = mu·v - lr·g; p += v, or mu·v - lr·g with nesterov."""
    scale(v, mu)
    add(v, g, -lr)
    add(p, v, mu if nesterov else 1.0)
    if nesterov:
        add(p, g, -lr)


def agreeing(p: Tensors, g: Tensors, m: Tensors, lr: Scalar, beta: Scalar, factor: Callable[[Any], Any]) -> None:
    """m = β·m + (1-β)·g; p -= lr·factor(sign(g)·sign(m))·g: AddSign and PowerSign."""
    approach(m, g, 1 - beta)
    signs = torch_private.foreach_sign(g)
    torch_private.foreach_mul_(signs, torch_private.foreach_sign(m))
    add_product(p, [factor(data) for data in signs], g, -lr)


def descent_with_stat(
    p: torch.Tensor,
    g: torch.Tensor,
    v: torch.Tensor,
    stat: torch.Tensor,
    lr: Scalar,
    mu: Scalar,
    decay: float,
    dampening: float,
    nesterov: bool,
) -> None:
    """v = mu·v + (1 - dampening)·g', but g' where stat > 0, which becomes 0; p -= lr·v, or lr·(g' + mu·v).

    The second form is Nesterov's; g' = g + decay·p. Without momentum p -= lr·g', and the state stays.
    """
    (g,) = add_weight_decay([p], [g], decay)
    if is_none(mu):
        add([p], [g], -lr)
        return
    is_fresh = stat > 0
    moved = torch.where(is_fresh, g, v * mu + g * (1 - dampening))
    step = g + moved * mu if nesterov else moved
    if isinstance(mu, torch.Tensor):  # on a device nobody looks whether it is 0
        is_moving = mu != 0
        moved, step, is_fresh = torch.where(is_moving, moved, v), torch.where(is_moving, step, g), is_fresh & is_moving
    v.copy_(moved)
    stat.masked_fill_(is_fresh, 0)
    add([p], [step], -lr)
