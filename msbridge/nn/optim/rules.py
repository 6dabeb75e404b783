"""Update rules: pure functions that change lists of torch tensors in place, in a few kernels for all of them.

In every rule p are the parameters, g their gradients, lr the learning rate. torch's fused kernels serve where the rule
is the same up to a rewriting of constants; on CPU they are as fast as or faster than the foreach ones.

What changes from step to step is a `Scalar`: a number, or a 0-d tensor beside the parameters, which no rule reads. A
rule that takes `overflow`, a 0-d tensor of 1.0 or 0.0, changes nothing where it is 1.0.
"""

from typing import Any

import torch

from msbridge.core.scalars import Scalar
from msbridge.nn.optim.lists import (
    Tensors,
    add,
    add_product,
    add_quotient,
    add_to_all,
    decayed,
    fill,
    follow,
    follow_square,
    for_kernel,
    like,
    put_back,
    root,
    root_plus,
)

Pair = tuple[float, float]

# A step at which torch's bias corrections 1 - beta^step are exactly 1.
_NEVER = 1e9


def momentum(
    p: Tensors,
    g: Tensors,
    v: Tensors,
    lr: Scalar,
    mu: float,
    decay: Scalar,
    nesterov: bool,
    dampening: Scalar = 0.0,
    overflow: torch.Tensor | None = None,
) -> None:
    """v = mu·v + (1 - dampening)·(g + decay·p); p -= lr·v, or lr·(g + mu·v) with nesterov.

    torch's kernel takes a momentum of zero for none, and leaves v as it is (2.13).
    """
    if isinstance(dampening, torch.Tensor):
        g = torch._foreach_mul(decayed(p, g, decay), like(1 - dampening, g))
        decay = dampening = 0.0
    elif isinstance(decay, torch.Tensor):
        g, decay = decayed(p, g, decay), 0.0
    if mu == 0.0 and v:
        before = v if overflow is None else [data.clone() for data in v]
        torch._foreach_copy_(v, decayed(p, g, decay))
        put_back(v, before, overflow)
        v = []
    torch._fused_sgd_(
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


def adam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    lr: Scalar,
    betas: Pair,
    eps: float,
    decay: Scalar,
    step: Scalar = _NEVER,
    *,
    is_decoupled: bool = False,
    overflow: torch.Tensor | None = None,
) -> None:
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr / bias1·m / (√v / √bias2 + eps), with g' = g + decay·p.

    The biases are 1 - β^step; without a step they are 1, and nothing is corrected. `v_max` holds the largest v so far,
    and stands for v in the quotient (AMSGrad). Decoupled: g' = g, and p -= lr·decay·p first.
    """
    if isinstance(decay, torch.Tensor):
        if is_decoupled:
            shrunk = decay * lr if overflow is None else torch.where(overflow != 0, 0.0, decay * lr)
            torch._foreach_mul_(p, like(1 - shrunk, p))
        else:
            g = decayed(p, g, decay)
        decay = 0.0
    kernel: Any = torch._fused_adamw_ if is_decoupled else torch._fused_adam_
    steps = step.float() if isinstance(step, torch.Tensor) else torch.full((), float(step), device=p[0].device)
    kernel(
        p,
        g,
        m,
        v,
        v_max or [],
        [steps] * len(p),
        lr=for_kernel(lr, p),
        beta1=betas[0],
        beta2=betas[1],
        weight_decay=decay,
        eps=eps,
        amsgrad=v_max is not None,
        maximize=False,
        found_inf=overflow,
    )


def corrected(lr: Scalar, powers: tuple[Scalar, Scalar]) -> Scalar:
    """Return lr·√(1-β2^t) / (1-β1^t) of the two powers β^t."""
    rate: Scalar = lr * root(1 - powers[1])
    return rate / (1 - powers[0])


def adam_nesterov(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: Scalar, betas: Pair, eps: float) -> None:
    """As `adam` without a step, with β1·m + (1-β1)·g for m in the quotient."""
    follow(g, m, v, betas)
    add_quotient(p, torch._foreach_lerp(m, g, 1 - betas[0]), root_plus(v, eps), -lr)


def rectified(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: Scalar,
    betas: Pair,
    eps: float,
    is_rectified: bool | torch.Tensor,
) -> None:
    """As `adam` without a step where `is_rectified`, and as `momentum_only` where not."""
    if not isinstance(is_rectified, torch.Tensor):
        if is_rectified:
            adam(p, g, m, v, None, lr, betas, eps, 0.0)
        else:
            momentum_only(p, g, m, v, lr, betas)
        return
    follow(g, m, v, betas)
    below = root_plus(v, eps)
    torch._foreach_mul_(below, like(is_rectified, below))
    add_to_all(below, ~is_rectified)
    add_quotient(p, m, below, -lr)


def nadam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    shares: tuple[Scalar, Scalar],
    betas: Pair,
    eps: float,
    correction: Scalar,
) -> None:
    """p -= (shares[0]·g + shares[1]·m) / (√(v / correction) + eps)."""
    follow(g, m, v, betas)
    below = root_plus(torch._foreach_div(v, like(correction, v)), eps)
    add_quotient(p, g, below, -shares[0])
    add_quotient(p, m, below, -shares[1])


def momentum_only(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: Scalar, betas: Pair) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·m."""
    follow(g, m, v, betas)
    add(p, m, -lr)


def adamax(
    p: Tensors, g: Tensors, m: Tensors, u: Tensors, lr: Scalar, betas: Pair, eps: float, *, is_eps_kept: bool
) -> None:
    """m = β1·m + (1-β1)·g; u = max(β2·u, |g|); p -= lr·m / (u + eps); eps kept: u = max(β2·u, |g| + eps) instead."""
    torch._foreach_lerp_(m, g, 1 - betas[0])
    size = torch._foreach_abs(g)
    if is_eps_kept:
        torch._foreach_add_(size, eps)
    torch._foreach_mul_(u, betas[1])
    torch._foreach_maximum_(u, size)
    if not is_eps_kept:
        torch._foreach_copy_(size, u)
        torch._foreach_add_(size, eps)
    add_quotient(p, m, u if is_eps_kept else size, -lr)


def lamb(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: Scalar,
    betas: Pair,
    eps: float,
    decay: Scalar,
    biases: tuple[Scalar, Scalar],
) -> None:
    """u = m̂ / (√v̂ + eps) + decay·p; p -= lr·|p| / |u|·u, with a ratio of 1 where a norm is zero."""
    follow(g, m, v, betas)
    update, below = torch._foreach_div(m, like(biases[0], m)), torch._foreach_div(v, like(biases[1], v))
    torch._foreach_sqrt_(below)
    torch._foreach_add_(below, eps)
    torch._foreach_div_(update, below)
    if isinstance(decay, torch.Tensor) or decay:
        add(update, p, decay)
    ratio = torch.stack(torch._foreach_norm(p)) / torch.stack(torch._foreach_norm(update))
    ratio = torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, 1.0)
    torch._foreach_addcmul_(p, update, (ratio * lr).to(p[0].dtype).unbind(), -1)


def lars(p: Tensors, g: Tensors, decay: Scalar, coefficient: float, eps: float, lr: Scalar | None) -> Tensors:
    """Return λ·(g + decay·p), where λ = coefficient·|p| / (|g| + decay·|p| + eps), or min(λ / lr, 1) with `lr`."""
    size, slope = torch.stack(torch._foreach_norm(p)), torch.stack(torch._foreach_norm(g))
    ratio = coefficient * size / (slope + like(decay, p) * size + eps)
    if lr is not None:
        ratio = (ratio / like(lr, p)).clamp(max=1.0)
    shrinking = decayed(p, g, decay)
    if shrinking is g:
        return torch._foreach_mul(g, ratio.unbind())
    torch._foreach_mul_(shrinking, ratio.unbind())
    return shrinking


def rmsprop(
    p: Tensors,
    g: Tensors,
    s: Tensors,
    mom: Tensors,
    mean: Tensors | None,
    lr: Scalar,
    rho: float,
    mu: float,
    eps: float,
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + lr·g / √(s + eps); p -= mom; centred with `mean`: s - mean² in the root."""
    follow_square(g, s, rho)
    inside = torch._foreach_add(s, eps)
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        torch._foreach_addcmul_(inside, mean, mean, -1)
    torch._foreach_sqrt_(inside)
    torch._foreach_mul_(mom, mu)
    add_quotient(mom, g, inside, lr)
    torch._foreach_sub_(p, mom)


def rmsprop_eps_outside(
    p: Tensors,
    g: Tensors,
    s: Tensors,
    mom: Tensors,
    mean: Tensors | None,
    lr: Scalar,
    rho: float,
    mu: float,
    eps: float,
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + g / (√s + eps); p -= lr·mom; centred with `mean`: s - mean² in the root."""
    follow_square(g, s, rho)
    inside: Tensors = s
    if mean is not None:
        torch._foreach_lerp_(mean, g, 1 - rho)
        inside = torch._foreach_addcmul(s, mean, mean, -1)
    below = root_plus(inside, eps)
    if mu > 0:
        torch._foreach_mul_(mom, mu)
        torch._foreach_addcdiv_(mom, g, below)
        add(p, mom, -lr)
    else:
        add_quotient(p, g, below, -lr)


def adagrad(
    p: Tensors,
    g: Tensors,
    acc: Tensors,
    lr: Scalar,
    eps: float = 0.0,
    *,
    update_slots: bool = True,
    overflow: torch.Tensor | None = None,
) -> None:
    """acc += g²; p -= lr·g / (√acc + eps)."""
    if update_slots and p[0].is_cpu:
        steps = [torch.ones(())] * len(p)
        torch._fused_adagrad_(
            p,
            g,
            acc,
            steps,
            lr=lr,
            lr_decay=0.0,
            weight_decay=0.0,
            eps=eps,
            maximize=False,
            found_inf=overflow,
        )
        return
    changed = [*p, *acc]
    before = changed if overflow is None else [data.clone() for data in changed]
    if update_slots:
        torch._foreach_addcmul_(acc, g, g)
    add_quotient(p, g, root_plus(acc, eps), -lr)
    put_back(changed, before, overflow)


def proximal_adagrad(p: Tensors, g: Tensors, acc: Tensors, lr: Scalar, l1: float, l2: float) -> None:
    """acc += g²; p -= r·g with r = lr / √acc; then p shrinks by r·l1 towards zero, and by 1 + r·l2."""
    torch._foreach_addcmul_(acc, g, g)
    rate = torch._foreach_sqrt(acc)
    torch._foreach_reciprocal_(rate)
    torch._foreach_mul_(rate, like(lr, rate))
    torch._foreach_addcmul_(p, rate, g, -1)
    if l1 > 0:
        size, sign = torch._foreach_abs(p), torch._foreach_sign(p)
        add(size, rate, -l1)
        torch._foreach_clamp_min_(size, 0)
        torch._foreach_mul_(size, sign)
        torch._foreach_copy_(p, size)
    if l2 > 0:
        torch._foreach_mul_(rate, l2)
        torch._foreach_add_(rate, 1)
        torch._foreach_div_(p, rate)


def adadelta(p: Tensors, g: Tensors, acc: Tensors, upd: Tensors, lr: Scalar, rho: float, eps: float) -> None:
    """acc = ρ·acc + (1-ρ)·g²; d = √(upd + eps) / √(acc + eps)·g; upd = ρ·upd + (1-ρ)·d²; p -= lr·d."""
    follow_square(g, acc, rho)
    step = torch._foreach_add(upd, eps)
    torch._foreach_div_(step, torch._foreach_add(acc, eps))
    torch._foreach_sqrt_(step)
    torch._foreach_mul_(step, g)
    follow_square(step, upd, rho)
    add(p, step, -lr)


def ftrl(p: Tensors, g: Tensors, acc: Tensors, linear: Tensors, lr: Scalar, power: float, l1: float, l2: float) -> None:
    """Follow the regularised leader: acc and linear sum up, p is solved for in closed form.

    p = -sign(linear)·max(|linear| - l1, 0) / (acc^-power / lr + 2·l2).
    """
    change = torch._foreach_pow(acc, -power)
    torch._foreach_addcmul_(acc, g, g)
    below = torch._foreach_pow(acc, -power)
    torch._foreach_sub_(change, below)
    torch._foreach_add_(linear, g)
    add_product(linear, change, p, 1 / lr)
    torch._foreach_div_(below, like(lr, below))
    torch._foreach_add_(below, 2 * l2)
    torch._foreach_copy_(p, linear)  # where |linear| ≤ l1, it stays and makes a difference of zero
    torch._foreach_clamp_max_(p, l1)
    torch._foreach_clamp_min_(p, -l1)
    torch._foreach_sub_(p, linear)
    torch._foreach_div_(p, below)


def rprop(
    p: Tensors,
    g: Tensors,
    prev: Tensors,
    size: Tensors,
    etas: Pair,
    sizes: Pair,
    start: Scalar,
    is_first: bool | torch.Tensor,
) -> None:
    """Grow each element's step by etas[1] while its gradient keeps its sign; shrink it by etas[0], and rest, if not.

    In the first step, all steps are of the size `start`.
    """
    if isinstance(is_first, torch.Tensor):
        torch._foreach_mul_(size, like(~is_first, size))
        add_to_all(size, start * is_first)
    elif is_first:
        fill(size, start)
    torch._foreach_mul_(prev, g)
    torch._foreach_sign_(prev)
    factor = torch._foreach_clamp_min(prev, 0)
    torch._foreach_mul_(factor, etas[1] - 1)
    torch._foreach_clamp_max_(prev, 0)
    torch._foreach_add_(factor, prev, alpha=1 - etas[0])
    torch._foreach_add_(factor, 1)
    torch._foreach_mul_(size, factor)
    torch._foreach_clamp_min_(size, sizes[0])
    torch._foreach_clamp_max_(size, sizes[1])
    torch._foreach_add_(prev, 1)  # 0 where the sign has turned, else 1
    torch._foreach_mul_(prev, g)
    torch._foreach_copy_(factor, prev)
    torch._foreach_sign_(factor)
    torch._foreach_addcmul_(p, factor, size, -1)


def averaged(p: Tensors, g: Tensors, ax: Tensors, eta: Scalar, lambd: float, mu: Scalar) -> None:
    """p = p·(1 - lambd·eta) - eta·g; ax moves towards p by mu."""
    torch._foreach_mul_(p, like(1 - lambd * eta, p))
    add(p, g, -eta)
    if isinstance(mu, torch.Tensor):
        torch._foreach_lerp_(ax, p, [like(mu, p)] * len(p))
    else:
        torch._foreach_lerp_(ax, p, mu)


def averaging(lr: Scalar, step: Scalar, lambd: float, alpha: float, t0: float) -> tuple[Scalar, Scalar]:
    """Return eta and mu of `averaged` for the step after `step`: lr / (1 + lambd·lr·t)^alpha and 1 / max(1, t - t0)."""
    since = step - t0
    since = since.clamp(min=1.0) if isinstance(since, torch.Tensor) else max(1.0, since)
    return lr / (1 + lambd * lr * step) ** alpha, 1 / since
