"""Functions of `mint.nn.functional` under torch's argument names."""

from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.convolution import functions, mint


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
    return functions.conv1d(input, weight, bias, stride, mode, amount, dilation, groups)


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
    return functions.conv3d(input, weight, bias, stride, mode, amount, dilation, groups)


SAME = same(mint, "conv2d") | same(functions, "conv_transpose2d") | {"linear": functions.dense}
