"""Update rules: pure functions that change lists of torch tensors in place, in a few kernels for all of them.

In every rule p are the parameters, g their gradients, lr the learning rate. torch's fused kernels serve where the rule
is the same up to a rewriting of constants; on CPU they are as fast as or faster than the foreach ones.
"""

import math

import torch

Tensors = list[torch.Tensor] | tuple[torch.Tensor, ...]
Pair = tuple[float, float]

# A step at which torch's bias corrections 1 - beta^step are exactly 1: `adam` has rewritten lr and eps by them.
_NEVER = 1e9


def decayed(p: Tensors, g: Tensors, decay: float) -> Tensors:
    """Return g + decay·p."""
    return torch._foreach_add(g, p, alpha=decay) if decay else g


def momentum(
    p: Tensors, g: Tensors, v: Tensors, lr: float, mu: float, decay: float, nesterov: bool, dampening: float = 0.0
) -> None:
    """v = mu·v + (1 - dampening)·(g + decay·p); p -= lr·v, or lr·(g + mu·v) with nesterov.

    torch's kernel takes a momentum of zero for none, and leaves v as it is (2.13).
    """
    if mu == 0.0 and v:
        torch._foreach_copy_(v, decayed(p, g, decay))
        v = []
    torch._fused_sgd_(
        p,
        g,
        v,
        weight_decay=decay,
        momentum=mu,
        lr=lr,
        dampening=dampening,
        nesterov=nesterov and mu != 0.0,
        maximize=False,
        is_first_step=False,
    )


def descent(p: Tensors, g: Tensors, lr: float, decay: float) -> None:
    """p -= lr·(g + decay·p)."""
    momentum(p, g, [], lr, 0.0, decay, False)


def adam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    lr: float,
    betas: Pair,
    eps: float,
    decay: float,
    biases: Pair = (1.0, 1.0),
    *,
    is_decoupled: bool = False,
    is_eps_corrected: bool = False,
) -> None:
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr·√bias2 / bias1·m / (√v + eps), with g' = g + decay·p.

    The biases are 1 - β^t, or 1 for no correction; with `is_eps_corrected`, eps is added to √(v / bias2). `v_max` holds
    the largest v so far, and stands for v in the quotient (AMSGrad). Decoupled: g' = g, and p -= lr·decay·p first.
    """
    bias, root = biases[0], math.sqrt(biases[1])
    kernel = torch._fused_adamw_ if is_decoupled else torch._fused_adam_
    kernel(
        p,
        g,
        m,
        v,
        v_max or [],
        [torch.full((), _NEVER, device=p[0].device)] * len(p),
        lr=lr * root / bias,
        beta1=betas[0],
        beta2=betas[1],
        weight_decay=decay * bias / root if is_decoupled else decay,  # the kernel multiplies it by the corrected rate
        eps=eps * root if is_eps_corrected else eps,
        amsgrad=v_max is not None,
        maximize=False,
    )


def adam_nesterov(
    p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, betas: Pair, eps: float, biases: Pair
) -> None:
    """As `adam`, with β1·m + (1-β1)·g for m in the quotient."""
    _follow(g, m, v, betas)
    rate = lr * math.sqrt(biases[1]) / biases[0]
    torch._foreach_addcdiv_(p, torch._foreach_lerp(m, g, 1 - betas[0]), _root_plus(v, eps), -rate)


def nadam(
    p: Tensors, g: Tensors, m: Tensors, v: Tensors, shares: Pair, betas: Pair, eps: float, correction: float
) -> None:
    """p -= (shares[0]·g + shares[1]·m) / (√(v / correction) + eps)."""
    _follow(g, m, v, betas)
    below = _root_plus(torch._foreach_div(v, correction), eps)
    torch._foreach_addcdiv_(p, g, below, -shares[0])
    torch._foreach_addcdiv_(p, m, below, -shares[1])


def momentum_only(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, betas: Pair) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·m."""
    _follow(g, m, v, betas)
    torch._foreach_add_(p, m, alpha=-lr)


def adamax(
    p: Tensors, g: Tensors, m: Tensors, u: Tensors, lr: float, betas: Pair, eps: float, *, is_eps_kept: bool
) -> None:
    """m = β1·m + (1-β1)·g; u = max(β2·u, |g|); p -= lr·m / (u + eps); eps kept: u = max(β2·u, |g| + eps) instead."""
    torch._foreach_lerp_(m, g, 1 - betas[0])
    size = torch._foreach_abs(g)
    if is_eps_kept:
        torch._foreach_add_(size, eps)
    torch._foreach_mul_(u, betas[1])
    torch._foreach_maximum_(u, size)
    torch._foreach_addcdiv_(p, m, u if is_eps_kept else torch._foreach_add(u, eps), -lr)


def lamb(
    p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: float, betas: Pair, eps: float, decay: float, biases: Pair
) -> None:
    """u = m̂ / (√v̂ + eps) + decay·p; p -= lr·|p| / |u|·u, with a ratio of 1 where a norm is zero."""
    _follow(g, m, v, betas)
    update = torch._foreach_div(m, biases[0])
    torch._foreach_div_(update, _root_plus(torch._foreach_div(v, biases[1]), eps))
    if decay:
        torch._foreach_add_(update, p, alpha=decay)
    ratio = torch.stack(torch._foreach_norm(p)) / torch.stack(torch._foreach_norm(update))
    ratio = torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, 1.0)
    torch._foreach_mul_(update, ratio.unbind())
    torch._foreach_add_(p, update, alpha=-lr)


def rmsprop(
    p: Tensors, g: Tensors, s: Tensors, mom: Tensors, mean: Tensors | None, lr: float, rho: float, mu: float, eps: float
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + lr·g / √(s + eps); p -= mom; centred with `mean`: s - mean² in the root."""
    _follow_square(g, s, rho)
    inside = torch._foreach_add(s, eps)
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        torch._foreach_addcmul_(inside, mean, mean, -1)
    torch._foreach_sqrt_(inside)
    torch._foreach_mul_(mom, mu)
    torch._foreach_addcdiv_(mom, g, inside, lr)
    torch._foreach_sub_(p, mom)


def rmsprop_eps_outside(
    p: Tensors, g: Tensors, s: Tensors, mom: Tensors, mean: Tensors | None, lr: float, rho: float, mu: float, eps: float
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + g / (√s + eps); p -= lr·mom; centred with `mean`: s - mean² in the root."""
    _follow_square(g, s, rho)
    inside: Tensors = s
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        inside = torch._foreach_addcmul(s, mean, mean, -1)
    below = _root_plus(inside, eps)
    if mu > 0:
        torch._foreach_mul_(mom, mu)
        torch._foreach_addcdiv_(mom, g, below)
        torch._foreach_add_(p, mom, alpha=-lr)
    else:
        torch._foreach_addcdiv_(p, g, below, -lr)


def adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: float, eps: float = 0.0, *, update_slots: bool = True) -> None:
    """acc += g²; p -= lr·g / (√acc + eps)."""
    if update_slots:
        torch._foreach_addcmul_(acc, g, g)
    torch._foreach_addcdiv_(p, g, _root_plus(acc, eps), -lr)


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


def adadelta(p: Tensors, g: Tensors, acc: Tensors, upd: Tensors, lr: float, rho: float, eps: float) -> None:
    """acc = ρ·acc + (1-ρ)·g²; d = √(upd + eps) / √(acc + eps)·g; upd = ρ·upd + (1-ρ)·d²; p -= lr·d."""
    _follow_square(g, acc, rho)
    step = torch._foreach_add(upd, eps)
    torch._foreach_div_(step, torch._foreach_add(acc, eps))
    torch._foreach_sqrt_(step)
    torch._foreach_mul_(step, g)
    _follow_square(step, upd, rho)
    torch._foreach_add_(p, step, alpha=-lr)


def ftrl(p: Tensors, g: Tensors, acc: Tensors, linear: Tensors, lr: float, power: float, l1: float, l2: float) -> None:
    """Follow the regularised leader: acc and linear sum up, p is solved for in closed form.

    p = -sign(linear)·max(|linear| - l1, 0) / (acc^-power / lr + 2·l2).
    """
    grown = torch._foreach_addcmul(acc, g, g)
    before, after = torch._foreach_pow(acc, -power), torch._foreach_pow(grown, -power)
    torch._foreach_add_(linear, g)
    torch._foreach_addcmul_(linear, torch._foreach_sub(after, before), p, -1 / lr)
    torch._foreach_copy_(acc, grown)
    torch._foreach_div_(after, lr)
    torch._foreach_add_(after, 2 * l2)
    solved = torch._foreach_sub(torch._foreach_abs(linear), l1)
    torch._foreach_clamp_min_(solved, 0)
    torch._foreach_mul_(solved, torch._foreach_sign(linear))
    torch._foreach_div_(solved, after)
    torch._foreach_copy_(p, torch._foreach_neg(solved))


def rprop(
    p: Tensors, g: Tensors, prev: Tensors, size: Tensors, etas: Pair, sizes: Pair, start: float | None = None
) -> None:
    """Grow each element's step by etas[1] while its gradient keeps its sign; shrink it by etas[0], and rest, if not.

    `start` is the size in the first step, and None later.
    """
    if start is not None:
        fill(size, start)
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


def averaging(lr: float, step: int, lambd: float, alpha: float, t0: float) -> Pair:
    """Return eta and mu of `averaged` for the step after `step`: lr / (1 + lambd·lr·t)^alpha and 1 / max(1, t - t0)."""
    return lr / (1 + lambd * lr * step) ** alpha, 1 / max(1.0, step - t0)


def fill(tensors: Tensors, value: float) -> None:
    """Set all elements."""
    torch._foreach_zero_(tensors)
    torch._foreach_add_(tensors, value)


def _follow(g: Tensors, m: Tensors, v: Tensors, betas: Pair) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²."""
    torch._foreach_lerp_(m, g, 1 - betas[0])
    _follow_square(g, v, betas[1])


def _follow_square(g: Tensors, v: Tensors, rho: float) -> None:
    """v = ρ·v + (1-ρ)·g²."""
    torch._foreach_mul_(v, rho)
    torch._foreach_addcmul_(v, g, g, 1 - rho)


def _root_plus(v: Tensors, eps: float) -> Tensors:
    root = torch._foreach_sqrt(v)
    if eps:
        torch._foreach_add_(root, eps)
    return root
