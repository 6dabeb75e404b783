"""Questions that MindSpore's compiler answers about shapes and constants; here they are answered when asked."""

import math
from collections.abc import Sequence
from typing import Any


def broadcast_gradient_args(x: Sequence[int], y: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes along which gradients of a broadcast operation are summed, for both of its shapes.

    Args:
        x: the shape of one operand.
        y: that of the other.

    Returns:
        Two tuples of ints.

    Follows: mindspore.ops.functional.broadcast_gradient_args (2.10).
    """
    if tuple(x) == tuple(y):
        return (), ()
    rank = max(len(x), len(y))
    wide = [(1,) * (rank - len(shape)) + tuple(shape) for shape in (x, y)]
    first, second = (tuple(axis for axis, size in enumerate(sizes) if size == 1) for sizes in wide)
    return first, second


def isconstant(x: Any) -> bool:
    """Return whether a value is known: every value is, here.

    Args:
        x: anything.

    Returns:
        True.

    Follows: mindspore.ops.functional.isconstant (2.10).
    """
    return True


def is_sequence_shape_unknown(x: Sequence[Any]) -> bool:
    """Return whether the length of a sequence is known: it always is, here.

    Args:
        x: a tuple or list.

    Returns:
        False.

    Follows: mindspore.ops.functional.is_sequence_shape_unknown (2.10).
    """
    return False


def is_sequence_value_unknown(x: Sequence[Any]) -> bool:
    """Return whether the elements of a sequence are known: they always are, here.

    Args:
        x: a tuple or list.

    Returns:
        False.

    Follows: mindspore.ops.functional.is_sequence_value_unknown (2.10).
    """
    return False


def shape_mul(input_data: Sequence[int]) -> int:
    """Return the product of the sizes of a shape.

    Args:
        input_data: a shape.

    Returns:
        An int.

    Follows: mindspore.ops.functional.shape_mul (2.10).
    """
    return math.prod(input_data)


def tuple_div(x: Sequence[int], y: Sequence[int]) -> tuple[int, ...]:
    """Divide ints by ints, one by one.

    Args:
        x: the dividends.
        y: as many divisors.

    Returns:
        A tuple of ints.

    Raises:
        RuntimeError: there are more of the ones, or one is not a multiple of the other.

    Follows: mindspore.ops.functional.tuple_div (2.10).
    """
    if len(x) != len(y):
        raise RuntimeError(f"For 'tuple_div', the tuples must be equally long, got {len(x)} and {len(y)}.")
    for one, other in zip(x, y, strict=True):
        if one % other:
            raise RuntimeError(f"For 'tuple_div', {one} must be divisible by {other}.")
    return tuple(one // other for one, other in zip(x, y, strict=True))
