"""Gradients of normalisation, of its parts, and gradients of these gradients.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.kernel_calls.vector_jacobian import backward
from msbridge.ops.primitive.primitive import derive


def _channels(data: torch.Tensor, data_format: str = "NCHW") -> tuple[list[int], list[int]]:
    """Return the axes to add up over, and the shape of a value for each channel."""
    axis = data.dim() - 1 if data_format == "NHWC" else 1
    axes = [place for place in range(data.dim()) if place != axis]
    return axes, [-1 if place == axis else 1 for place in range(data.dim())]


def _statistics_like(data: torch.Tensor, axes: Sequence[int], given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return differences that are 0 and have the gradients of mean and variance, in the shape of `given`."""
    spread, middle = torch.var_mean(data, tuple(axes), correction=0)
    middle, spread = middle.reshape(given.shape), spread.reshape(given.shape)
    return middle - middle.detach(), spread - spread.detach()


def _update_gradient(
    grads: Tensor,
    x: Tensor,
    batch_mean: Tensor,
    batch_variance: Tensor,
    epsilon: float = 1e-4,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Return the gradients of factors and bias of a batch normalisation, as `BNTrainingUpdate` has them."""

    def run(seed: torch.Tensor, data: torch.Tensor, mean: torch.Tensor, spread: torch.Tensor) -> tuple:
        axes, shape = _channels(data, data_format)
        plain = (data - mean.reshape(shape)) * (spread + epsilon).rsqrt().reshape(shape)
        return (seed * plain).sum(axes), seed.sum(axes)

    return call_kernel(run, "BNTrainingUpdateGrad", grads, x, batch_mean, batch_variance)  # type: ignore[no-any-return]


def _reduce_gradient(
    grads: Tensor,
    x: Tensor,
    diff_scale: Tensor,
    diff_offset: Tensor,
    scale: Tensor,
    batch_mean: Tensor,
    batch_variance: Tensor,
    epsilon: float = 1e-4,
    data_format: str = "NCHW",
) -> Tensor:
    """Return the gradient of the input of a batch normalisation, from those of factors and bias."""

    def run(seed: torch.Tensor, data: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
        _, shape = _channels(data, data_format)
        d_scale, d_offset, factor, mean, spread = (other.reshape(shape) for other in others)
        inverse = (spread + epsilon).rsqrt()
        count = data.numel() // d_scale.numel()
        return factor * inverse * (seed - (d_offset + (data - mean) * inverse * d_scale) / count)

    inputs = (grads, x, diff_scale, diff_offset, scale, batch_mean, batch_variance)
    return call_kernel(run, "BNTrainingReduceGrad", *inputs)  # type: ignore[no-any-return]


def _batch_second(
    x: Tensor,
    dy: Tensor,
    scale: Tensor,
    saved_mean: Tensor,
    saved_variance: Tensor,
    dout_dx: Tensor,
    dout_dscale: Tensor,
    dout_dbias: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Return the gradients of `BatchNormGrad` with respect to the input, to its gradient and to the factors."""

    def first(data: torch.Tensor, seed: torch.Tensor, factor: torch.Tensor) -> tuple[torch.Tensor, ...]:
        axes, shape = _channels(data, data_format)
        mean, spread = saved_mean._data, saved_variance._data
        if is_training:
            middle, width = _statistics_like(data, axes, mean)
            mean, spread = mean + middle, spread + width
        inverse = (spread + epsilon).rsqrt().reshape(shape)
        plain = (data - mean.reshape(shape)) * inverse
        d_scale, d_bias = (seed * plain).sum(axes), seed.sum(axes)
        slope = factor.reshape(shape) * inverse
        if not is_training:
            return seed * slope, d_scale, d_bias
        through = (d_bias.reshape(shape) + plain * d_scale.reshape(shape)) / (data.numel() // d_bias.numel())
        return (seed - through) * slope, d_scale, d_bias

    return backward("BatchNormGradGrad", first, (dout_dx, dout_dscale, dout_dbias), x, dy, scale)


def _layer_second(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    d_dx: Tensor,
    d_dg: Tensor,
    d_db: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
) -> tuple[Tensor, ...]:
    """Return the gradients of `LayerNormGrad` with respect to the input, to its gradient and to the factors."""

    def first(data: torch.Tensor, seed: torch.Tensor, factor: torch.Tensor) -> tuple[torch.Tensor, ...]:
        axes = tuple(range(begin_norm_axis % data.dim(), data.dim()))
        outer = tuple(range(begin_params_axis % data.dim()))
        middle, width = _statistics_like(data, axes, mean._data)
        inverse = (variance._data + width + 1e-12).rsqrt()
        plain = (data - mean._data - middle) * inverse
        through = seed * factor
        by_spread = (through * plain).mean(axes, keepdim=True)
        dx = (through - through.mean(axes, keepdim=True) - plain * by_spread) * inverse
        return dx, (seed * plain).sum(outer), seed.sum(outer)

    return backward("LayerNormGradGrad", first, (d_dx, d_dg, d_db), x, dy, gamma)


def _instance(
    dy: Tensor,
    x: Tensor,
    gamma: Tensor,
    save_mean: Tensor,
    save_variance: Tensor,
    epsilon: float = 0.0,
    momentum: float = 0.1,
) -> tuple[Tensor, ...]:
    """Return the gradients of `InstanceNorm`; mean and variance are those of the input."""

    def forward(data: torch.Tensor, factor: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.instance_norm(data, weight=factor, bias=bias, eps=epsilon)

    return backward("InstanceNormGrad", forward, dy, x, gamma, gamma)


def _instance_v2(
    dy: Tensor,
    x: Tensor,
    gamma: Tensor,
    mean: Tensor,
    variance: Tensor,
    save_mean: Tensor,
    save_variance: Tensor,
    is_training: bool = True,
    epsilon: float = 1e-5,
) -> tuple[Tensor, ...]:
    """Return the gradients of `InstanceNormV2` (N, C1, H, W, C0); `save_variance` is one over the deviation."""

    def run(seed: torch.Tensor, data: torch.Tensor, factor: torch.Tensor, *others: torch.Tensor) -> tuple:
        middle, inverse = others[2:] if is_training else (others[0], (others[1] + epsilon).rsqrt())
        plain = (data - middle) * inverse
        d_gamma, d_beta = (seed * plain).sum((2, 3), keepdim=True), seed.sum((2, 3), keepdim=True)
        if not is_training:
            return seed * factor * inverse, d_gamma, d_beta
        through = (d_beta + plain * d_gamma) / (data.shape[2] * data.shape[3])
        return (seed - through) * factor * inverse, d_gamma, d_beta

    inputs = (dy, x, gamma, mean, variance, save_mean, save_variance)
    return call_kernel(run, "InstanceNormV2Grad", *inputs)  # type: ignore[no-any-return]


def _root_mean_square(dy: Tensor, x: Tensor, rstd: Tensor, gamma: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients of `RmsNorm`: of the input and of the factors, from one over the root of the mean square."""

    def run(seed: torch.Tensor, data: torch.Tensor, inverse: torch.Tensor, factor: torch.Tensor) -> tuple:
        axes = tuple(range(data.dim() - factor.dim(), data.dim()))
        plain = data * inverse
        through = seed * factor
        dx = (through - plain * (through * plain).mean(axes, keepdim=True)) * inverse
        return dx.to(data.dtype), (seed * plain).sum(tuple(range(data.dim() - factor.dim()))).float()

    return call_kernel(run, "RmsNormGrad", dy, x, rstd, gamma)  # type: ignore[no-any-return]


def _softmax(y: Tensor, dy: Tensor) -> Tensor:
    """Return the gradient of `Softmax` over the last axis, from its result."""
    return call_kernel(  # type: ignore[no-any-return]
        lambda out, seed: out * (seed - (seed * out).sum(-1, keepdim=True)), "SoftmaxGrad", y, dy
    )


DERIVED = (
    derive("BNTrainingReduceGrad", _reduce_gradient, "epsilon data_format"),
    derive("BNTrainingUpdateGrad", _update_gradient, "epsilon data_format"),
    derive("BatchNormGradGrad", _batch_second, "is_training epsilon data_format"),
    derive("InstanceNormGrad", _instance, "epsilon momentum"),
    derive("InstanceNormV2Grad", _instance_v2, "is_training epsilon"),
    derive("LayerNormGradGrad", _layer_second, "begin_norm_axis begin_params_axis"),
    derive("RmsNormGrad", _root_mean_square),
    derive("SoftmaxGrad", _softmax),
)
