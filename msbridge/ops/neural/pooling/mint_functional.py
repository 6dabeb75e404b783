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

    Follows: mindspore.mint.nn.functional.max_pool2d (2.10).
    """
    return functions.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def adaptive_max_pool1d(input: Tensor, output_size: int, return_indices: bool = False) -> Any:
    """Return `output_size` maxima over the last axis; with `return_indices` where they are, too.

    Follows: mindspore.mint.nn.functional.adaptive_max_pool1d (2.10).
    """
    fn = partial(torch.nn.functional.adaptive_max_pool1d, output_size=output_size, return_indices=return_indices)
    return kernels.pool(fn, "adaptive_max_pool1d", input)


FACES = (face("max_unpool2d", functions.max_unpool2d, "input indices kernel_size stride padding output_size"),)
SAME = same(functions, "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d")
