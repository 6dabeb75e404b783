"""Functions of layers under torch's argument names."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.mint._arrangement import flatten
from msbridge.mint._products import conv2d
from msbridge.mint.nn._convolution import conv1d, conv3d
from msbridge.mint.nn._resizing import grid_sample, interpolate, upsample
from msbridge.ops.activation import functions as activation
from msbridge.ops.activation.functions import (
    gelu,
    hardshrink,
    hardsigmoid,
    hardswish,
    prelu,
    relu,
    sigmoid,
    softplus,
    softshrink,
    tanh,
)
from msbridge.ops.activation.functions import leaky_relu as _leaky_relu
from msbridge.ops.blocks.functions import fold, pixel_shuffle, unfold
from msbridge.ops.classification_loss.functions import cross_entropy
from msbridge.ops.classification_loss.functions import nll_loss as _nll_loss
from msbridge.ops.convolution.functions import conv_transpose2d
from msbridge.ops.convolution.functions import dense as linear
from msbridge.ops.creation.functions import ones, zeros
from msbridge.ops.elementwise.functions import clamp
from msbridge.ops.embedding.functions import embedding
from msbridge.ops.families import Number, unary, unary_with
from msbridge.ops.indexing.functions import one_hot as _one_hot
from msbridge.ops.inplace.functions import sigmoid_, written
from msbridge.ops.loss import functions as loss
from msbridge.ops.loss.functions import binary_cross_entropy as _binary_cross_entropy
from msbridge.ops.loss.functions import cosine_embedding_loss, l1_loss, mse_loss, soft_margin_loss
from msbridge.ops.normalization import functions as normalization
from msbridge.ops.normalization.functions import group_norm, layer_norm
from msbridge.ops.padding.functions import pad as _pad
from msbridge.ops.pooling import functions as pooling
from msbridge.ops.pooling.functions import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool2d,
)
from msbridge.ops.reshaping.functions import broadcast_to
from msbridge.ops.unpooling.functions import max_unpool2d

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "broadcast_to",
    "clamp",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose2d",
    "cosine_embedding_loss",
    "cross_entropy",
    "dropout",
    "dropout2d",
    "elu",
    "elu_",
    "embedding",
    "flatten",
    "fold",
    "gelu",
    "glu",
    "grid_sample",
    "group_norm",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "max_pool2d",
    "max_unpool2d",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "pixel_shuffle",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "selu",
    "sigmoid",
    "sigmoid_",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softplus",
    "softshrink",
    "tanh",
    "threshold",
    "threshold_",
    "unfold",
    "upsample",
]

Sizes = int | tuple[int, ...] | list[int]


def relu_(input: Tensor) -> Tensor:
    """Replace negative elements by 0, in place.

    Follows: mindspore.mint.nn.functional.relu_ (2.10).
    """
    return written(torch.relu_, "relu_", input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Bound the elements to [0, 6].

    Follows: mindspore.mint.nn.functional.relu6 (2.10).
    """
    return hardtanh(input, 0.0, 6.0, inplace)


def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Multiply negative elements by `negative_slope`.

    Follows: mindspore.mint.nn.functional.leaky_relu (2.10).
    """
    return _leaky_relu(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Replace negative elements x by alpha * (exp(x) - 1).

    Follows: mindspore.mint.nn.functional.elu (2.10).
    """
    return elu_(input, alpha) if inplace else activation.elu(input, alpha)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Replace negative elements x by alpha * (exp(x) - 1), in place.

    Follows: mindspore.mint.nn.functional.elu_ (2.10).
    """
    return written(torch.nn.functional.elu_, "elu_", input, alpha)


def selu(input: Tensor) -> Tensor:
    """Give the scaled exponential linear unit.

    Follows: mindspore.mint.nn.functional.selu (2.10).
    """
    return activation.selu(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Give x * sigmoid(x).

    Follows: mindspore.mint.nn.functional.silu (2.10).
    """
    if inplace:
        return written(lambda data: torch.nn.functional.silu(data, inplace=True), "silu", input)
    return activation.silu(input)


def mish(input: Tensor) -> Tensor:
    """Give x * tanh(softplus(x)).

    Follows: mindspore.mint.nn.functional.mish (2.10).
    """
    return activation.mish(input)


def logsigmoid(input: Tensor) -> Tensor:
    """Give the logarithm of the logistic function.

    Follows: mindspore.mint.nn.functional.logsigmoid (2.10).
    """
    return activation.logsigmoid(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Bound the elements.

    Follows: mindspore.mint.nn.functional.hardtanh (2.10).
    """
    return hardtanh_(input, min_val, max_val) if inplace else activation.hardtanh(input, min_val, max_val)


def hardtanh_(input: Tensor, min_val: Number = -1, max_val: Number = 1) -> Tensor:
    """Bound the elements in place.

    Follows: mindspore.mint.nn.functional.hardtanh_ (2.10).
    """
    return written(torch.nn.functional.hardtanh_, "hardtanh_", input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Replace elements that are not above `threshold` by `value`.

    Follows: mindspore.mint.nn.functional.threshold (2.10).
    """
    return threshold_(input, threshold, value) if inplace else activation.threshold(input, threshold, value)


def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """Replace elements that are not above `threshold` by `value`, in place.

    Follows: mindspore.mint.nn.functional.threshold_ (2.10).
    """
    return written(torch.threshold_, "threshold_", input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Give the first half along an axis times the logistic function of the second.

    Follows: mindspore.mint.nn.functional.glu (2.10).
    """
    return activation.glu(input, dim)


def softmax(input: Tensor, dim: int | None = None, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials so that they sum to one along an axis: by default 0 for 0, 1 and 3 axes, else 1.

    Follows: mindspore.mint.nn.functional.softmax (2.10).
    """
    return activation.softmax(input, _default_axis(input, dim), dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """Give the logarithm of `softmax`.

    Follows: mindspore.mint.nn.functional.log_softmax (2.10).
    """
    axis = _default_axis(input, dim)
    target = None if dtype is None else dtype.torch
    return unary(lambda data: torch.log_softmax(data, axis, target), "log_softmax", input)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Follows: mindspore.mint.nn.functional.dropout (2.10).
    """
    if not training:
        return input
    if inplace:
        return written(lambda data: torch.nn.functional.dropout(data, p, True, True), "dropout", input)
    return unary_with(torch.nn.functional.dropout, "dropout", input, p)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Follows: mindspore.mint.nn.functional.dropout2d (2.10).
    """
    if not training:
        return input
    if inplace:
        return written(lambda data: torch.nn.functional.dropout2d(data, p, True, True), "dropout2d", input)
    return unary_with(torch.nn.functional.dropout2d, "dropout2d", input, p)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Put 1 where the index says, along a new last axis, and 0 elsewhere; -1 takes the largest index plus 1.

    Follows: mindspore.mint.nn.functional.one_hot (2.10).
    """
    return _one_hot(tensor, int(tensor._data.max()) + 1 if num_classes == -1 else num_classes)


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: Number | None = None) -> Tensor:
    """Add elements at both ends of axes, the last axis first.

    Follows: mindspore.mint.nn.functional.pad (2.10).
    """
    return _pad(input, pad, mode, value)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the p-norm along an axis, at least `eps`.

    Follows: mindspore.mint.nn.functional.normalize (2.10).
    """
    return unary_with(torch.nn.functional.normalize, "normalize", input, p, dim, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Bring each channel to mean 0 and variance 1, then scale and shift.

    Follows: mindspore.mint.nn.functional.batch_norm (2.10).
    """
    channels = (input.shape[1],)
    scale = ones(channels, input.dtype) if weight is None else weight
    shift = zeros(channels, input.dtype) if bias is None else bias
    return normalization.batch_norm(input, running_mean, running_var, scale, shift, training, momentum, eps)


def avg_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Average over windows along the last axis; the stride is the window's length by default.

    Follows: mindspore.mint.nn.functional.avg_pool1d (2.10).
    """
    return pooling.avg_pool1d(input, kernel_size, stride or kernel_size, padding, ceil_mode, count_include_pad)


def avg_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Average over windows of the last two axes; the stride is the window's size by default.

    Follows: mindspore.mint.nn.functional.avg_pool2d (2.10).
    """
    return pooling.avg_pool2d(
        input, kernel_size, stride or kernel_size, padding, ceil_mode, count_include_pad, divisor_override or 0
    )


def avg_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Average over windows of the last three axes; the stride is the window's size by default.

    Follows: mindspore.mint.nn.functional.avg_pool3d (2.10).
    """
    return pooling.avg_pool3d(
        input, kernel_size, stride or kernel_size, padding, ceil_mode, count_include_pad, divisor_override or 0
    )


def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Give the largest element of windows of the last two axes; with `return_indices` where it is, too.

    Follows: mindspore.mint.nn.functional.max_pool2d (2.10).
    """
    return pooling.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def adaptive_max_pool1d(input: Tensor, output_size: int, return_indices: bool = False) -> Any:
    """Give `output_size` maxima over the last axis; with `return_indices` where they are, too.

    Follows: mindspore.mint.nn.functional.adaptive_max_pool1d (2.10).
    """
    fn = partial(torch.nn.functional.adaptive_max_pool1d, output_size=output_size, return_indices=return_indices)
    return pooling.pool(fn, "adaptive_max_pool1d", input)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Give the cross-entropy of probabilities and targets in [0, 1].

    Follows: mindspore.mint.nn.functional.binary_cross_entropy (2.10).
    """
    return _binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Give the cross-entropy of the logistic function of `input` and targets in [0, 1].

    Follows: mindspore.mint.nn.functional.binary_cross_entropy_with_logits (2.10).
    """
    return loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Give the Kullback-Leibler divergence of log-probabilities and targets.

    Follows: mindspore.mint.nn.functional.kl_div (2.10).
    """
    if log_target:
        target = unary(torch.exp, "kl_div", target)
    return loss.kl_div(input, target, reduction)


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
) -> Tensor:
    """Give the negative log-likelihood of classes.

    Follows: mindspore.mint.nn.functional.nll_loss (2.10).
    """
    return _nll_loss(input, target, weight, ignore_index, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Give the difference's square where it is below `beta`, else its magnitude.

    Follows: mindspore.mint.nn.functional.smooth_l1_loss (2.10).
    """
    return loss.smooth_l1_loss(input, target, beta, reduction)


def _default_axis(input: Tensor, dim: int | None) -> int:
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
