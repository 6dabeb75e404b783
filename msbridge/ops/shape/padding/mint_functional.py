"""Functions of `mint.nn.functional` under torch's argument names."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.shape.padding import functions


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: Number | None = None) -> Tensor:
    """Add elements at both ends of axes, the last axis first.

    Follows: mindspore.mint.nn.functional.pad (2.10).
    """
    return functions.pad(input, pad, mode, value)
