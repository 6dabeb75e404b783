"""Functions of `mint.nn.functional` under torch's argument names."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.convolution import functions, mint


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

    Follows: mindspore.mint.nn.functional.conv1d (2.10).
    """
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return with_common_dtype(functions.conv1d, input, weight, bias, stride, mode, amount, dilation, groups)


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

    Follows: mindspore.mint.nn.functional.conv3d (2.10).
    """
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return with_common_dtype(functions.conv3d, input, weight, bias, stride, mode, amount, dilation, groups)


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

    Follows: mindspore.mint.nn.functional.conv_transpose2d (2.10).
    """
    return with_common_dtype(
        functions.conv_transpose2d, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


SAME = same(mint, "conv2d") | {"linear": functions.dense}
