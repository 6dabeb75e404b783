"""Operators that write into their first argument and return it."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.families import Number


def clamp_(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """Bound the elements in place.

    Args:
        input: any shape; any dtype but Complex.
        min: the least value, a number or a Tensor that broadcasts to `input`.
        max: the largest, likewise.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.clamp_ (2.10).
    """
    return write_in_place(torch.Tensor.clamp_, "clamp_", input, min, max)


def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element.

    Args:
        input: any shape and dtype.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.zero_ (2.10).
    """
    return write_in_place(torch.Tensor.zero_, "zero_", input)


def erfinv_(input: Tensor) -> Tensor:
    """Take the inverse error function in place.

    Args:
        input: any shape; floats.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.erfinv_ (2.10).
    """
    return write_in_place(torch.Tensor.erfinv_, "erfinv_", input)


def tanh_(input: Tensor) -> Tensor:
    """Take the hyperbolic tangent in place.

    Args:
        input: any shape; floats.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.tanh_ (2.10).
    """
    return write_in_place(torch.Tensor.tanh_, "tanh_", input)
