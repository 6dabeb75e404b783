"""Update rules that differ from those of `mindspore.nn`: pure functions on lists of torch tensors, in a few kernels.

In every rule p are the parameters, g their gradients, lr the learning rate.
"""

import math

import torch

from msbridge.nn.optim import rules
from msbridge.nn.optim.rules import Tensors


def decayed(p: Tensors, g: Tensors, decay: float) -> Tensors:
    """Give g + decay·p."""
    return torch._foreach_add(g, p, alpha=decay) if decay else g


def adamw(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    step: int,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
) -> None:
    """p = p·(1 - lr·decay) - lr / (1-β1^t)·m / (√v / √(1-β2^t) + eps)."""
    root = math.sqrt(1 - beta2**step)
    if decay:
        torch._foreach_mul_(p, 1 - lr * decay)
    rules.adam(p, g, m, v, lr * root / (1 - beta1**step), beta1, beta2, eps * root, 0.0, v_max)


def adamax(p: Tensors, g: Tensors, m: Tensors, u: Tensors, lr: float, beta1: float, beta2: float, eps: float) -> None:
    """m = β1·m + (1-β1)·g; u = max(β2·u, |g| + eps); p -= lr·m / u."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    size = torch._foreach_abs(g)
    torch._foreach_add_(size, eps)
    torch._foreach_mul_(u, beta2)
    torch._foreach_maximum_(u, size)
    torch._foreach_addcdiv_(p, m, u, -lr)


def nadam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    shares: tuple[float, float],
    beta1: float,
    beta2: float,
    eps: float,
    correction: float,
) -> None:
    """p -= (shares[0]·g + shares[1]·m) / (√(v / correction) + eps)."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    torch._foreach_mul_(v, beta2)
    torch._foreach_addcmul_(v, g, g, 1 - beta2)
    below = torch._foreach_div(v, correction)
    torch._foreach_sqrt_(below)
    torch._foreach_add_(below, eps)
    torch._foreach_addcdiv_(p, g, below, -shares[0])
    torch._foreach_addcdiv_(p, m, below, -shares[1])


def momentum_only(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, beta1: float, beta2: float) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·m."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    torch._foreach_mul_(v, beta2)
    torch._foreach_addcmul_(v, g, g, 1 - beta2)
    torch._foreach_add_(p, m, alpha=-lr)


def rmsprop(
    p: Tensors, g: Tensors, s: Tensors, mom: Tensors, mean: Tensors | None, lr: float, rho: float, mu: float, eps: float
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + g / (√s + eps); p -= lr·mom; centred with `mean`: s - mean² in the root."""
    torch._foreach_mul_(s, rho)
    torch._foreach_addcmul_(s, g, g, 1 - rho)
    below: Tensors = s
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        below = torch._foreach_addcmul(s, mean, mean, -1)
    below = torch._foreach_sqrt(below)
    torch._foreach_add_(below, eps)
    if mu > 0:
        torch._foreach_mul_(mom, mu)
        torch._foreach_addcdiv_(mom, g, below)
        torch._foreach_add_(p, mom, alpha=-lr)
    else:
        torch._foreach_addcdiv_(p, g, below, -lr)


def adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: float, eps: float) -> None:
    """acc += g²; p -= lr·g / (√acc + eps)."""
    torch._foreach_addcmul_(acc, g, g)
    below = torch._foreach_sqrt(acc)
    torch._foreach_add_(below, eps)
    torch._foreach_addcdiv_(p, g, below, -lr)
