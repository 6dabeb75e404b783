"""Steps of LAMB and LARS, which scale the step of a whole weight."""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates import rules
from msbridge.ops.training.optimizer_updates.kernels import Rate, scalar, update


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
) -> tuple[Tensor, Tensor, Tensor]:
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

    Args:
        weight: any shape; floats.
        gradient: of the shape of `weight`.
        norm_weight: the sum of the squares of the weight.
        norm_gradient: that of the gradient.
        weight_decay: how much of the weight is added to the gradient.
        learning_rate: of the step, for `use_clip`.
        epsilon: keeps the divisor from 0.
        hyperpara: how far the rate follows the norms.
        use_clip: bound λ.

    Returns:
        A Tensor of the shape and dtype of `weight`.

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
