"""Methods of Tensor."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.elementwise.arithmetic import functions
from msbridge.ops.elementwise.arithmetic.kernels import sub_data
from msbridge.ops.kernel_calls.families import Number, binary


def remainder(self: Tensor, other: Tensor | Number | None = None, *, divisor: Tensor | Number | None = None) -> Tensor:
    """Return the remainder of the division that rounds down; `divisor` is another name of `other`.

    Follows: mindspore.Tensor.remainder (2.10).
    """
    return functions.remainder(self, divisor if other is None else other)  # type: ignore[arg-type]


def add(self: Tensor, other: Any, alpha: Number = 1) -> Tensor:
    """Add `alpha * other`, element by element; a list or tuple counts as a Tensor of the same dtype.

    Follows: mindspore.Tensor.add (2.10).
    """
    return binary(torch.add, "Tensor.add", self, other) if alpha == 1 else functions.add(self, other, alpha)


def sub(self: Tensor, other: Any = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
    """Subtract `alpha * other`, element by element; `y` is another name of `other`, which may be a list or tuple.

    Follows: mindspore.Tensor.sub (2.10).
    """
    other = other if y is None else y
    return binary(sub_data, "Tensor.sub", self, other) if alpha == 1 else functions.sub(self, other, alpha)


def multiply(self: Tensor, value: Tensor | Number) -> Tensor:
    """Multiply element by element.

    Follows: mindspore.Tensor.multiply (2.10).
    """
    return functions.multiply(self, value)


def float_power(self: Tensor, other: Tensor | Number) -> Tensor:
    """Raise to a power in Float64 (Complex128 for complex numbers).

    Follows: mindspore.Tensor.float_power (2.10).
    """
    return functions.float_power(self, other)


def true_divide(self: Tensor, other: Tensor | Number) -> Tensor:
    """Divide element by element; integers give Float32.

    Follows: mindspore.Tensor.true_divide (2.10).
    """
    return functions.true_divide(self, other)


SAME = same(
    functions,
    "addcdiv addcmul arctan2 atan2 copysign div divide floor_divide fmax fmin fmod gcd "
    "heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul nextafter pow "
    "subtract xdivy xlogy",
)
