"""Methods of Tensor."""

from msbridge.core.tensor import Tensor
from msbridge.ops.arithmetic import functions
from msbridge.ops.contents import same
from msbridge.ops.families import Number


def remainder(self: Tensor, other: Tensor | Number | None = None, *, divisor: Tensor | Number | None = None) -> Tensor:
    """Return the remainder of the division that rounds down; `divisor` is another name of `other`.

    Follows: mindspore.Tensor.remainder (2.10).
    """
    return functions.remainder(self, divisor if other is None else other)  # type: ignore[arg-type]


SAME = same(
    functions,
    "add addcdiv addcmul arctan2 atan2 copysign div divide float_power floor_divide fmax fmin fmod gcd "
    "heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul multiply nextafter pow "
    "sub subtract true_divide xdivy xlogy",
)
