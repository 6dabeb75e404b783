"""Normalisation: over the batch, over trailing axes, over groups of channels, by a norm."""

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.recording import is_repeat
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.families import unary_with

__all__ = [
    "add_layer_norm",
    "add_rms_norm",
    "batch_norm",
    "group_norm",
    "layer_norm",
    "lrn",
    "rms_norm",
]


def batch_norm(
    input_x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor,
    bias: Tensor,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Give weight·(x - mean) / √(variance + eps) + bias, for each channel.

    Args:
        input_x: shape (N, C, ...).
        running_mean: shape (C,); used when not training, else moved in place towards the mean of the batch.
        running_var: shape (C,); likewise, towards the unbiased variance.
        weight: shape (C,).
        bias: shape (C,).
        training: whether to use the statistics of the batch.
        momentum: how far the running statistics move, in [0, 1].
        eps: keeps the divisor from 0.

    Raises:
        ValueError: a statistic has not C elements.

    Follows: mindspore.ops.batch_norm (2.10).
    """
    return normalize_batch(input_x, weight, bias, running_mean, running_var, training, momentum, eps)


def normalize_batch(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    is_training: bool,
    momentum: float,
    epsilon: float,
) -> Tensor:
    """Normalise by the statistics of the batch or the running ones; see `batch_norm`."""
    try:
        scale, shift = None if weight is None else weight._data, None if bias is None else bias._data
        settings = (is_training, momentum, epsilon, True)
        if mean is None or variance is None or (is_training and is_repeat()):
            return wrap(torch.batch_norm(input._data, scale, shift, None, None, *settings))
        return wrap(torch.batch_norm(input._data, scale, shift, mean._data, variance._data, *settings))
    except Exception as error:
        raise _explain_channels(error, "BatchNorm", input, weight) from error


def _explain_channels(error: Exception, op: str, input: Tensor, weight: Tensor | None) -> Exception:
    if hasattr(input, "_data") and weight is not None and hasattr(weight, "_data") and input._data.dim() > 1:
        channels, expected = input.shape[1], weight.size
        if channels != expected:
            return ValueError(
                f"For '{op}', the input has {channels} channels (axis 1), the parameters have {expected}."
            )
    return explain(error, op, input=input, weight=weight)


def layer_norm(
    input: Tensor,
    normalized_shape: tuple[int, ...] | list[int] | int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise over the trailing axes to mean 0 and variance 1, then scale and move.

    Args:
        input: shape (..., *normalized_shape).
        normalized_shape: the trailing axes.
        weight: shape `normalized_shape`.
        bias: shape `normalized_shape`.
        eps: keeps the divisor from 0.

    Follows: mindspore.ops.layer_norm (2.10).
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    return normalize_layer(input, shape, weight, bias, eps)


def normalize_layer(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, epsilon: float
) -> Tensor:
    """Normalise over trailing axes of the given shape; see `layer_norm`."""
    try:
        scale = None if weight is None else weight._data
        return wrap(torch.layer_norm(input._data, shape, scale, None if bias is None else bias._data, epsilon))
    except Exception as error:
        if "Given normalized_shape" in str(error):
            raise ValueError(f"For 'LayerNorm', the trailing axes must be {shape}, got {input.shape}.") from error
        raise explain(error, "LayerNorm", input=input, weight=weight, bias=bias) from error


def normalize_axes(
    data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, norm_axis: int, params_axis: int, epsilon: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Normalise over the axes from `norm_axis` on; weight and bias apply to those from `params_axis` on.

    Returns:
        The result, and mean and variance with the normalised axes kept at length 1.
    """
    axes = tuple(range(norm_axis % data.dim(), data.dim()))
    shape = data.shape[params_axis % data.dim() :]
    variance, mean = torch.var_mean(data, axes, correction=0, keepdim=True)
    result = (data - mean) * torch.rsqrt(variance + epsilon) * weight.reshape(shape) + bias.reshape(shape)
    return result, mean, variance


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalise each of `num_groups` groups of channels; `input` (N, C, ...), `weight` and `bias` (C,).

    Follows: mindspore.ops.group_norm (2.10).
    """
    try:
        scale = None if weight is None else weight._data
        return wrap(F.group_norm(input._data, num_groups, scale, None if bias is None else bias._data, eps))
    except Exception as error:
        if weight is not None:
            raise _explain_channels(error, "GroupNorm", input, weight) from error
        raise explain(error, "GroupNorm", input=input) from error


def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor]:
    """Divide by the root of the mean square over the axes of `gamma`, and scale by `gamma`.

    Returns:
        The result, and the factor 1 / root in Float32 with the normalised axes kept at length 1.

    Follows: mindspore.ops.rms_norm (2.10).
    """
    try:
        result, factor = _rms_norm(x._data, gamma._data, epsilon)
    except Exception as error:
        raise explain(error, "RmsNorm", x=x, gamma=gamma) from error
    return wrap(result), wrap(factor)


def _rms_norm(data: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> tuple[torch.Tensor, torch.Tensor]:
    axes = tuple(range(-gamma.dim(), 0))
    wide = data.float() if data.dtype in (torch.float16, torch.bfloat16) else data
    factor = torch.rsqrt(wide.square().mean(axes, keepdim=True) + epsilon)
    return (wide * factor).to(data.dtype) * gamma, factor


def add_rms_norm(x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor, Tensor]:
    """Give rms_norm(x1 + x2): (result, factor, x1 + x2).

    Follows: mindspore.ops.add_rms_norm (2.10).
    """
    total = wrap(x1._data + x2._data)
    return (*rms_norm(total, gamma, epsilon), total)


def add_layer_norm(
    x1: Tensor, x2: Tensor, gamma: Tensor, beta: Tensor, epsilon: float = 1e-5, additional_output: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Normalise x1 + x2 over the last axis: (result, mean, 1 / deviation, x1 + x2 or zeros).

    Follows: mindspore.ops.add_layer_norm (2.10).
    """
    total = x1._data + x2._data
    result, mean, variance = normalize_axes(total, gamma._data, beta._data, -1, -1, epsilon)
    kept = total if additional_output else torch.zeros_like(total)
    return wrap(result), wrap(mean), wrap(torch.rsqrt(variance + epsilon)), wrap(kept)


def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:
    """Divide by (bias + alpha·Σ x²)^beta, the sum over the channels within `depth_radius`.

    Unlike torch's, the sum is not divided by the size of the window.

    Raises:
        ValueError: another `norm_region` than "ACROSS_CHANNELS".

    Follows: mindspore.ops.lrn (2.10).
    """
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"For 'lrn', norm_region must be 'ACROSS_CHANNELS', got {norm_region!r}.")
    size = 2 * depth_radius + 1
    return unary_with(F.local_response_norm, "LRN", x, size, alpha * size, beta, bias)


def normalize_l2(input: Tensor, axis: int | tuple[int, ...] | list[int], epsilon: float) -> Tensor:
    """Divide by √max(Σ x², epsilon), the sum over `axis`."""
    axes = axis if isinstance(axis, int) else tuple(axis)
    return unary_with(_l2_normalize, "L2Normalize", input, axes, epsilon)


def _l2_normalize(data: torch.Tensor, axes: int | tuple[int, ...], epsilon: float) -> torch.Tensor:
    return data * torch.rsqrt(torch.clamp(data.square().sum(axes, keepdim=True), min=epsilon))


def normalize_instance(
    input: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, variance: Tensor, momentum: float, epsilon: float
) -> Tensor:
    """Normalise each channel of each sample; the running statistics move in place by `momentum`."""
    try:
        statistics = (mean._data, variance._data, weight._data, bias._data)
        return wrap(
            torch.instance_norm(
                input._data, statistics[2], statistics[3], *statistics[:2], True, momentum, epsilon, True
            )
        )
    except Exception as error:
        raise _explain_channels(error, "InstanceNorm", input, weight) from error
