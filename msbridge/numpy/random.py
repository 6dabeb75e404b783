"""Random tensors."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float16, float32, float64, int8, int16, int32, int64
from msbridge.numpy._faces import cast, shape_of
from msbridge.numpy.creation import Shape
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.random.distributions import functions as random

_FLOATS = (float16, float32, float64)
_INTS = (int8, int16, int32, int64)


def rand(*shape: int | tuple[int, ...] | list[int], dtype: DType = float32) -> Tensor:
    """Draw from [0, 1).

    Args:
        shape: the lengths of the axes; none for (1,).
        dtype: Float16, Float32 or Float64.

    Returns:
        A Tensor of this shape.

    Follows: mindspore.numpy.rand (2.10).
    """
    return cast(random.rand(*_shape_of_draw("rand", shape)), _dtype_of_draw("rand", dtype, _FLOATS))


def randn(*shape: int | tuple[int, ...] | list[int], dtype: DType = float32) -> Tensor:
    """Draw from the standard normal distribution.

    Args:
        shape: the lengths of the axes; none for (1,).
        dtype: Float16, Float32 or Float64.

    Returns:
        A Tensor of this shape.

    Follows: mindspore.numpy.randn (2.10).
    """
    return cast(random.randn(*_shape_of_draw("randn", shape)), _dtype_of_draw("randn", dtype, _FLOATS))


def randint(minval: int, maxval: int | None = None, shape: Shape | None = None, dtype: DType = int32) -> Tensor:
    """Draw integers from [minval, maxval), or from [0, minval) where no `maxval` is given.

    Args:
        minval: the smallest number, or with no `maxval` the end.
        maxval: the end, which is not drawn.
        shape: of the result; None for (1,).
        dtype: of the result, of signed integers.

    Returns:
        A Tensor of this shape.

    Raises:
        ValueError: the range is empty, or `dtype` holds no signed integers.

    Follows: mindspore.numpy.randint (2.10).
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if not low < high:
        raise ValueError(f"For 'randint', minval must be less than maxval, got {low} and {high}.")
    target = _dtype_of_draw("randint", dtype, _INTS)
    return cast(random.randint(low, high, (1,) if shape is None else shape_of("randint", shape)), target)


def _dtype_of_draw(op: str, dtype: DType, allowed: tuple[Type, ...]) -> Type:
    try:
        target = type_of(dtype)
    except TypeError:
        target = None
    if target not in allowed:
        raise ValueError(f"For '{op}', dtype must be one of {', '.join(map(str, allowed))}, got {dtype!r}.")
    return target


def _shape_of_draw(op: str, shape: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape of a draw: one number where none is given."""
    return shape_of(op, shape[0] if len(shape) == 1 else shape or (1,))
