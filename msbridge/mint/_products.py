"""Products and sums of products under torch's argument names."""

from typing import Any

import torch

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.ops.activation import functions as activation
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.convolution import functions as convolution
from msbridge.ops.families import Number, binary_same
from msbridge.ops.linalg import functions as linalg


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
    """Give `input + value * tensor1 * tensor2`.

    Follows: mindspore.mint.addcmul (2.10).
    """
    return arithmetic.addcmul(input, tensor1, tensor2, value)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
    """Give `input + value * tensor1 / tensor2`.

    Follows: mindspore.mint.addcdiv (2.10).
    """
    return arithmetic.addcdiv(input, tensor1, tensor2, value)


def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Give `beta * input[i] + alpha * (batch1[i] @ batch2[i])` for each i.

    Follows: mindspore.mint.baddbmm (2.10).
    """
    return linalg.baddbmm(input, batch1, batch2, beta, alpha)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply batches of matrices.

    Follows: mindspore.mint.bmm (2.10).
    """
    return linalg.bmm(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Multiply a matrix and a vector.

    Follows: mindspore.mint.mv (2.10).
    """
    return linalg.mv(input, vec)


def dot(input: Tensor, other: Tensor) -> Tensor:
    """Sum the products of two vectors.

    Follows: mindspore.mint.dot (2.10).
    """
    return binary_same(torch.dot, "dot", input, other)


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """Sum the products of two vectors, the first conjugated.

    Follows: mindspore.mint.vdot (2.10).
    """
    return binary_same(torch.vdot, "vdot", input, other)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Give the p-norm distances between the rows of two matrices; `compute_mode` does not change the result.

    Follows: mindspore.mint.cdist (2.10).
    """
    return linalg.cdist(x1, x2, p)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve images (n, c, h, w) with a weight (out, c / groups, kh, kw).

    Args:
        input: the images.
        weight: the kernels.
        bias: shape (out,).
        stride: a step, or one for each axis.
        padding: zeros on both sides: an int, one for each axis, "same" or "valid".
        dilation: the distance of the kernel's elements.
        groups: how many groups of channels.

    Follows: mindspore.mint.nn.functional.conv2d (2.10).
    """
    if isinstance(padding, str):
        return convolution.conv2d(input, weight, bias, stride, padding, 0, dilation, groups)
    return convolution.conv2d(input, weight, bias, stride, "pad", padding, dilation, groups)


def softmax(input: Tensor, dim: int, *, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials so that they sum to one along an axis.

    Follows: mindspore.mint.softmax (2.10).
    """
    return activation.softmax(input, dim, dtype=dtype)
