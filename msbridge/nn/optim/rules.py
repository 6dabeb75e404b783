"""Update rules: pure functions that change lists of torch tensors in place, in a few kernels for all of them.

In every rule p are the parameters, g their gradients, lr the learning rate. torch's fused kernels serve where the rule
is the same up to a rewriting of constants; on CPU they are as fast as or faster than the foreach ones.
"""

import math

import torch

Tensors = list[torch.Tensor] | tuple[torch.Tensor, ...]

# A step at which torch's bias corrections 1 - beta^step are exactly 1: the corrections are in `lr` already.
_NEVER = 1e9


def momentum(
    p: Tensors, g: Tensors, v: Tensors, lr: float, mu: float, decay: float, nesterov: bool, dampening: float = 0.0
) -> None:
    """v = mu·v + (1 - dampening)·(g + decay·p); p -= lr·v, or lr·(g + mu·v) with nesterov."""
    torch._fused_sgd_(
        p,
        g,
        v,
        weight_decay=decay,
        momentum=mu,
        lr=lr,
        dampening=dampening,
        nesterov=nesterov,
        maximize=False,
        is_first_step=False,
    )


def descent(p: Tensors, g: Tensors, lr: float, decay: float, v: Tensors | None = None) -> None:
    """p -= lr·(g + decay·p); `v` keeps the decayed gradients, as momentum of zero does."""
    if v is not None:
        torch._foreach_copy_(v, torch._foreach_add(g, p, alpha=decay) if decay else g)
    torch._fused_sgd_(
        p,
        g,
        [],
        weight_decay=decay,
        momentum=0.0,
        lr=lr,
        dampening=0.0,
        nesterov=False,
        maximize=False,
        is_first_step=False,
    )


def adam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
    v_max: Tensors | None = None,
) -> None:
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr·m / (√v + eps), with g' = g + decay·p.

    The bias corrections √(1-β2^t) / (1-β1^t) are in `lr`; eps is not corrected. `v_max` holds the largest v so far, and
    stands for v in the quotient (AMSGrad).
    """
    _fused(torch._fused_adam_, p, g, m, v, v_max, lr, beta1, beta2, eps, decay)


def adam_decoupled(
    p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, beta1: float, beta2: float, eps: float, decay: float
) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·(m / (√v + eps) + decay·p)."""
    _fused(torch._fused_adamw_, p, g, m, v, None, lr, beta1, beta2, eps, decay)


def adam_nesterov(
    p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, beta1: float, beta2: float, eps: float
) -> None:
    """As `adam`, with p -= lr·(β1·m + (1-β1)·g) / (√v + eps)."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    torch._foreach_mul_(v, beta2)
    torch._foreach_addcmul_(v, g, g, 1 - beta2)
    torch._foreach_addcdiv_(p, torch._foreach_lerp(m, g, 1 - beta1), _root_plus(v, eps), -lr)


def adamax(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, beta1: float, beta2: float, eps: float) -> None:
    """m = β1·m + (1-β1)·g; v = max(β2·v, |g|); p -= lr·m / (v + eps); the bias correction is in `lr`."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    torch._foreach_mul_(v, beta2)
    torch._foreach_maximum_(v, torch._foreach_abs(g))
    torch._foreach_addcdiv_(p, m, torch._foreach_add(v, eps), -lr)


def rmsprop(
    p: Tensors, g: Tensors, s: Tensors, mom: Tensors, mean: Tensors | None, lr: float, rho: float, mu: float, eps: float
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + lr·g / √(s + eps); p -= mom; centred with `mean`: s - mean² in the root."""
    torch._foreach_mul_(s, rho)
    torch._foreach_addcmul_(s, g, g, 1 - rho)
    inside = torch._foreach_add(s, eps)
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        torch._foreach_addcmul_(inside, mean, mean, -1)
    torch._foreach_sqrt_(inside)
    torch._foreach_mul_(mom, mu)
    torch._foreach_addcdiv_(mom, g, inside, lr)
    torch._foreach_sub_(p, mom)


def adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: float, update_slots: bool) -> None:
    """acc += g²; p -= lr·g / √acc."""
    if update_slots:
        torch._foreach_addcmul_(acc, g, g)
    torch._foreach_addcdiv_(p, g, torch._foreach_sqrt(acc), -lr)


def adadelta(p: Tensors, g: Tensors, acc: Tensors, upd: Tensors, lr: float, rho: float, eps: float) -> None:
    """acc = ρ·acc + (1-ρ)·g²; d = √(upd + eps) / √(acc + eps)·g; upd = ρ·upd + (1-ρ)·d²; p -= lr·d."""
    torch._foreach_mul_(acc, rho)
    torch._foreach_addcmul_(acc, g, g, 1 - rho)
    step = torch._foreach_add(upd, eps)
    torch._foreach_div_(step, torch._foreach_add(acc, eps))
    torch._foreach_sqrt_(step)
    torch._foreach_mul_(step, g)
    torch._foreach_mul_(upd, rho)
    torch._foreach_addcmul_(upd, step, step, 1 - rho)
    torch._foreach_add_(p, step, alpha=-lr)


def lamb(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
    step: int,
) -> None:
    """u = m̂ / (√v̂ + eps) + decay·p; p -= lr·|p| / |u|·u, with a ratio of 1 where a norm is zero."""
    torch._foreach_lerp_(m, g, 1 - beta1)
    torch._foreach_mul_(v, beta2)
    torch._foreach_addcmul_(v, g, g, 1 - beta2)
    denominator = torch._foreach_div(v, 1 - beta2**step)
    torch._foreach_sqrt_(denominator)
    torch._foreach_add_(denominator, eps)
    update = torch._foreach_div(m, 1 - beta1**step)
    torch._foreach_div_(update, denominator)
    if decay:
        torch._foreach_add_(update, p, alpha=decay)
    ratios = torch._foreach_div(torch._foreach_norm(p), torch._foreach_norm(update))
    safe = [torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, torch.ones_like(ratio)) for ratio in ratios]
    torch._foreach_mul_(update, safe)
    torch._foreach_add_(p, update, alpha=-lr)


def ftrl(p: Tensors, g: Tensors, acc: Tensors, linear: Tensors, lr: float, power: float, l1: float, l2: float) -> None:
    """Follow the regularised leader: acc and linear sum up, p is solved for in closed form."""
    grown = torch._foreach_addcmul(acc, g, g)
    before, after = torch._foreach_pow(acc, -power), torch._foreach_pow(grown, -power)
    torch._foreach_add_(linear, g)
    slope = torch._foreach_sub(after, before)
    torch._foreach_addcmul_(linear, slope, p, -1 / lr)
    torch._foreach_copy_(acc, grown)
    for parameter, line, curve in zip(p, linear, after, strict=True):
        solved = (line.sign() * l1 - line) / (curve / lr + 2 * l2)
        parameter.copy_(torch.where(line.abs() > l1, solved, torch.zeros_like(solved)))


def bias_corrected(lr: float, beta1_power: float, beta2_power: float) -> float:
    """Give lr·√(1-β2^t) / (1-β1^t)."""
    return lr * math.sqrt(1 - beta2_power) / (1 - beta1_power)


def _fused(
    kernel: torch._ops.OpOverloadPacket,
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
) -> None:
    step = torch.full((), _NEVER, device=p[0].device)
    kernel(
        p,
        g,
        m,
        v,
        v_max or [],
        [step] * len(p),
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        weight_decay=decay,
        eps=eps,
        amsgrad=v_max is not None,
        maximize=False,
    )


def _root_plus(v: Tensors, eps: float) -> Tensors:
    root = torch._foreach_sqrt(v)
    torch._foreach_add_(root, eps)
    return root


def rprop(
    p: Tensors, g: Tensors, prev: Tensors, size: Tensors, etas: tuple[float, float], sizes: tuple[float, float]
) -> None:
    """Grow each element's step by etas[1] while its gradient keeps its sign; shrink it by etas[0], and rest, if not."""
    sign = torch._foreach_sign(torch._foreach_mul(g, prev))
    kept, turned = torch._foreach_clamp_min(sign, 0), torch._foreach_clamp_max(sign, 0)
    factor = torch._foreach_mul(kept, etas[1] - 1)
    torch._foreach_add_(factor, turned, alpha=1 - etas[0])
    torch._foreach_add_(factor, 1)
    torch._foreach_mul_(size, factor)
    torch._foreach_clamp_min_(size, sizes[0])
    torch._foreach_clamp_max_(size, sizes[1])
    torch._foreach_copy_(prev, torch._foreach_mul(g, torch._foreach_add(turned, 1)))
    torch._foreach_addcmul_(p, torch._foreach_sign(prev), size, -1)


def averaged(p: Tensors, g: Tensors, ax: Tensors, eta: float, lambd: float, mu: float) -> None:
    """p = p·(1 - lambd·eta) - eta·g; ax moves towards p by mu."""
    torch._foreach_mul_(p, 1 - lambd * eta)
    torch._foreach_add_(p, g, alpha=-eta)
    torch._foreach_lerp_(ax, p, mu)


def proximal_adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: float, l1: float, l2: float) -> None:
    """acc += g²; p -= r·g with r = lr / √acc; then p shrinks by r·l1 towards zero, and by 1 + r·l2."""
    torch._foreach_addcmul_(acc, g, g)
    rate = torch._foreach_reciprocal(torch._foreach_sqrt(acc))
    torch._foreach_mul_(rate, lr)
    torch._foreach_addcmul_(p, rate, g, -1)
    if l1 > 0:
        size = torch._foreach_sub(torch._foreach_abs(p), torch._foreach_mul(rate, l1))
        torch._foreach_clamp_min_(size, 0)
        torch._foreach_copy_(p, torch._foreach_mul(torch._foreach_sign(p), size))
    torch._foreach_div_(p, torch._foreach_add(torch._foreach_mul(rate, l2), 1))
