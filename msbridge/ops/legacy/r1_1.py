"""Operators of 1.1: a cast that changes nothing, and how a primitive is printed."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.legacy import r1_0, r1_0_names
from msbridge.ops.legacy.r2_0_memory_layout import cast as copying_cast


def cast(*args: Any) -> Any:
    """Cast to a dtype; a Tensor that has it is returned itself.

    Follows: mindspore.ops.cast (1.1).
    """
    input_x, dtype = args
    return input_x if isinstance(input_x, Tensor) and input_x.dtype == dtype else copying_cast(input_x, dtype)


OVERRIDES = {
    "ops.operations.BasicLSTMCell": r1_0.in_words(r1_0_names.BASIC_LSTM_CELL, {"io_format": "ND"}),
    "ops.cast": cast,
}
