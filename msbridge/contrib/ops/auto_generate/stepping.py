"""Steps of AdamW on one parameter, in place, after MindSpore's documentation of them: only an Ascend computes them."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import scalar_or_tensor

Number = Tensor | float


def adamw(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    max_v: Tensor,
    gradient: Tensor,
    step: Number,
    lr: float,
    beta1: float,
    beta2: float,
    decay: float,
    eps: float,
    amsgrad: bool = False,
    maximize: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Take a step of AdamW: `var`, `m`, `v` and, with `amsgrad`, `max_v` change in place.

    Args:
        var: the parameter.
        m: the moving mean of its gradients.
        v: the moving mean of their squares.
        max_v: the largest of those so far, without bias.
        gradient: of the parameter.
        step: the number of this step, from 1 on.
        lr: the learning rate.
        beta1: the share of the old mean.
        beta2: the share of the old mean of squares.
        decay: of the weights, times the learning rate.
        eps: added to the root.
        amsgrad: divide by the root of `max_v`.
        maximize: go up instead of down.

    Returns:
        `var`, `m` and `v`.

    Follows: mindspore.ops.auto_generate.AdamW (2.10).
    """
    count = scalar_or_tensor(step)
    powers = beta1**count, beta2**count
    return _step((var, m, v, max_v if amsgrad else None), gradient, powers, (lr, beta1, beta2, decay, eps), maximize)


def apply_adam_w(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Number,
    beta2_power: Number,
    lr: Number,
    weight_decay: Number,
    beta1: Number,
    beta2: Number,
    epsilon: Number,
    grad: Tensor,
    max_grad_norm: Tensor | None = None,
    amsgrad: bool = False,
    maximize: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Take a step of AdamW from the powers of the betas; with `amsgrad`, `max_grad_norm` holds the largest squares.

    The other arguments are those of `adamw`.

    Follows: mindspore.ops.auto_generate.ApplyAdamW (2.10).
    """
    settings = tuple(map(scalar_or_tensor, (lr, beta1, beta2, weight_decay, epsilon)))
    powers = scalar_or_tensor(beta1_power), scalar_or_tensor(beta2_power)
    return _step((var, m, v, max_grad_norm if amsgrad else None), grad, powers, settings, maximize)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _step(
    state: tuple[Tensor, Tensor, Tensor, Tensor | None],
    gradient: Tensor,
    powers: tuple[Any, Any],
    settings: tuple[Any, ...],
    maximize: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    var, m, v, largest = state
    rate, beta1, beta2, decay, eps = settings
    slope = -gradient._data if maximize else gradient._data
    var._data.mul_(1 - rate * decay)
    m._data.mul_(beta1).add_(slope * (1 - beta1))
    v._data.mul_(beta2).add_(slope * slope * (1 - beta2))
    squares = v._data
    if largest is not None:  # the largest before the bias is taken out, as torch.optim.AdamW has it
        squares = torch.maximum(largest._data, squares, out=largest._data)
    root = (squares / (1 - powers[1])).sqrt()
    var._data.sub_(rate * (m._data / (1 - powers[0])) / (root + eps))
    return var, m, v
