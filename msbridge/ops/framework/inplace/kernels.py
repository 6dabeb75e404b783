"""Computations that the faces of inplace share."""

from functools import partial
from typing import Any

from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import Function, scalar_or_tensor
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype


def write_in_place(fn: Function, op: str, input: Tensor, *arguments: Any, **settings: Any) -> Tensor:
    """Call torch's method `fn`, which writes in place, and return `input`."""
    try:
        fn(writable(input), *map(scalar_or_tensor, arguments), **settings)
    except Exception as error:
        repeated = partial(write_in_place, fn, op, input, *arguments, **settings)
        return retry_in_wider_dtype(error, op, repeated, input=input, settings=arguments)
    return input
