"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.neural.convolution import functions as convolution


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

    Returns:
        A Tensor of the dtype of `input`, computed in the widest dtype of the three.

    Follows: mindspore.mint.nn.functional.conv2d (2.10).
    """
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return with_common_dtype(convolution.conv2d, input, weight, bias, stride, mode, amount, dilation, groups)
