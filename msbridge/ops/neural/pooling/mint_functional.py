"""Functions of `mint.nn.functional` under torch's argument names."""

from functools import partial
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face, same
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling import functions, kernels


def avg_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Average over windows along the last axis; the stride is the window's length by default.

    Args:
        input: shape (N, C, L) or (C, L); floats.
        kernel_size: the length of the windows.
        stride: from a window to the next.
        padding: zeros at each side.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.

    Returns:
        A Tensor of shape (..., L_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.functional.avg_pool1d (2.10).
    """
    return functions.avg_pool1d(input, kernel_size, stride or kernel_size, padding, ceil_mode, count_include_pad)


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

    Args:
        input: shape (N, C, H, W) or (C, H, W); floats.
        kernel_size: an int or (height, width).
        stride: from a window to the next, likewise.
        padding: zeros, likewise.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead.

    Returns:
        A Tensor of shape (..., H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.functional.avg_pool2d (2.10).
    """
    return functions.avg_pool2d(
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

    Args:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.
        kernel_size: an int or (depth, height, width).
        stride: from a window to the next, likewise.
        padding: zeros, likewise.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding counts in the divisor.
        divisor_override: what to divide by instead.

    Returns:
        A Tensor of shape (..., D_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.functional.avg_pool3d (2.10).
    """
    return functions.avg_pool3d(
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
    """Return the largest element of windows of the last two axes; with `return_indices` where it is, too.

    Args:
        input: shape (N, C, H, W) or (C, H, W); floats.
        kernel_size: an int or (height, width).
        stride: from a window to the next, likewise; None for `kernel_size`.
        padding: minus infinity, likewise; at most half the kernel.
        dilation: gaps between the elements of a window.
        ceil_mode: whether a window that runs over the end counts.
        return_indices: whether to return (values, Int64 positions in the plane) instead.

    Returns:
        A Tensor of shape (..., H_out, W_out) and the dtype of `input`, or a pair.

    Follows: mindspore.mint.nn.functional.max_pool2d (2.10).
    """
    return functions.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def adaptive_max_pool1d(input: Tensor, output_size: int, return_indices: bool = False) -> Any:
    """Return `output_size` maxima over the last axis; with `return_indices` where they are, too.

    Args:
        input: shape (N, C, L) or (C, L); floats.
        output_size: how many.
        return_indices: whether to return (values, Int64 positions) instead.

    Returns:
        A Tensor of shape (..., output_size) and the dtype of `input`, or a pair.

    Follows: mindspore.mint.nn.functional.adaptive_max_pool1d (2.10).
    """
    fn = partial(torch.nn.functional.adaptive_max_pool1d, output_size=output_size, return_indices=return_indices)
    return kernels.pool(fn, "adaptive_max_pool1d", input)


FACES = (face("max_unpool2d", functions.max_unpool2d, "input indices kernel_size stride padding output_size"),)
SAME = same(functions, "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d")
