"""Steps of optimizers that scale a weight's gradient by sums of past ones, or by its sign.

They are as in `dense`: each changes a weight and its state in place, and returns them.
"""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates import descents, proximal, rules
from msbridge.ops.training.optimizer_updates.kernels import scalar, update

Rate = float | Tensor
Pair = tuple[Tensor, Tensor]
Triple = tuple[Tensor, Tensor, Tensor]


def apply_adadelta(
    var: Tensor, accum: Tensor, accum_update: Tensor, lr: Rate, rho: Rate, epsilon: Rate, grad: Tensor
) -> Triple:
    """var -= lr·d, d = √(accum_update + epsilon) / √(accum + epsilon)·grad; both follow grad² and d² by 1 - rho.

    Follows: mindspore.ops.ApplyAdadelta (2.10).
    """

    def rule(p, acc, upd, g, lr, rho, eps):  # type: ignore[no-untyped-def]
        rules.adadelta([p], [g], [acc], [upd], lr, rho, eps)

    held = {"var": var, "accum": accum, "accum_update": accum_update}
    return update("ApplyAdadelta", rule, held, grad, lr, rho, epsilon)  # type: ignore[return-value]


def apply_adagrad(var: Tensor, accum: Tensor, lr: Rate, grad: Tensor, update_slots: bool = True) -> Pair:
    """accum += grad², if `update_slots`; var -= lr·grad / √accum.

    Follows: mindspore.ops.ApplyAdagrad (2.10) as documented; its CPU kernel ignores `update_slots`.
    """

    def rule(p, acc, g, lr):  # type: ignore[no-untyped-def]
        rules.adagrad([p], [g], [acc], lr, update_slots=update_slots)

    return update("ApplyAdagrad", rule, {"var": var, "accum": accum}, grad, lr)  # type: ignore[return-value]


def apply_adagrad_v2(
    var: Tensor, accum: Tensor, lr: Rate, grad: Tensor, epsilon: float, update_slots: bool = True
) -> Pair:
    """accum += grad², if `update_slots`; var -= lr·grad / (√accum + epsilon).

    Follows: mindspore.ops.ApplyAdagradV2 (2.10).
    """

    def rule(p, acc, g, lr):  # type: ignore[no-untyped-def]
        rules.adagrad([p], [g], [acc], lr, epsilon, update_slots=update_slots)

    return update("ApplyAdagradV2", rule, {"var": var, "accum": accum}, grad, lr)  # type: ignore[return-value]


def apply_adagrad_da(
    var: Tensor,
    gradient_accumulator: Tensor,
    gradient_squared_accumulator: Tensor,
    grad: Tensor,
    lr: Rate,
    l1: Rate,
    l2: Rate,
    global_step: int | Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Step of Adagrad with dual averaging: the weight is solved for from the sums of gradients and of their squares.

    Follows: mindspore.ops.ApplyAdagradDA (2.10).
    """

    def rule(p, total, squares, g, lr, l1, l2, step):  # type: ignore[no-untyped-def]
        proximal.dual_averaging([p], [g], [total], [squares], lr, l1, l2, step)

    held = {
        "var": var,
        "gradient_accumulator": gradient_accumulator,
        "gradient_squared_accumulator": gradient_squared_accumulator,
    }
    return update("ApplyAdagradDA", rule, held, grad, lr, l1, l2, global_step)[0]


def apply_proximal_adagrad(
    var: Tensor, accum: Tensor, lr: Rate, l1: Rate, l2: Rate, grad: Tensor, use_locking: bool = False
) -> Pair:
    """Step of Adagrad, after which the weight shrinks by l1 and l2 times its rate.

    Follows: mindspore.ops.ApplyProximalAdagrad (2.10).
    """

    def rule(p, acc, g, lr, l1, l2):  # type: ignore[no-untyped-def]
        proximal.proximal_adagrad([p], [g], [acc], lr, l1, l2)

    held = {"var": var, "accum": accum}
    return update("ApplyProximalAdagrad", rule, held, grad, lr, l1, l2)  # type: ignore[return-value]


def apply_ftrl(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    lr: Rate,
    l1: Rate,
    l2: Rate,
    lr_power: Rate,
    use_locking: bool = False,
) -> Tensor:
    """Step of FTRL: the weight is solved for from `accum` and `linear`.

    Follows: mindspore.ops.ApplyFtrl (2.10).
    """

    def rule(p, acc, linear, g, lr, l1, l2, power):  # type: ignore[no-untyped-def]
        proximal.ftrl([p], [g], [acc], [linear], lr, power, l1, l2)

    held = {"var": var, "accum": accum, "linear": linear}
    return update("ApplyFtrl", rule, held, grad, lr, l1, l2, lr_power)[0]


def apply_rms_prop(
    var: Tensor,
    mean_square: Tensor,
    moment: Tensor,
    learning_rate: Rate,
    grad: Tensor,
    decay: Rate,
    momentum: Rate,
    epsilon: Rate,
    use_locking: bool = False,
) -> Tensor:
    """moment = momentum·moment + lr·grad / √(mean_square + epsilon); var -= moment.

    Follows: mindspore.ops.ApplyRMSProp (2.10).
    """

    def rule(p, s, mom, g, lr, rho, mu, eps):  # type: ignore[no-untyped-def]
        rules.rmsprop([p], [g], [s], [mom], None, lr, rho, mu, eps)

    held = {"var": var, "mean_square": mean_square, "moment": moment}
    return update("ApplyRMSProp", rule, held, grad, learning_rate, decay, momentum, epsilon)[0]


def apply_centered_rms_prop(
    var: Tensor,
    mean_gradient: Tensor,
    mean_square: Tensor,
    moment: Tensor,
    grad: Tensor,
    learning_rate: Rate,
    decay: Rate,
    momentum: Rate,
    epsilon: Rate,
    use_locking: bool = False,
) -> Tensor:
    """Step of RMSProp with the variance, mean_square - mean_gradient², inside the root.

    Follows: mindspore.ops.ApplyCenteredRMSProp (2.10).
    """

    def rule(p, mean, s, mom, g, lr, rho, mu, eps):  # type: ignore[no-untyped-def]
        rules.rmsprop([p], [g], [s], [mom], [mean], lr, rho, mu, eps)

    held = {"var": var, "mean_gradient": mean_gradient, "mean_square": mean_square, "moment": moment}
    return update("ApplyCenteredRMSProp", rule, held, grad, learning_rate, decay, momentum, epsilon)[0]


def apply_add_sign(var: Tensor, m: Tensor, lr: Rate, alpha: Rate, sign_decay: Rate, beta: Rate, grad: Tensor) -> Pair:
    """var -= lr·(alpha + sign_decay·sign(grad)·sign(m))·grad, after m has followed the gradient.

    Follows: mindspore.ops.ApplyAddSign (2.10).
    """

    def rule(p, m, g, lr, alpha, decay, beta):  # type: ignore[no-untyped-def]
        descents.agreeing([p], [g], [m], lr, beta, lambda signs: signs * decay + alpha)

    return update("ApplyAddSign", rule, {"var": var, "m": m}, grad, lr, alpha, sign_decay, beta)  # type: ignore[return-value]


def apply_power_sign(
    var: Tensor, m: Tensor, lr: Rate, logbase: Rate, sign_decay: Rate, beta: Rate, grad: Tensor
) -> Pair:
    """var -= lr·exp(logbase·sign_decay·sign(grad)·sign(m))·grad, after m has followed the gradient.

    Follows: mindspore.ops.ApplyPowerSign (2.10).
    """

    def rule(p, m, g, lr, base, decay, beta):  # type: ignore[no-untyped-def]
        descents.agreeing([p], [g], [m], lr, beta, lambda signs: torch.exp(signs * (base * decay)))

    held = {"var": var, "m": m}
    return update("ApplyPowerSign", rule, held, grad, lr, logbase, sign_decay, beta)  # type: ignore[return-value]


def lars_update(
    weight: Tensor,
    gradient: Tensor,
    norm_weight: Rate,
    norm_gradient: Rate,
    weight_decay: Rate,
    learning_rate: Rate,
    epsilon: float = 1e-5,
    hyperpara: float = 0.001,
    use_clip: bool = False,
) -> Tensor:
    """Return λ·(gradient + weight_decay·weight), where λ relates the norm of the weight to that of the gradient.

    `norm_weight` and `norm_gradient` are sums of squares. λ = hyperpara·|w| / (|g| + weight_decay·|w| + epsilon), and
    with `use_clip` min(λ / learning_rate, 1).

    Follows: mindspore.ops.LARSUpdate (2.10), a kernel of the Ascend; judged by mindspore.nn.LARS's formula.
    """
    try:
        p, g = [weight._data], [gradient._data]
        rates = [scalar(value, p[0].device) for value in (norm_weight, norm_gradient, weight_decay, learning_rate)]
        size, slope = (torch.as_tensor(value, device=p[0].device).sqrt().reshape(1) for value in rates[:2])
        lr = rates[3] if use_clip else None
        return wrap(rules.lars_of_norms(p, g, size, slope, rates[2], hyperpara, epsilon, lr)[0])
    except Exception as error:
        raise explain(error, "LARSUpdate", weight=weight, gradient=gradient) from error
