"""The rules of optimizers on one weight, as their primitives take them: state, then gradient, then settings.

Each changes the weight `p` and its state in place. `g` is the gradient; settings are numbers or 0-d tensors.
"""

from typing import Any

import torch

from msbridge.core.parameter.step_scalars import Scalar
from msbridge.ops.training.optimizer_updates import descents, proximal, rules

Data = torch.Tensor


def momentum(
    p: Data, v: Data, g: Data, lr: Scalar, mu: Scalar, use_nesterov: bool, gradient_scale: float = 1.0
) -> None:
    """v = momentum·v + g; p -= lr·v, or lr·(g + momentum·v), which is Nesterov's; g is gradient_scale·gradient."""
    descents.momentum([p], [g if gradient_scale == 1.0 else g * gradient_scale], [v], lr, mu, 0.0, use_nesterov)


def scaled_momentum(p: Data, v: Data, g: Data, decay: Scalar, scale: Scalar, lr: Scalar, mu: Scalar) -> None:
    """Do what ApplyMomentum does with loss_scale·gradient + weight_decay·p for the gradient."""
    descents.momentum([p], [g * scale], [v], lr, mu, decay, False)


def keras_momentum(p: Data, v: Data, g: Data, lr: Scalar, mu: Scalar, use_nesterov: bool) -> None:
    """v = momentum·v - lr·g; p += v, or momentum·v - lr·g with Nesterov's form."""
    descents.keras_momentum([p], [g], [v], lr, mu, use_nesterov)


def descent_with_stat(
    p: Data, v: Data, stat: Data, g: Data, lr: Scalar, mu: Scalar, dampening: float, weight_decay: float, nesterov: bool
) -> None:
    """v = g where stat > 0, which becomes 0, else momentum·v + (1 - dampening)·g; p -= lr·v, or lr·(g + momentum·v).

    The second form is Nesterov's; g is gradient + weight_decay·p. Without momentum p falls by lr·g.
    """
    descents.descent_with_stat(p, g, v, stat, lr, mu, weight_decay, dampening, nesterov)


def descent(p: Data, g: Data, lr: Scalar) -> None:
    """p -= alpha·delta."""
    descents.descent([p], [g], lr, 0.0)


def proximal_descent(p: Data, g: Data, lr: Scalar, l1: Scalar, l2: Scalar) -> None:
    """p -= alpha·g; then it shrinks by alpha·l1 towards zero, and by 1 + alpha·l2."""
    proximal.proximal_descent([p], [g], lr, l1, l2)


def adam(
    p: Data,
    m: Data,
    v: Data,
    g: Data,
    power1: Scalar,
    power2: Scalar,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    epsilon: Scalar,
    use_nesterov: bool,
) -> None:
    """p -= lr·√(1 - beta2_power) / (1 - beta1_power)·m / (√v + epsilon), after m and v have moved."""
    rate = rules.corrected_rate(lr, (power1, power2))
    if use_nesterov:
        rules.adam_nesterov([p], [g], [m], [v], rate, (beta1, beta2), epsilon)
    else:
        rules.adam([p], [g], [m], [v], None, rate, (beta1, beta2), epsilon, 0.0)


def amsgrad(
    p: Data,
    m: Data,
    v: Data,
    largest: Data,
    g: Data,
    power1: Scalar,
    power2: Scalar,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    epsilon: Scalar,
) -> None:
    """Step of Adam with the largest v so far, `vhat`, in the quotient."""
    rate = rules.corrected_rate(lr, (power1, power2))
    rules.adam([p], [g], [m], [v], [largest], rate, (beta1, beta2), epsilon, 0.0)


def adam_weight_decay(
    p: Data, m: Data, v: Data, g: Data, lr: Scalar, beta1: Scalar, beta2: Scalar, eps: Scalar, decay: Scalar
) -> None:
    """Step of Adam with decoupled decay: p -= lr·(m / (√v + epsilon) + decay·p), after m and v have moved."""
    rules.adam([p], [g], [m], [v], None, lr, (beta1, beta2), eps, decay, is_decoupled=True)


def adam_weight_decay_in_float32(p: Data, m: Data, v: Data, g: Data, *settings: Scalar) -> None:
    """Do what AdamWeightDecay does in float32, for any dtypes, with gradient / global_norm."""
    *rates, norm = settings
    wide = p.float()
    adam_weight_decay(wide, m, v, g.float() / norm, *rates)  # type: ignore[call-arg]
    p.copy_(wide)


def adamax(p: Data, m: Data, v: Data, g: Data, power: Scalar, lr: Scalar, b1: Scalar, b2: Scalar, eps: Scalar) -> None:
    """v = max(beta2·v, |g|); p -= lr / (1 - beta1_power)·m / (v + epsilon), after m has moved."""
    rules.adamax([p], [g], [m], [v], lr / (1 - power), (b1, b2), eps, is_eps_kept=False)


def lamb_weight(p: Data, g: Data, size: Scalar, slope: Scalar, lr: Scalar) -> None:
    """p -= lr·w_norm / g_norm·update, with a ratio of 1 where a norm is zero."""
    ratio: Any = size / slope if isinstance(slope, torch.Tensor) or slope else 1.0
    if isinstance(ratio, torch.Tensor):
        ratio = torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, 1.0)
    elif not ratio > 0:
        ratio = 1.0
    p.sub_(g * (ratio * lr))


def adadelta(p: Data, acc: Data, upd: Data, g: Data, lr: Scalar, rho: Scalar, epsilon: Scalar) -> None:
    """p -= lr·d, d = √(accum_update + epsilon) / √(accum + epsilon)·g; both follow g² and d² by 1 - rho."""
    rules.adadelta([p], [g], [acc], [upd], lr, rho, epsilon)


def adagrad(p: Data, acc: Data, g: Data, lr: Scalar, update_slots: bool, epsilon: Scalar = 0.0) -> None:
    """accum += g², if `update_slots`; p -= lr·g / (√accum + epsilon)."""
    rules.adagrad([p], [g], [acc], lr, epsilon, update_slots=update_slots)


def adagrad_with_inner_epsilon(p: Data, acc: Data, g: Data, lr: Scalar, epsilon: Scalar, update_slots: bool) -> None:
    """accum += g², if `update_slots`; p -= lr·g / √(accum + epsilon)."""
    if update_slots:
        acc.addcmul_(g, g)
    rules.adagrad([p], [g], [acc + epsilon], lr, update_slots=False)


def dual_averaging(
    p: Data, total: Data, squares: Data, g: Data, lr: Scalar, l1: Scalar, l2: Scalar, step: Scalar
) -> None:
    """Step of Adagrad with dual averaging: p is solved for from the sums of gradients and of their squares."""
    proximal.dual_averaging([p], [g], [total], [squares], lr, l1, l2, step)


def proximal_adagrad(p: Data, acc: Data, g: Data, lr: Scalar, l1: Scalar, l2: Scalar) -> None:
    """Step of Adagrad, after which the weight shrinks by l1 and l2 times its rate."""
    proximal.proximal_adagrad([p], [g], [acc], lr, l1, l2)


def ftrl(
    p: Data,
    acc: Data,
    linear: Data,
    g: Data,
    lr: Scalar,
    l1: Scalar,
    l2: Scalar,
    lr_power: Scalar,
    l2_shrinkage: float = 0.0,
) -> None:
    """Step of FTRL: p is solved for from `accum` and `linear`, which sums up 2·l2_shrinkage·p, too."""
    proximal.ftrl([p], [g], [acc], [linear], lr, lr_power, l1, l2, l2_shrinkage)


def rmsprop(p: Data, s: Data, mom: Data, g: Data, lr: Scalar, rho: Scalar, momentum: Scalar, epsilon: Scalar) -> None:
    """moment = momentum·moment + lr·g / √(mean_square + epsilon); p -= moment."""
    rules.rmsprop([p], [g], [s], [mom], None, lr, rho, momentum, epsilon)


def centered_rmsprop(
    p: Data, mean: Data, s: Data, mom: Data, g: Data, lr: Scalar, rho: Scalar, mu: Scalar, eps: Scalar
) -> None:
    """Step of RMSProp with the variance, mean_square - mean_gradient², inside the root."""
    rules.rmsprop([p], [g], [s], [mom], [mean], lr, rho, mu, eps)


def add_sign(p: Data, m: Data, g: Data, lr: Scalar, alpha: Scalar, decay: Scalar, beta: Scalar) -> None:
    """p -= lr·(alpha + sign_decay·sign(g)·sign(m))·g, after m has followed the gradient."""
    descents.agreeing([p], [g], [m], lr, beta, lambda signs: signs * decay + alpha)


def power_sign(p: Data, m: Data, g: Data, lr: Scalar, base: Scalar, decay: Scalar, beta: Scalar) -> None:
    """p -= lr·exp(logbase·sign_decay·sign(g)·sign(m))·g, after m has followed the gradient."""
    descents.agreeing([p], [g], [m], lr, beta, lambda signs: torch.exp(signs * (base * decay)))
