"""Steps of optimizers on whole weights: each changes a weight and its state in place, and returns them.

What is called a rate is a number, or a Tensor or Parameter of one element. `use_locking` changes nothing: no two
updates of a weight run beside each other here.
"""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates import descents, proximal, rules
from msbridge.ops.training.optimizer_updates.kernels import compute_update, update

Rate = float | Tensor
Pair = tuple[Tensor, Tensor]
Triple = tuple[Tensor, Tensor, Tensor]
Four = tuple[Tensor, Tensor, Tensor, Tensor]


def apply_momentum(
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Rate,
    gradient: Tensor,
    momentum: Rate,
    use_nesterov: bool = False,
    use_locking: bool = False,
    gradient_scale: float = 1.0,
) -> Tensor:
    """accumulation = momentum·accumulation + g; variable -= lr·accumulation, or lr·(g + momentum·accumulation).

    The second form is Nesterov's; g is `gradient` times `gradient_scale`.

    Follows: mindspore.ops.ApplyMomentum (2.10) as documented; its CPU kernel ignores `use_nesterov` and
    `gradient_scale`.
    """

    def rule(p, v, g, lr, mu):  # type: ignore[no-untyped-def]
        g = g if gradient_scale == 1.0 else g * gradient_scale
        descents.momentum([p], [g], [v], lr, mu, 0.0, use_nesterov)

    held = {"variable": variable, "accumulation": accumulation}
    return update("ApplyMomentum", rule, held, gradient, learning_rate, momentum)[0]


def fused_weight_scale_apply_momentum(
    weight_decay: Rate,
    loss_scale: Rate,
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Rate,
    gradient: Tensor,
    momentum: Rate,
) -> Tensor:
    """Do what ApplyMomentum does with loss_scale·gradient + weight_decay·variable for the gradient.

    Follows: mindspore.ops.FusedWeightScaleApplyMomentum (2.10), a kernel for GPUs; judged by the formula.
    """

    def rule(p, v, g, lr, mu, decay, scale):  # type: ignore[no-untyped-def]
        descents.momentum([p], [g * scale], [v], lr, mu, decay, False)

    held = {"variable": variable, "accumulation": accumulation}
    settings = learning_rate, momentum, weight_decay, loss_scale
    return update("FusedWeightScaleApplyMomentum", rule, held, gradient, *settings)[0]


def apply_keras_momentum(
    var: Tensor,
    accum: Tensor,
    lr: Rate,
    grad: Tensor,
    momentum: Rate,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Pair:
    """accum = momentum·accum - lr·grad; var += accum, or momentum·accum - lr·grad with Nesterov's form.

    Follows: mindspore.ops.ApplyKerasMomentum (2.10), a kernel of the Ascend; judged by the formula.
    """

    def rule(p, v, g, lr, mu):  # type: ignore[no-untyped-def]
        descents.keras_momentum([p], [g], [v], lr, mu, use_nesterov)

    return update("ApplyKerasMomentum", rule, {"var": var, "accum": accum}, grad, lr, momentum)  # type: ignore[return-value]


def sgd(
    parameters: Tensor,
    gradient: Tensor,
    learning_rate: Rate,
    accum: Tensor,
    momentum: Rate,
    stat: Tensor,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
) -> Tensor:
    """Step of gradient descent: accum = g where stat > 0, which becomes 0, else momentum·accum + (1 - dampening)·g.

    Then parameters -= lr·accum, with g = gradient + weight_decay·parameters. Without momentum they fall by lr·g.

    Follows: mindspore.ops.SGD (2.10).
    """

    def rule(p, v, stat, g, lr, mu):  # type: ignore[no-untyped-def]
        descents.descent_with_stat(p, g, v, stat, lr, mu, weight_decay, dampening, nesterov)

    held = {"parameters": parameters, "accum": accum, "stat": stat}
    return update("SGD", rule, held, gradient, learning_rate, momentum)[0]


def apply_gradient_descent(var: Tensor, alpha: Rate, delta: Tensor) -> Tensor:
    """var -= alpha·delta.

    Follows: mindspore.ops.ApplyGradientDescent (2.10).
    """

    def rule(p, g, lr):  # type: ignore[no-untyped-def]
        descents.descent([p], [g], lr, 0.0)

    return update("ApplyGradientDescent", rule, {"var": var}, delta, alpha)[0]


def apply_proximal_gradient_descent(var: Tensor, alpha: Rate, l1: Rate, l2: Rate, delta: Tensor) -> Tensor:
    """var -= alpha·delta; then it shrinks by alpha·l1 towards zero, and by 1 + alpha·l2.

    Follows: mindspore.ops.ApplyProximalGradientDescent (2.10).
    """

    def rule(p, g, lr, l1, l2):  # type: ignore[no-untyped-def]
        proximal.proximal_descent([p], [g], lr, l1, l2)

    return update("ApplyProximalGradientDescent", rule, {"var": var}, delta, alpha, l1, l2)[0]


def adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    gradient: Tensor,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Triple:
    """Step of Adam: var -= lr·√(1 - beta2_power) / (1 - beta1_power)·m / (√v + epsilon), after m and v have moved.

    Follows: mindspore.ops.Adam (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    return update("Adam", rules.adam_of_powers(use_nesterov), {"var": var, "m": m, "v": v}, gradient, *settings)  # type: ignore[return-value]


def adam_no_update_param(
    m: Tensor,
    v: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    gradient: Tensor,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Tensor:
    """Return what a step of Adam adds to a weight; m and v change.

    Follows: mindspore.ops.AdamNoUpdateParam (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    rule = rules.adam_of_powers(use_nesterov)
    return compute_update("AdamNoUpdateParam", rule, {"m": m, "v": v}, gradient, *settings)


def apply_adam_with_amsgrad(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    vhat: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    grad: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    use_locking: bool = False,
) -> Four:
    """Step of Adam with the largest v so far, `vhat`, in the quotient.

    Follows: mindspore.ops.ApplyAdamWithAmsgrad (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    return _with_amsgrad("ApplyAdamWithAmsgrad", var, m, v, vhat, grad, *settings)


def apply_adam_with_amsgrad_v2(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    vhat: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    grad: Tensor,
    use_locking: bool = False,
) -> Four:
    """Step of Adam with the largest v so far, `vhat`, in the quotient.

    Follows: mindspore.ops.ApplyAdamWithAmsgradV2 (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    return _with_amsgrad("ApplyAdamWithAmsgradV2", var, m, v, vhat, grad, *settings)


def _with_amsgrad(op: str, var: Tensor, m: Tensor, v: Tensor, vhat: Tensor, grad: Tensor, *settings: Rate) -> Four:
    def rule(p, m, v, v_max, g, power1, power2, lr, beta1, beta2, eps):  # type: ignore[no-untyped-def]
        rate = rules.corrected_rate(lr, (power1, power2))
        rules.adam([p], [g], [m], [v], [v_max], rate, (beta1, beta2), eps, 0.0)

    held = {"var": var, "m": m, "v": v, "vhat": vhat}
    return update(op, rule, held, grad, *settings)  # type: ignore[return-value]


def adam_weight_decay(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    decay: Rate,
    gradient: Tensor,
    use_locking: bool = False,
) -> Triple:
    """Step of Adam with decoupled decay: var -= lr·(m / (√v + epsilon) + decay·var), after m and v have moved.

    Follows: mindspore.ops.AdamWeightDecay (2.10).
    """
    settings = lr, beta1, beta2, epsilon, decay
    return update("AdamWeightDecay", _decoupled, {"var": var, "m": m, "v": v}, gradient, *settings)  # type: ignore[return-value]


def fused_cast_adam_weight_decay(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    decay: Rate,
    gradient: Tensor,
    global_norm: Rate,
    use_locking: bool = False,
) -> Triple:
    """Do what AdamWeightDecay does in float32, whatever the dtypes of weight and gradient.

    The gradient is divided by `global_norm`.

    Follows: mindspore.ops.FusedCastAdamWeightDecay (2.10).
    """

    def rule(p, m, v, g, lr, beta1, beta2, eps, decay, norm):  # type: ignore[no-untyped-def]
        wide = p.float()
        _decoupled(wide, m, v, g.float() / norm, lr, beta1, beta2, eps, decay)
        p.copy_(wide)

    settings = lr, beta1, beta2, epsilon, decay, global_norm
    held = {"var": var, "m": m, "v": v}
    return update("FusedCastAdamWeightDecay", rule, held, gradient, *settings)  # type: ignore[return-value]


def _decoupled(p, m, v, g, lr, beta1, beta2, eps, decay):  # type: ignore[no-untyped-def]
    rules.adam([p], [g], [m], [v], None, lr, (beta1, beta2), eps, decay, is_decoupled=True)


def apply_ada_max(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    grad: Tensor,
) -> Triple:
    """v = max(beta2·v, |grad|); var -= lr / (1 - beta1_power)·m / (v + epsilon), after m has moved.

    Follows: mindspore.ops.ApplyAdaMax (2.10).
    """

    def rule(p, m, v, g, power, lr, beta1, beta2, eps):  # type: ignore[no-untyped-def]
        rules.adamax([p], [g], [m], [v], lr / (1 - power), (beta1, beta2), eps, is_eps_kept=False)

    settings = beta1_power, lr, beta1, beta2, epsilon
    return update("ApplyAdaMax", rule, {"var": var, "m": m, "v": v}, grad, *settings)  # type: ignore[return-value]


def lamb_apply_optimizer_assign(
    gradient: Tensor,
    v: Tensor,
    m: Tensor,
    var: Tensor,
    beta1: Rate,
    sub1: Rate,
    beta2: Rate,
    sub2: Rate,
    epsilon: Rate,
    steps: Rate,
    decay_flag: Rate,
    weight_decay: Rate,
) -> Triple:
    """Return the direction of a step of LAMB, m̂ / (√v̂ + epsilon) + decay_flag·weight_decay·var, and v and m.

    v and m move as Adam's do, with sub1 = 1 - beta1 and sub2 = 1 - beta2 for the shares of the gradient.

    Follows: mindspore.ops.LambApplyOptimizerAssign (2.10), a kernel of the Ascend; judged by the formula.
    """
    direction: list[torch.Tensor] = []

    def rule(p, v, m, g, beta1, sub1, beta2, sub2, eps, steps, flag, decay):  # type: ignore[no-untyped-def]
        m.mul_(beta1).add_(g * sub1)
        v.mul_(beta2).add_(g * g * sub2)
        root = (v / (1 - beta2**steps)).sqrt_()
        direction.append(m / (1 - beta1**steps) / (root + eps) + p * (flag * decay))

    settings = beta1, sub1, beta2, sub2, epsilon, steps, decay_flag, weight_decay
    held = {"var": var, "v": v, "m": m}
    _, v, m = update("LambApplyOptimizerAssign", rule, held, gradient, *settings)
    return wrap(direction[0]), v, m


def lamb_apply_weight_assign(w_norm: Rate, g_norm: Rate, lr: Rate, update: Tensor, var: Tensor) -> Tensor:
    """var -= lr·w_norm / g_norm·update, with a ratio of 1 where a norm is zero.

    Follows: mindspore.ops.LambApplyWeightAssign (2.10), a kernel of the Ascend; judged by the formula.
    """

    def rule(p, g, size, slope, lr):  # type: ignore[no-untyped-def]
        ratio: Any = size / slope if isinstance(slope, torch.Tensor) or slope else 1.0
        if isinstance(ratio, torch.Tensor):
            ratio = torch.where(torch.isfinite(ratio) & (ratio > 0), ratio, 1.0)
        elif not ratio > 0:
            ratio = 1.0
        p.sub_(g * (ratio * lr))

    return _update("LambApplyWeightAssign", rule, {"var": var}, update, w_norm, g_norm, lr)[0]


_update = update  # an argument above has the name
