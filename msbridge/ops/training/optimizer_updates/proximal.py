"""Update rules that shrink parameters towards zero, as `rules` has the others.

References: McMahan et al., Ad Click Prediction (2013) for FTRL; Duchi and Singer, Efficient Learning using Forward
Backward Splitting (2009) for the proximal steps.
"""

import torch

from msbridge.core import torch_private
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.ops.training.optimizer_updates.lists import (
    Tensors,
    add,
    add_product,
    add_to_all,
    add_weight_decay,
    is_none,
    like,
    powers,
    scale,
)

__all__ = ["dual_averaging", "ftrl", "proximal_adagrad", "proximal_descent"]


def proximal_adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: Scalar, l1: Scalar, l2: Scalar) -> None:
    """acc += g²; p -= r·g with r = lr / √acc; then p shrinks by r·l1 towards zero, and by 1 + r·l2."""
    torch_private.foreach_addcmul_(acc, g, g)
    rate = torch_private.foreach_sqrt(acc)
    torch_private.foreach_reciprocal_(rate)
    torch_private.foreach_mul_(rate, like(lr, rate))
    torch_private.foreach_addcmul_(p, rate, g, -1)
    _shrink(p, rate, l1, l2)


def proximal_descent(p: Tensors, g: Tensors, lr: Scalar, l1: Scalar, l2: Scalar) -> None:
    """p -= lr·g; then p shrinks by lr·l1 towards zero, and by 1 + lr·l2."""
    add(p, g, -lr)
    rate = torch_private.foreach_mul(p, 0)
    add_to_all(rate, lr)
    _shrink(p, rate, l1, l2)


def _shrink(p: Tensors, rate: Tensors, l1: Scalar, l2: Scalar) -> None:
    """Shrink p by rate·l1 towards zero, and by 1 + rate·l2; `rate` changes."""
    if not is_none(l1):
        size, sign = torch_private.foreach_abs(p), torch_private.foreach_sign(p)
        add(size, rate, -l1)
        torch_private.foreach_clamp_min_(size, 0)
        torch_private.foreach_mul_(size, sign)
        torch_private.foreach_copy_(p, size)
    if not is_none(l2):
        scale(rate, l2)
        torch_private.foreach_add_(rate, 1)
        torch_private.foreach_div_(p, rate)


def dual_averaging(
    p: Tensors, g: Tensors, total: Tensors, squares: Tensors, lr: Scalar, l1: Scalar, l2: Scalar, step: Scalar
) -> None:
    """total += g; squares += g²; p = -lr·total' / (√squares + l2·lr·step), total' is shrunk by l1·step to zero.

    An l1 below zero shrinks nothing.
    """
    torch_private.foreach_add_(total, g)
    torch_private.foreach_addcmul_(squares, g, g)
    size, sign = torch_private.foreach_abs(total), torch_private.foreach_sign(total)
    add_to_all(size, -(l1.clamp(min=0) if isinstance(l1, torch.Tensor) else max(l1, 0)) * step)
    torch_private.foreach_clamp_min_(size, 0)
    torch_private.foreach_mul_(size, sign)
    below = torch_private.foreach_sqrt(squares)
    add_to_all(below, l2 * lr * step)
    torch_private.foreach_div_(size, below)
    scale(size, -lr)
    torch_private.foreach_copy_(p, size)


def ftrl(
    p: Tensors,
    g: Tensors,
    acc: Tensors,
    linear: Tensors,
    lr: Scalar,
    power: Scalar,
    l1: Scalar,
    l2: Scalar,
    shrinkage: float = 0.0,
) -> None:
    """Follow the regularised leader: acc and linear sum up, p is solved for in closed form.

    p = -sign(linear)·max(|linear| - l1, 0) / (acc^-power / lr + 2·l2). To `linear`, g + 2·shrinkage·p is added.
    """
    change = powers(acc, -power)
    torch_private.foreach_addcmul_(acc, g, g)
    below = powers(acc, -power)
    torch_private.foreach_sub_(change, below)
    torch_private.foreach_add_(linear, add_weight_decay(p, g, 2 * shrinkage))
    add_product(linear, change, p, 1 / lr)
    torch_private.foreach_div_(below, like(lr, below))
    torch_private.foreach_add_(below, like(2 * l2, below))
    torch_private.foreach_copy_(p, linear)  # where |linear| ≤ l1, it stays and makes a difference of zero
    if isinstance(l1, torch.Tensor):
        torch_private.foreach_minimum_(p, [like(l1, p)] * len(p))
        torch_private.foreach_maximum_(p, [like(-l1, p)] * len(p))
    else:
        torch_private.foreach_clamp_max_(p, l1)
        torch_private.foreach_clamp_min_(p, -l1)
    torch_private.foreach_sub_(p, linear)
    torch_private.foreach_div_(p, below)
