"""Primitives of normalisation."""

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.channels_last import in_format
from msbridge.ops.neural.normalization import functions, kernels
from msbridge.ops.primitive.primitive import derive


def _batch_norm(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalise over the batch.

    Args:
        input_x: shape (N, C, ...), or (N, ..., C) with "NHWC"; floats.
        scale: shape (C,).
        bias: shape (C,).
        mean: shape (C,); used when not training, else moved in place towards the mean of the batch.
        variance: shape (C,); likewise.
        is_training: whether to use the statistics of the batch.
        epsilon: keeps the divisor from 0.
        momentum: how far the running statistics move, in [0, 1].
        data_format: "NCHW" or "NHWC".

    Returns:
        The result; the mean and the variance of the batch (the given ones when not training), each twice.
    """
    if is_training:
        rank = input_x._data.dim()
        channels = rank - 1 if data_format == "NHWC" else 1
        axes = tuple(axis for axis in range(rank) if axis != channels)
        spread, center = torch.var_mean(input_x._data.detach(), axes, correction=0)
    else:
        spread, center = variance._data.detach(), mean._data.detach()
    parameters = (scale, bias, mean, variance)
    normalize = in_format(data_format, kernels.normalize_batch)
    result = normalize(input_x, *parameters, is_training, momentum, epsilon)
    return result, wrap(center), wrap(spread), wrap(center), wrap(spread)


def _layer_norm(
    input_x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalise over the axes from `begin_norm_axis` on: (result, mean, variance).

    Args:
        input_x: any shape; floats.
        gamma: of the shape of the axes from `begin_params_axis` on.
        beta: likewise.
        begin_norm_axis: the first axis that is normalised.
        begin_params_axis: the first axis that is scaled and moved.
        epsilon: keeps the divisor from 0.

    Returns:
        Three Tensors: of the shape and dtype of `input_x`, and two with the normalised axes of length 1.
    """
    try:
        parts = (input_x._data, gamma._data, beta._data)
        result, mean, variance = kernels.normalize_axes(*parts, begin_norm_axis, begin_params_axis, epsilon)
        return wrap(result), wrap(mean), wrap(variance)
    except Exception as error:
        raise explain(error, "LayerNorm", input=input_x, gamma=gamma, beta=beta) from error


def _instance_norm(
    input_x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalise each channel of each sample: (result, means, variances)."""
    axes = tuple(range(2, input_x._data.dim()))
    found, center = torch.var_mean(input_x._data.detach(), axes, correction=0)
    result = kernels.normalize_instance(input_x, gamma, beta, mean, variance, momentum, epsilon)
    return result, wrap(center), wrap(found)


DERIVED = (
    derive("BatchNorm", _batch_norm, "is_training epsilon momentum data_format"),
    derive("InstanceNorm", _instance_norm, "epsilon momentum"),
    derive("L2Normalize", kernels.normalize_l2, "axis epsilon", axis=0, epsilon=0.0001),
    derive("LRN", functions.lrn, "depth_radius bias alpha beta norm_region"),
    derive("LayerNorm", _layer_norm, "begin_norm_axis begin_params_axis epsilon"),
    derive("RmsNorm", functions.rms_norm, "epsilon"),
)
