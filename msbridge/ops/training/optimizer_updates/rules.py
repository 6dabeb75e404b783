"""Update rules: pure functions that change lists of torch tensors in place, in a few kernels for all of them.

In every rule p are the parameters, g their gradients, lr the learning rate. torch's fused kernels serve where the rule
is the same up to a rewriting of constants; on CPU they are as fast as or faster than the foreach ones.

What changes from step to step is a `Scalar`: a number, or a 0-d tensor beside the parameters, which no rule reads. A
rule that takes `overflow`, a 0-d tensor of 1.0 or 0.0, changes nothing where it is 1.0.
"""

from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.ops.training.optimizer_updates.lists import (
    Pair,
    Tensors,
    add,
    add_quotient,
    add_to_all,
    add_weight_decay,
    approach,
    fill,
    follow,
    follow_square,
    for_kernel,
    like,
    restore_on_overflow,
    root,
    root_plus,
    scale,
)

# A step at which torch's bias corrections 1 - beta^step are exactly 1.
_NEVER = 1e9


def adam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    lr: Scalar,
    betas: Pair,
    eps: Scalar,
    decay: Scalar,
    step: Scalar = _NEVER,
    *,
    is_decoupled: bool = False,
    overflow: torch.Tensor | None = None,
) -> None:
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr / bias1·m / (√v / √bias2 + eps), with g' = g + decay·p.

    The biases are 1 - β^step; without a step they are 1, and nothing is corrected. `v_max` holds the largest v so far,
    and replaces v in the quotient (AMSGrad). Decoupled: g' = g, and p -= lr·decay·p first.
    """
    if isinstance(decay, torch.Tensor):
        if is_decoupled:
            shrunk = decay * lr if overflow is None else torch.where(overflow != 0, 0.0, decay * lr)
            torch_private.foreach_mul_(p, like(1 - shrunk, p))
        else:
            g = add_weight_decay(p, g, decay)
        decay = 0.0
    if any(isinstance(value, torch.Tensor) for value in (*betas, eps)):
        adam_of_tensors(p, g, m, v, v_max, lr, betas, eps, decay, is_decoupled)
        return
    kernel: Any = torch_private.fused_adamw_ if is_decoupled else torch_private.fused_adam_
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


def adam_of_tensors(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    v_max: Tensors | None,
    lr: Scalar,
    betas: Pair,
    eps: Scalar,
    decay: Scalar,
    is_decoupled: bool,
) -> None:
    """As `adam` without a step, with betas and eps that may be tensors, which torch's fused kernels would read."""
    if is_decoupled:
        scale(p, 1 - lr * decay)
    else:
        g = add_weight_decay(p, g, decay)
    follow(g, m, v, betas)
    if v_max is not None:
        torch_private.foreach_maximum_(v_max, v)
        v = v_max
    add_quotient(p, m, root_plus(v, eps), -lr)


def corrected_rate(lr: Scalar, powers: tuple[Scalar, Scalar]) -> Scalar:
    """Return lr·√(1-β2^t) / (1-β1^t) of the two powers β^t."""
    rate: Scalar = lr * root(1 - powers[1])
    return rate / (1 - powers[0])


def adam_nesterov(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: Scalar, betas: Pair, eps: Scalar) -> None:
    """As `adam` without a step, with β1·m + (1-β1)·g for m in the quotient."""
    follow(g, m, v, betas)
    ahead = torch_private.foreach_mul(m, like(betas[0], m))
    add(ahead, g, 1 - betas[0])
    add_quotient(p, ahead, root_plus(v, eps), -lr)


def rectified_adam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: Scalar,
    betas: Pair,
    eps: Scalar,
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
    torch_private.foreach_mul_(below, like(is_rectified, below))
    add_to_all(below, ~is_rectified)
    add_quotient(p, m, below, -lr)


def nadam(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    shares: tuple[Scalar, Scalar],
    betas: Pair,
    eps: Scalar,
    correction: Scalar,
) -> None:
    """p -= (shares[0]·g + shares[1]·m) / (√(v / correction) + eps)."""
    follow(g, m, v, betas)
    below = root_plus(torch_private.foreach_div(v, like(correction, v)), eps)
    add_quotient(p, g, below, -shares[0])
    add_quotient(p, m, below, -shares[1])


def momentum_only(p: Tensors, g: Tensors, m: Tensors, v: Tensors, lr: Scalar, betas: Pair) -> None:
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·m."""
    follow(g, m, v, betas)
    add(p, m, -lr)


def adamax(
    p: Tensors, g: Tensors, m: Tensors, u: Tensors, lr: Scalar, betas: Pair, eps: Scalar, *, is_eps_kept: bool
) -> None:
    """m = β1·m + (1-β1)·g; u = max(β2·u, |g|); p -= lr·m / (u + eps); eps kept: u = max(β2·u, |g| + eps) instead."""
    approach(m, g, 1 - betas[0])
    size = torch_private.foreach_abs(g)
    if is_eps_kept:
        add_to_all(size, eps)
    scale(u, betas[1])
    torch_private.foreach_maximum_(u, size)
    if not is_eps_kept:
        torch_private.foreach_copy_(size, u)
        add_to_all(size, eps)
    add_quotient(p, m, u if is_eps_kept else size, -lr)


def lamb(
    p: Tensors,
    g: Tensors,
    m: Tensors,
    v: Tensors,
    lr: Scalar,
    betas: Pair,
    eps: Scalar,
    decay: Scalar,
    biases: tuple[Scalar, Scalar],
) -> None:
    """u = m̂ / (√v̂ + eps) + decay·p; p -= lr·|p| / |u|·u, with a ratio of 1 where a norm is zero."""
    follow(g, m, v, betas)
    update, below = torch_private.foreach_div(m, like(biases[0], m)), torch_private.foreach_div(v, like(biases[1], v))
    torch_private.foreach_sqrt_(below)
    torch_private.foreach_add_(below, eps)
    torch_private.foreach_div_(update, below)
    if isinstance(decay, torch.Tensor) or decay:
        add(update, p, decay)
    ratio = torch.stack(torch_private.foreach_norm(p)) / torch.stack(torch_private.foreach_norm(update))
    ratio = torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, 1.0)
    torch_private.foreach_addcmul_(p, update, (ratio * lr).to(p[0].dtype).unbind(), -1)


def lars(p: Tensors, g: Tensors, decay: Scalar, coefficient: float, eps: float, lr: Scalar | None) -> Tensors:
    """Return λ·(g + decay·p), where λ = coefficient·|p| / (|g| + decay·|p| + eps), or min(λ / lr, 1) with `lr`."""
    size, slope = torch.stack(torch_private.foreach_norm(p)), torch.stack(torch_private.foreach_norm(g))
    return lars_of_norms(p, g, size, slope, decay, coefficient, eps, lr)


def lars_of_norms(
    p: Tensors,
    g: Tensors,
    size: torch.Tensor,
    slope: torch.Tensor,
    decay: Scalar,
    coefficient: float,
    eps: float,
    lr: Scalar | None,
) -> Tensors:
    """Do what `lars` does with the norms of p and of g, which are `size` and `slope`."""
    ratio = coefficient * size / (slope + like(decay, p) * size + eps)
    if lr is not None:
        ratio = (ratio / like(lr, p)).clamp(max=1.0)
    shrinking = add_weight_decay(p, g, decay)
    if shrinking is g:
        return torch_private.foreach_mul(g, ratio.unbind())
    torch_private.foreach_mul_(shrinking, ratio.unbind())
    return shrinking


def rmsprop(
    p: Tensors,
    g: Tensors,
    s: Tensors,
    mom: Tensors,
    mean: Tensors | None,
    lr: Scalar,
    rho: Scalar,
    mu: Scalar,
    eps: Scalar,
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + lr·g / √(s + eps); p -= mom; centred with `mean`: s - mean² in the root."""
    follow_square(g, s, rho)
    inside = torch_private.foreach_add(s, like(eps, s))
    if mean is not None:
        approach(mean, g, 1 - rho)
        torch_private.foreach_addcmul_(inside, mean, mean, -1)
    torch_private.foreach_sqrt_(inside)
    scale(mom, mu)
    add_quotient(mom, g, inside, lr)
    torch_private.foreach_sub_(p, mom)


def rmsprop_eps_outside(
    p: Tensors,
    g: Tensors,
    s: Tensors,
    mom: Tensors,
    mean: Tensors | None,
    lr: Scalar,
    rho: Scalar,
    mu: Scalar,
    eps: Scalar,
) -> None:
    """s = ρ·s + (1-ρ)·g²; mom = mu·mom + g / (√s + eps); p -= lr·mom; centred with `mean`: s - mean² in the root."""
    follow_square(g, s, rho)
    inside: Tensors = s
    if mean is not None:
        torch_private.foreach_lerp_(mean, g, 1 - rho)
        inside = torch_private.foreach_addcmul(s, mean, mean, -1)
    below = root_plus(inside, eps)
    if mu > 0:
        torch_private.foreach_mul_(mom, mu)
        torch_private.foreach_addcdiv_(mom, g, below)
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
        torch_private.fused_adagrad_(
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
        torch_private.foreach_addcmul_(acc, g, g)
    add_quotient(p, g, root_plus(acc, eps), -lr)
    restore_on_overflow(changed, before, overflow)


def adadelta(p: Tensors, g: Tensors, acc: Tensors, upd: Tensors, lr: Scalar, rho: Scalar, eps: Scalar) -> None:
    """acc = ρ·acc + (1-ρ)·g²; d = √(upd + eps) / √(acc + eps)·g; upd = ρ·upd + (1-ρ)·d²; p -= lr·d."""
    follow_square(g, acc, rho)
    step = torch_private.foreach_add(upd, like(eps, upd))
    torch_private.foreach_div_(step, torch_private.foreach_add(acc, like(eps, acc)))
    torch_private.foreach_sqrt_(step)
    torch_private.foreach_mul_(step, g)
    follow_square(step, upd, rho)
    add(p, step, -lr)


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
        torch_private.foreach_mul_(size, like(~is_first, size))
        add_to_all(size, start * is_first)
    elif is_first:
        fill(size, start)
    torch_private.foreach_mul_(prev, g)
    torch_private.foreach_sign_(prev)
    factor = torch_private.foreach_clamp_min(prev, 0)
    torch_private.foreach_mul_(factor, etas[1] - 1)
    torch_private.foreach_clamp_max_(prev, 0)
    torch_private.foreach_add_(factor, prev, alpha=1 - etas[0])
    torch_private.foreach_add_(factor, 1)
    torch_private.foreach_mul_(size, factor)
    torch_private.foreach_clamp_min_(size, sizes[0])
    torch_private.foreach_clamp_max_(size, sizes[1])
    torch_private.foreach_add_(prev, 1)  # 0 where the sign has turned, else 1
    torch_private.foreach_mul_(prev, g)
    torch_private.foreach_copy_(factor, prev)
    torch_private.foreach_sign_(factor)
    torch_private.foreach_addcmul_(p, factor, size, -1)


def averaged_sgd(p: Tensors, g: Tensors, ax: Tensors, eta: Scalar, lambd: float, mu: Scalar) -> None:
    """p = p·(1 - lambd·eta) - eta·g; ax moves towards p by mu."""
    torch_private.foreach_mul_(p, like(1 - lambd * eta, p))
    add(p, g, -eta)
    approach(ax, p, mu)


def averaging(lr: Scalar, step: Scalar, lambd: float, alpha: float, t0: float) -> tuple[Scalar, Scalar]:
    """Return eta and mu of `averaged_sgd` for the step after `step`: lr / (1 + lambd·lr·t)^alpha and 1/max(1, t-t0)."""
    since = step - t0
    since = since.clamp(min=1.0) if isinstance(since, torch.Tensor) else max(1.0, since)
    return lr / (1 + lambd * lr * step) ** alpha, 1 / since
