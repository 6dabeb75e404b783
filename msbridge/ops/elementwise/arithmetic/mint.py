"""Functions of `mint` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.elementwise.arithmetic import functions
from msbridge.ops.kernel_calls.families import Number


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
    """Return `input + value * tensor1 * tensor2`.

    Follows: mindspore.mint.addcmul (2.10).
    """
    return functions.addcmul(input, tensor1, tensor2, value)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
    """Return `input + value * tensor1 / tensor2`.

    Follows: mindspore.mint.addcdiv (2.10).
    """
    return functions.addcdiv(input, tensor1, tensor2, value)


SAME = same(
    functions,
    "add arctan2 atan2 div divide float_power floor_divide fmod gcd lerp logaddexp logaddexp2 maximum minimum "
    "mul pow remainder sub xlogy",
)
