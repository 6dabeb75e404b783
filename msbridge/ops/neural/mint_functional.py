"""Functions of `mint.nn.functional` under torch's argument names."""

from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face, same
from msbridge.ops.framework.creation.functions import ones, zeros
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.families import unary, unary_with
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural import mint
from msbridge.ops.neural.classification_loss import functions as classification_loss
from msbridge.ops.neural.convolution import functions as convolution
from msbridge.ops.neural.dropout.kernels import drop_elements
from msbridge.ops.neural.embedding import functions as embedding
from msbridge.ops.neural.loss import functions as loss
from msbridge.ops.neural.normalization import functions as normalization


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over the last axis of `input` (N, C_in, L); `padding` may be "same" or "valid".

    Args:
        input: shape (N, C_in, L); floats.
        weight: shape (C_out, C_in / groups, K).
        bias: shape (C_out,), or None.
        stride: an int.
        padding: zeros at each side: an int, "same" or "valid".
        dilation: an int.
        groups: how many groups of channels are convolved apart.

    Returns:
        A Tensor of shape (N, C_out, L_out) and the promoted dtype.

    Follows: mindspore.mint.nn.functional.conv1d (2.10).
    """
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return with_common_dtype(convolution.conv1d, input, weight, bias, stride, mode, amount, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over the last three axes of `input` (N, C_in, D, H, W); `padding` may be "same" or "valid".

    Args:
        input: shape (N, C_in, D, H, W); floats.
        weight: shape (C_out, C_in / groups, K_d, K_h, K_w).
        bias: shape (C_out,), or None.
        stride: an int or three.
        padding: zeros at each side: an int, three, "same" or "valid".
        dilation: an int or three.
        groups: how many groups of channels are convolved apart.

    Returns:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and the promoted dtype.

    Follows: mindspore.mint.nn.functional.conv3d (2.10).
    """
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return with_common_dtype(convolution.conv3d, input, weight, bias, stride, mode, amount, dilation, groups)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Spread images (N, C_in, H, W) by a weight (C_in, C_out / groups, K_h, K_w): the gradient of a convolution.

    Args:
        input: shape (N, C_in, H, W); floats.
        weight: shape (C_in, C_out / groups, K_h, K_w).
        bias: shape (C_out,), or None.
        stride: an int or two.
        padding: what is cut off at each side, an int or two.
        output_padding: how much larger one side is, an int or two.
        groups: how many groups of channels are convolved apart.
        dilation: an int or two.

    Returns:
        A Tensor of shape (N, C_out, H_out, W_out) and the promoted dtype.

    Follows: mindspore.mint.nn.functional.conv_transpose2d (2.10).
    """
    return with_common_dtype(
        convolution.conv_transpose2d, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Args:
        input: any shape; floats.
        p: in [0, 1].
        training: whether to draw; else `input` comes back.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.functional.dropout (2.10).
    """
    if not training:
        return input
    if inplace:
        return write_in_place(lambda data: torch.nn.functional.dropout(data, p, True, True), "dropout", input)
    if p == 0 and isinstance(input, Tensor):
        return twin(input)
    return unary_with(drop_elements, "dropout", input, p)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels to 0 with probability `p`, and scale the rest by 1 / (1 - p).

    Args:
        input: shape (N, C, ...); floats.
        p: in [0, 1].
        training: whether to draw; else `input` comes back.
        inplace: write into `input`.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.functional.dropout2d (2.10).
    """
    if not training:
        return input
    if inplace:
        return write_in_place(lambda data: torch.nn.functional.dropout2d(data, p, True, True), "dropout2d", input)
    return unary_with(torch.nn.functional.dropout2d, "dropout2d", input, p)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return the cross-entropy of the logistic function of `input` and targets in [0, 1].

    Args:
        input: any shape; floats.
        target: of the same shape.
        weight: scales each loss; broadcasts against `input`.
        reduction: "mean", "sum" or "none".
        pos_weight: scales the losses of targets 1; broadcasts against `input`.

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the broadcast shape.

    Follows: mindspore.mint.nn.functional.binary_cross_entropy_with_logits (2.10).
    """
    return loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Return the Kullback-Leibler divergence of log-probabilities and targets.

    Args:
        input: logarithms of probabilities, any shape; floats.
        target: probabilities, of the same shape.
        reduction: "mean" (over all elements), "batchmean" (the sum over the length of axis 0), "sum" or "none".
        log_target: whether `target` are logarithms.

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `input`.

    Follows: mindspore.mint.nn.functional.kl_div (2.10).
    """
    if log_target:
        target = unary(torch.exp, "kl_div", target)
    return loss.kl_div(input, target, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Return the difference's square where it is below `beta`, else its magnitude.

    Follows: mindspore.mint.nn.functional.smooth_l1_loss (2.10).
    """
    return loss.smooth_l1_loss(input, target, beta, reduction)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the p-norm along an axis, at least `eps`.

    Args:
        input: any shape; floats.
        p: the order of the norm.
        dim: along which axis, in [-rank, rank).
        eps: the least divisor.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.functional.normalize (2.10).
    """
    return unary_with(torch.nn.functional.normalize, "normalize", input, p, dim, eps)


@explaining
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

    Args:
        input: shape (N, C, ...); floats.
        running_mean: shape (C,); used when not training, else moved in place towards the mean of the batch.
        running_var: shape (C,); likewise, towards the unbiased variance.
        weight: shape (C,); None for ones.
        bias: shape (C,); None for zeros.
        training: whether to use the statistics of the batch.
        momentum: how far the running statistics move, in [0, 1].
        eps: keeps the divisor from 0.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.functional.batch_norm (2.10).
    """
    channels, dtype = (input.shape[1],), running_mean.dtype
    scale = ones(channels, dtype) if weight is None else weight
    shift = zeros(channels, dtype) if bias is None else bias
    settings = (training, momentum, eps)
    if training:  # which writes into the statistics
        return normalization.batch_norm(input, running_mean, running_var, scale, shift, *settings)
    return with_common_dtype(normalization.batch_norm, input, running_mean, running_var, scale, shift, *settings)


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
) -> Tensor:
    """Return the negative log-likelihood of classes.

    Args:
        input: log probabilities; shape (N, C), (N, C, ...) or (C,).
        target: class numbers; shape (N,) or (N, ...).
        weight: shape (C,), or None.
        ignore_index: targets of this value do not count.
        reduction: "mean" (weighted), "sum" or "none".

    Returns:
        A Tensor of the dtype of `input`: 0-d, or of the shape of `target`.

    Follows: mindspore.mint.nn.functional.nll_loss (2.10).
    """
    return classification_loss.nll_loss(input, target, weight, ignore_index, reduction)


FACES = (face("binary_cross_entropy", loss.binary_cross_entropy, "input target weight reduction"),)
SAME = (
    same(classification_loss, "cross_entropy")
    | same(mint, "conv2d")
    | {"linear": convolution.dense}
    | same(embedding, "embedding")
    | same(loss, "cosine_embedding_loss l1_loss mse_loss soft_margin_loss")
    | same(normalization, "group_norm layer_norm")
)
