"""Quantisation whose range is learned by its gradients or taken from the weights; sums of such gradients.

Follows: mindspore.ops.operations._quant_ops.ActsULQ, WtsARQ and relatives (2.10), kernels of Ascend.
"""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.primitive.primitive import REQUIRED, derive
from msbridge.ops.training.quantization.folding import sum_channels

STEPS = 255
FIRST, LAST = -128, 127


def _quantize_activation(
    x: Tensor, clamp_min: Tensor, clamp_max: Tensor, fixed_min: bool = False, num_bits: int = 8
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return `x` rounded to 255 steps of its range, which of it is within each end, and the rounding's part of a step.

    The ends are moved until 0 is a step.
    """
    try:
        data = x._data
        low = torch.zeros_like(clamp_min._data) if fixed_min else clamp_min._data.clamp(max=0)
        scale = (clamp_max._data.clamp(min=0) - low) / STEPS
        first = torch.round(low / scale)
        low, high = first * scale, (first + STEPS) * scale
        steps = torch.minimum(torch.maximum(data, low), high) / scale
        rounded = torch.round(steps)
        return wrap(rounded * scale), wrap(data >= low), wrap(data <= high), wrap((rounded - steps) / STEPS)
    except Exception as error:
        raise explain(error, "ActsULQ", x=x, clamp_min=clamp_min, clamp_max=clamp_max) from error


def _input_grad(y_grad: Tensor, clamp_min_mask: Tensor, clamp_max_mask: Tensor) -> Tensor:
    """Return the gradient where both masks hold."""
    try:
        return wrap(y_grad._data * (clamp_min_mask._data.bool() & clamp_max_mask._data.bool()))
    except Exception as error:
        raise explain(error, "ActsULQInputGrad", y_grad=y_grad, clamp_min_mask=clamp_min_mask) from error


def _end_grad(y_grad: Tensor, mask: Tensor, x_clamped_loss: Tensor, sign: int) -> Tensor:
    try:
        beyond = (~mask._data.bool()).to(y_grad._data.dtype)
        total = (y_grad._data * (beyond + sign * x_clamped_loss._data)).sum()
        return wrap(total.reshape([1] * y_grad._data.dim()))
    except Exception as error:
        raise explain(error, "ActULQClampGrad", y_grad=y_grad, mask=mask, x_clamped_loss=x_clamped_loss) from error


def _min_grad(y_grad: Tensor, clamp_min_mask: Tensor, x_clamped_loss: Tensor) -> Tensor:
    """Return the gradient of the lower end of the range."""
    return _end_grad(y_grad, clamp_min_mask, x_clamped_loss, -1)


def _max_grad(y_grad: Tensor, clamp_max_mask: Tensor, x_clamped_loss: Tensor) -> Tensor:
    """Return the gradient of the upper end of the range."""
    return _end_grad(y_grad, clamp_max_mask, x_clamped_loss, 1)


def _quantize_weights(w: Tensor, w_min: Tensor, w_max: Tensor, num_bits: int, offset_flag: bool) -> Tensor:
    """Return weights rounded to the steps of int8; with `offset_flag` 0 need not be in the middle."""
    try:
        low, high = w_min._data.clamp(max=0), w_max._data.clamp(min=0)
        scale = (high - low) / STEPS if offset_flag else torch.maximum(high / LAST, low / FIRST)
        scale = torch.where(scale == 0, torch.ones_like(scale), scale)
        offset = FIRST - torch.round(low / scale) if offset_flag else torch.zeros_like(scale)
        return wrap(((torch.round(w._data / scale) + offset).clamp(FIRST, LAST) - offset) * scale)
    except Exception as error:
        raise explain(error, "WtsARQ", w=w, w_min=w_min, w_max=w_max) from error


def _scale_grads(
    dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor, axis: int | None, neg_trunc: bool
) -> tuple[Tensor, Tensor]:
    try:
        scale = alpha._data
        if axis is not None:
            scale = scale.reshape([-1 if place == axis else 1 for place in range(x._data.dim())])
        low = 0 if neg_trunc else -1
        part = x._data / scale
        cut = part.clamp(low, 1)
        rounded = (cut * quant_max._data + 0.5).floor() / quant_max._data
        inside = (part >= low) & (part <= 1)
        return wrap(dout._data * inside), wrap(dout._data * (rounded - part * inside))
    except Exception as error:
        raise explain(error, "FakeLearnedScaleQuantGrad", dout=dout, x=x, alpha=alpha) from error


def _layer_grads(
    dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor, neg_trunc: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the gradients of `x` and, element by element, of the learned scale."""
    return _scale_grads(dout, x, alpha, quant_max, None, neg_trunc)


def _channel_grads(
    dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor, neg_trunc: bool = False, channel_axis: int = 1
) -> tuple[Tensor, Tensor]:
    """Return the gradients of `x` and, element by element, of the channels' learned scales."""
    return _scale_grads(dout, x, alpha, quant_max, channel_axis, neg_trunc)


def _sum_all(dout_alpha: Tensor) -> Tensor:
    """Return the sum of all elements, of shape (1,)."""
    return wrap(dout_alpha._data.sum().reshape(1))


DERIVED = (
    derive("ActsULQ", _quantize_activation, "fixed_min num_bits"),
    derive("ActsULQInputGrad", _input_grad),
    derive("ActULQClampMinGrad", _min_grad),
    derive("ActULQClampMaxGrad", _max_grad),
    derive("WtsARQ", _quantize_weights, "num_bits offset_flag", num_bits=REQUIRED, offset_flag=REQUIRED),
    derive("FakeLearnedScaleQuantPerLayerGradD", _layer_grads, "neg_trunc"),
    derive("FakeLearnedScaleQuantPerLayerGradDReduce", _sum_all),
    derive("FakeLearnedScaleQuantPerChannelGradD", _channel_grads, "neg_trunc channel_axis"),
    derive("FakeLearnedScaleQuantPerChannelGradDReduce", sum_channels, "channel_axis", channel_axis=1),
)
