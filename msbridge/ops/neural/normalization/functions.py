"""Normalisation: over the batch, over trailing axes, over groups of channels, by a norm."""

import torch
from torch.nn import functional as F

from msbridge.core.errors.explain import explain, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import unary_with
from msbridge.ops.kernel_calls.half_precision import in_float32
from msbridge.ops.neural.normalization.kernels import explain_channels, normalize_axes, normalize_batch, normalize_layer


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
    """Return weight·(x - mean) / √(variance + eps) + bias, for each channel.

    Args:
        input_x: shape (N, C, ...).
        running_mean: shape (C,); used when not training, else moved in place towards the mean of the batch.
        running_var: shape (C,); likewise, towards the unbiased variance.
        weight: shape (C,).
        bias: shape (C,).
        training: whether to use the statistics of the batch.
        momentum: how far the running statistics move, in [0, 1].
        eps: keeps the divisor from 0.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Raises:
        ValueError: a statistic has not C elements.

    Follows: mindspore.ops.batch_norm (2.10).
    """
    return normalize_batch(input_x, weight, bias, running_mean, running_var, training, momentum, eps)


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

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.layer_norm (2.10).
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    return normalize_layer(input, shape, weight, bias, eps)


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalise each of `num_groups` groups of channels; `input` (N, C, ...), `weight` and `bias` (C,).

    Args:
        input: shape (N, C, ...); floats.
        num_groups: a divisor of C.
        weight: shape (C,); None for ones.
        bias: shape (C,); None for zeros.
        eps: keeps the divisor from 0.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.group_norm (2.10).
    """
    try:  # not torch's function: it refuses groups of one number
        scale = None if weight is None else weight._data
        return wrap(torch.group_norm(input._data, num_groups, scale, None if bias is None else bias._data, eps))
    except Exception as error:
        if weight is not None:
            raise explain_channels(error, "GroupNorm", input, weight) from error
        raise explain(error, "GroupNorm", input=input) from error


def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor]:
    """Divide by the root of the mean square over the axes of `gamma`, and scale by `gamma`.

    Args:
        x: shape (..., *gamma.shape); floats.
        gamma: of the shape of the normalised axes.
        epsilon: keeps the divisor from 0.

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
    return ((wide * factor).to(data.dtype) * gamma).to(data.dtype), factor


@explaining
def add_rms_norm(x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor, Tensor]:
    """Return rms_norm(x1 + x2): (result, factor, x1 + x2).

    Args:
        x1: shape (..., *gamma.shape); floats.
        x2: of the same shape and dtype.
        gamma: of the shape of the normalised axes.
        epsilon: keeps the divisor from 0.

    Returns:
        The result and the sum, of the shape and dtype of `x1`; the factor between them is Float32.

    Follows: mindspore.ops.add_rms_norm (2.10).
    """
    total = wrap(x1._data + x2._data)
    return (*rms_norm(total, gamma, epsilon), total)


@explaining
def add_layer_norm(
    x1: Tensor, x2: Tensor, gamma: Tensor, beta: Tensor, epsilon: float = 1e-5, additional_output: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Normalise x1 + x2 over the last axis: (result, mean, 1 / deviation, x1 + x2 or zeros).

    Args:
        x1: shape (..., D); floats.
        x2: of the same shape and dtype.
        gamma: shape (D,).
        beta: shape (D,).
        epsilon: keeps the divisor from 0.
        additional_output: whether the sum is returned, else zeros.

    Returns:
        Four Tensors; the first and the last are of the shape and dtype of `x1`, the others of length 1 along the last
        axis.

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

    Args:
        x: shape (N, C, H, W); Float16 or Float32.
        depth_radius: how many channels on either side.
        bias: keeps the divisor from 0.
        alpha: the factor of the sum.
        beta: the exponent.
        norm_region: "ACROSS_CHANNELS".

    Returns:
        A Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: another `norm_region` than "ACROSS_CHANNELS".

    Follows: mindspore.ops.lrn (2.10).
    """
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"For 'lrn', norm_region must be 'ACROSS_CHANNELS', got {norm_region!r}.")
    size = 2 * depth_radius + 1
    return unary_with(in_float32(F.local_response_norm), "LRN", x, size, alpha * size, beta, bias)
