"""Methods of Tensor."""

from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.ops.arithmetic import functions
from msbridge.ops.contents import same
from msbridge.ops.families import Number


def remainder(self: Tensor, other: Tensor | Number | None = None, *, divisor: Tensor | Number | None = None) -> Tensor:
    """Return the remainder of the division that rounds down; `divisor` is another name of `other`.

    Follows: mindspore.Tensor.remainder (2.10).
    """
    return functions.remainder(self, divisor if other is None else other)  # type: ignore[arg-type]


def sub(self: Tensor, other: Any = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
    """Subtract `alpha * other`, element by element; `y` is another name of `other`.

    Follows: mindspore.Tensor.sub (2.10).
    """
    return functions.sub(self, other if y is None else y, alpha)


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
    "add addcdiv addcmul arctan2 atan2 copysign div divide floor_divide fmax fmin fmod gcd "
    "heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul nextafter pow "
    "subtract xdivy xlogy",
)
