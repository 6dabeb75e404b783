"""Adafactor's rule, which keeps of the second moments of a matrix the means of its rows and columns.

Reference: Shazeer and Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost (2018).
"""

from typing import Any

import torch

from msbridge.core.context.grad_state import in_place
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates.kernels import scalar

__all__ = ["adafactor", "fused_ada_factor", "fused_ada_factor_with_global_norm"]

Rate = float | Tensor


def adafactor(
    p: torch.Tensor,
    g: torch.Tensor,
    m: torch.Tensor | None,
    rows: torch.Tensor,
    columns: torch.Tensor,
    squares: torch.Tensor,
    lr: Scalar,
    betas: tuple[Scalar, Scalar],
    eps: tuple[Scalar, Scalar],
    clip: Scalar,
    decay: Scalar | None,
    is_scaled: bool,
) -> None:
    """Let rows, columns or squares follow g² + eps[0], and step by lr·g / √v, with v their product or the squares.

    The step is shrunk to a root mean square of `clip`; `is_scaled` multiplies lr by that of p, or by eps[1]. `m`
    follows the step, and replaces it; `decay` shrinks p by lr·decay first. A tensor of one axis has `squares`,
    others have the rest.
    """
    weight, g = p.float(), g.float()
    rate: Any = lr * _size(weight).clamp(min=float(eps[1])) if is_scaled else lr
    size = g.square() + eps[0]
    if g.dim() >= 2:
        rows.copy_(rows * betas[1] + size.mean(-1) * (1 - betas[1]))
        columns.copy_(columns * betas[1] + size.mean(-2) * (1 - betas[1]))
        high, wide = rows.float(), columns.float()
        high = (high / high.mean(-1, keepdim=True)).rsqrt().unsqueeze(-1)
        step = high * wide.rsqrt().unsqueeze(-2) * g
    else:
        squares.copy_(squares * betas[1] + size * (1 - betas[1]))
        step = g * squares.float().rsqrt()
    step = step / (_size(step) / clip).clamp(min=1.0) * rate
    if m is not None:
        m.copy_(m * betas[0] + step * (1 - betas[0]))
        step = m.float()
    if decay is not None:
        weight = weight * (1 - rate * decay)
    p.copy_(weight - step)


def _size(x: torch.Tensor) -> torch.Tensor:
    """Return the root mean square."""
    return x.square().mean().sqrt()


def fused_ada_factor(
    epsilon: Any,
    clip_threshold: Rate,
    beta1: Rate,
    beta2: Rate,
    weight_decay: Rate,
    learning_rate: Rate,
    gradient: Tensor,
    param: Tensor,
    exp_avg: Tensor,
    exp_avg_sq_row: Tensor,
    exp_avg_sq_col: Tensor,
    exp_avg_sq: Tensor,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
) -> Tensor:
    """Step of Adafactor, which changes the weight and its state in place and returns the weight.

    Args:
        epsilon: two numbers, or a Tensor of two: added to squares, and the least size of a weight.
        clip_threshold: the largest root mean square of a step.
        beta1: decay of the first moment.
        beta2: decay of the second moments in this step.
        weight_decay: for `enable_weight_decay`.
        learning_rate: the rate.
        gradient: of the shape of `param`.
        param: the weight.
        exp_avg: the first moment, for `enable_first_moment`.
        exp_avg_sq_row: means over the last axis; not used for a weight of one axis.
        exp_avg_sq_col: means over the axis before; likewise.
        exp_avg_sq: second moments of a weight of one axis.
        enable_scale_parameter: multiply the rate by the size of the weight.
        enable_first_moment: follow the steps.
        enable_weight_decay: shrink the weight.

    Returns:
        The weight: a Tensor of the shape and dtype of `param`.

    Follows: mindspore.ops.FusedAdaFactor (2.10).
    """
    try:
        weight, grad, device = writable(param), gradient._data, param._data.device
        if grad.shape != weight.shape:
            raise ValueError(
                f"the gradient must have the shape of param, {tuple(weight.shape)}, but got {tuple(grad.shape)}."
            )
        moment = writable(exp_avg) if enable_first_moment else None
        rows, columns, squares = map(writable, (exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq))
        pair = epsilon._data.tolist() if isinstance(epsilon, Tensor) else [scalar(one, device) for one in epsilon]
        clip, first, second, decay, lr = (
            scalar(one, device) for one in (clip_threshold, beta1, beta2, weight_decay, learning_rate)
        )
        settings = lr, (first, second), (pair[0], pair[1]), clip, decay if enable_weight_decay else None
        with in_place():
            adafactor(weight, grad, moment, rows, columns, squares, *settings, enable_scale_parameter)
    except Exception as error:
        raise explain(error, "FusedAdaFactor", gradient=gradient, param=param) from error
    return wrap(weight)


def fused_ada_factor_with_global_norm(
    epsilon: Any,
    clip_threshold: Rate,
    beta1: Rate,
    beta2: Rate,
    weight_decay: Rate,
    learning_rate: Rate,
    gradient: Tensor,
    param: Tensor,
    exp_avg: Tensor,
    exp_avg_sq_row: Tensor,
    exp_avg_sq_col: Tensor,
    exp_avg_sq: Tensor,
    global_norm: Rate,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
) -> Tensor:
    """Do what FusedAdaFactor does with gradient / global_norm.

    Args:
        epsilon: two numbers, or a Tensor of two: added to squares, and the least size of a weight.
        clip_threshold: the largest root mean square of a step.
        beta1: decay of the first moment.
        beta2: decay of the second moments in this step.
        weight_decay: for `enable_weight_decay`.
        learning_rate: the rate.
        gradient: of the shape of `param`.
        param: the weight.
        exp_avg: the first moment, for `enable_first_moment`.
        exp_avg_sq_row: means over the last axis; not used for a weight of one axis.
        exp_avg_sq_col: means over the axis before; likewise.
        exp_avg_sq: second moments of a weight of one axis.
        global_norm: what the gradient is divided by.
        enable_scale_parameter: multiply the rate by the size of the weight.
        enable_first_moment: follow the steps.
        enable_weight_decay: shrink the weight.

    Returns:
        The weight: a Tensor of the shape and dtype of `param`.

    Follows: mindspore.ops.FusedAdaFactorWithGlobalNorm (2.10).
    """
    try:
        scaled = wrap(gradient._data / scalar(global_norm, gradient._data.device))
    except Exception as error:
        raise explain(error, "FusedAdaFactorWithGlobalNorm", gradient=gradient) from error
    rates = clip_threshold, beta1, beta2, weight_decay, learning_rate
    state = exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq
    switches = enable_scale_parameter, enable_first_moment, enable_weight_decay
    return fused_ada_factor(epsilon, *rates, scaled, param, *state, *switches)
