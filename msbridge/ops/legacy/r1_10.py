"""Operators of 1.10: convolutions without a bias, extrema with their place first, `Tensor.clip` of numpy."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls import families
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.legacy.r2_0_arithmetic import refuse_numbers
from msbridge.ops.legacy.r2_0_bounds import clamp
from msbridge.ops.legacy.r2_0_reduction import largest, smallest
from msbridge.ops.neural.convolution import functions


def _without_bias(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Wrap a convolution to take its arguments of 1.9 to 2.0.0-alpha."""

    def convolve(
        inputs: Tensor,
        weight: Tensor,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
    ) -> Any:
        return function(inputs, weight, None, stride, pad_mode, padding, dilation, group)

    convolve.__name__ = convolve.__qualname__ = name
    convolve.__doc__ = f"Convolve as `{name}` does.\n\n    Follows: mindspore.ops.{name} (1.10).\n    "
    return convolve


def clip(self: Tensor, xmin: Any, xmax: Any, dtype: Type | None = None) -> Tensor:
    """Bound the elements by numbers or Tensors, of which one may be None, and cast to `dtype`.

    Raises:
        ValueError: both bounds are None.

    Follows: mindspore.Tensor.clip (1.10).
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'Tensor.clip', one of xmin and xmax must be given.")
    clipped: Tensor = clamp(self, xmin, xmax)
    return clipped if dtype is None else clipped.astype(dtype)


OVERRIDES = {
    "Tensor.__add__": Part(families, "_operand", refuse_numbers(np.int32, np.uint32, np.bool_)),
    "Tensor.clip": clip,
    "ops.conv2d": _without_bias(functions.conv2d, "conv2d"),
    "ops.conv3d": _without_bias(functions.conv3d, "conv3d"),
    "ops.max": largest,
    "ops.min": smallest,
}
