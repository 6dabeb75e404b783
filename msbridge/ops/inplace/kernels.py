"""Computations that the faces of inplace share."""

from typing import Any

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, writable
from msbridge.ops.families import Function, scalar_or_tensor


def written(fn: Function, op: str, input: Tensor, *arguments: Any, **settings: Any) -> Tensor:
    """Call torch's method `fn`, which writes in place, and give `input` back."""
    try:
        fn(writable(input), *map(scalar_or_tensor, arguments), **settings)
    except Exception as error:
        raise explain(error, op, input=input, settings=arguments) from error
    return input
