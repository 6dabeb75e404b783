"""Random tensors."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import float32, int8, int16, int32, int64
from msbridge.numpy._faces import cast, shape_of
from msbridge.numpy.creation import Shape
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.random.distributions import functions as random


def rand(*shape: int | tuple[int, ...] | list[int], dtype: DType = float32) -> Tensor:
    """Draw from [0, 1).

    Follows: mindspore.numpy.rand (2.10).
    """
    return cast(random.rand(*_shape_of_draw("rand", shape)), dtype)


def randn(*shape: int | tuple[int, ...] | list[int], dtype: DType = float32) -> Tensor:
    """Draw from the standard normal distribution.

    Follows: mindspore.numpy.randn (2.10).
    """
    return cast(random.randn(*_shape_of_draw("randn", shape)), dtype)


def randint(minval: int, maxval: int | None = None, shape: Shape | None = None, dtype: DType = int32) -> Tensor:
    """Draw integers from [minval, maxval), or from [0, minval) where no `maxval` is given.

    Raises:
        ValueError: the range is empty, or `dtype` holds no signed integers.

    Follows: mindspore.numpy.randint (2.10).
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    target = type_of(dtype)
    if target not in (int64, int32, int16, int8):
        raise ValueError(f"For 'randint', dtype must be int8, int16, int32 or int64, got {dtype!r}.")
    if not low < high:
        raise ValueError(f"For 'randint', minval must be less than maxval, got {low} and {high}.")
    return cast(random.randint(low, high, (1,) if shape is None else shape_of("randint", shape)), target)


def _shape_of_draw(op: str, shape: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape of a draw: one number where none is given."""
    return shape_of(op, shape[0] if len(shape) == 1 else shape or (1,))
