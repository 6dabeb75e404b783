"""Convolutions as they were: the mode of padding came third, and there was no bias."""

from collections.abc import Callable
from typing import Any

from msbridge.core.releases.overrides import Earlier
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.windows import Sizes
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


ROWS = [Earlier(f"ops.{name}", "2.0", _without_bias(getattr(functions, name), name)) for name in ("conv2d", "conv3d")]
