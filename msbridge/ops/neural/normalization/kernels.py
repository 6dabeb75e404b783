"""Computations that the faces of normalization share."""

import torch

from msbridge.core import torch_private
from msbridge.core.context.grad_state import is_repeat
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import unary_with


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
        if is_training and torch_private.is_exporting() and _is_single(input._data):
            return wrap(_normalize_single(input._data, scale, shift, mean, variance, momentum))
        if mean is None or variance is None or (is_training and is_repeat()):
            return wrap(torch.batch_norm(input._data, scale, shift, None, None, *settings))
        return wrap(torch.batch_norm(input._data, scale, shift, mean._data, variance._data, *settings))
    except Exception as error:
        statistics = [value._data for value in (mean, variance) if isinstance(value, Tensor)]
        if len(statistics) == 2 and any(data.requires_grad for data in statistics):
            # Networks from files train all parameters; the statistics get no gradient, and torch takes none that would.
            mean, variance = (wrap(data.detach()) for data in statistics)
            return normalize_batch(input, weight, bias, mean, variance, is_training, momentum, epsilon)
        raise explain_channels(error, "BatchNorm", input, weight) from error


def _is_single(data: torch.Tensor) -> bool:
    """Whether there is one number for each channel; torch's exporter divides by one less than there are."""
    return data.dim() > 1 and all(type(size) is int for size in data.shape) and data.numel() == data.shape[1]


def _normalize_single(
    data: torch.Tensor,
    scale: torch.Tensor | None,
    shift: torch.Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    momentum: float,
) -> torch.Tensor:
    """Normalise a batch that has one number for each channel: what is left is the bias, and no variance."""
    if mean is not None and variance is not None:
        mean._data.lerp_(data.reshape(-1).to(mean._data.dtype), momentum)
        variance._data.mul_(torch.nan)
    shape = (1, -1, *[1] * (data.dim() - 2))
    rest = data - data
    rest = rest if scale is None else rest * scale.reshape(shape)
    return rest if shift is None else rest + shift.reshape(shape)


def explain_channels(error: Exception, op: str, input: Tensor, weight: Tensor | None) -> Exception:
    """Return the error of parameters that do not fit the channels, or what `explain` finds."""
    if hasattr(input, "_data") and weight is not None and hasattr(weight, "_data") and input._data.dim() > 1:
        channels, expected = input.shape[1], weight.size
        if channels != expected:
            return ValueError(
                f"For '{op}', the input has {channels} channels (axis 1), the parameters have {expected}."
            )
    return explain(error, op, input=input, weight=weight)


def normalize_layer(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, epsilon: float
) -> Tensor:
    """Normalise over trailing axes of the given shape; see `layer_norm`."""
    try:
        data, scale, shift = input._data, None if weight is None else weight._data, None if bias is None else bias._data
        if adds_in_16_bits(data):
            return wrap(_normalize_wide(data, shape, scale, shift, epsilon))
        return wrap(torch.layer_norm(data, shape, scale, shift, epsilon))
    except Exception as error:
        if "Given normalized_shape" in str(error):
            raise ValueError(f"For 'LayerNorm', the trailing axes must be {shape}, got {input.shape}.") from error
        is_floating = isinstance(input, Tensor) and input._data.is_floating_point()
        if is_floating and isinstance(weight, Tensor) and isinstance(bias, Tensor) and weight.dtype != input.dtype:
            return wrap(_normalize_wide(data, shape, scale, shift, epsilon))
        raise explain(error, "LayerNorm", input=input, weight=weight, bias=bias) from error


def adds_in_16_bits(data: torch.Tensor) -> bool:
    """Whether torch adds the gradients of a layer norm's parameters up in 16 bits: of 8192 bfloat16 rows 60 % off."""
    return data.itemsize == 2 and data.is_cpu and data.is_floating_point()


def _normalize_wide(
    data: torch.Tensor,
    shape: tuple[int, ...],
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    epsilon: float,
) -> torch.Tensor:
    """Normalise in float32, or in the parameters' dtype if it is wider; the dtype of `data` stays."""
    wide = torch.promote_types(data.dtype, torch.float32)
    if weight is not None:
        wide = torch.promote_types(wide, weight.dtype)
    weight, bias = (None if one is None else one.to(wide) for one in (weight, bias))
    return torch.layer_norm(data.to(wide), shape, weight, bias, epsilon).to(data.dtype)


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


def normalize_l2(input: Tensor, axis: int | tuple[int, ...] | list[int], epsilon: float) -> Tensor:
    """Divide by √max(Σ x², epsilon), the sum over `axis`.

    Args:
        input: any shape; floats.
        axis: an axis, or several.
        epsilon: the least sum.

    Returns:
        A Tensor of the shape and dtype of `input`.
    """
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
        raise explain_channels(error, "InstanceNorm", input, weight) from error
