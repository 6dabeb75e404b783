"""Assignments of 1.10: what is too wide for a Parameter is a RuntimeError."""

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.control.functions import assign as today_assign


def assign(variable: Parameter, value: Tensor) -> Tensor:
    """Write a value into a Parameter.

    Raises:
        RuntimeError: the value is of a wider dtype.

    Follows: mindspore.ops.assign (1.10).
    """
    try:
        return today_assign(variable, value)
    except TypeError as error:
        if isinstance(value, Tensor) and isinstance(variable, Tensor) and value.dtype != variable.dtype:
            raise RuntimeError(str(error)) from error
        raise


OVERRIDES = {"ops.assign": assign}
