"""Python's tuples, lists, dicts and numbers under the names that graph mode has for their operators."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import log
from types import FunctionType
from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type


def bool_and(x: bool, y: bool) -> bool:
    """Return whether both are true.

    Args:
        x: a bool.
        y: a bool.

    Returns:
        True or False.

    Follows: mindspore.ops.bool_and (2.10).
    """
    return bool(x and y)


def bool_or(x: bool, y: bool) -> bool:
    """Return whether one is true.

    Args:
        x: a bool.
        y: a bool.

    Returns:
        True or False.

    Follows: mindspore.ops.bool_or (2.10).
    """
    return bool(x or y)


def dict_setitem(data: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """Return a dict in which `key` has another value.

    Args:
        data: a dict; it stays as it is.
        key: the key.
        value: its value.

    Returns:
        A dict.

    Follows: mindspore.ops.dict_setitem (2.10).
    """
    return {**data, key: value}


@explaining
def in_dict(key: Any, data: Mapping[Any, Any]) -> bool:
    """Return whether a dict has a key.

    Args:
        key: the key.
        data: a dict.

    Returns:
        True or False.

    Follows: mindspore.ops.in_dict (2.10).
    """
    return key in data


@explaining
def not_in_dict(key: Any, data: Mapping[Any, Any]) -> bool:
    """Return whether a dict lacks a key.

    Args:
        key: the key.
        data: a dict.

    Returns:
        True or False.

    Follows: mindspore.ops.not_in_dict (2.10).
    """
    return key not in data


def list_setitem(values: Sequence[Any], index: int, value: Any) -> list[Any]:
    """Return a list in which one element is another.

    Args:
        values: a tuple or list; it stays as it is.
        index: which element.
        value: the other.

    Returns:
        A list.

    Follows: mindspore.ops.list_setitem (2.10).
    """
    result = list(values)
    result[index] = value
    return result


def make_dict(keys: Iterable[Any], values: Iterable[Any]) -> dict[Any, Any]:
    """Return a dict of keys and values.

    Args:
        keys: the keys.
        values: as many values.

    Returns:
        A dict.

    Follows: mindspore.ops.make_dict (2.10).
    """
    return dict(zip(keys, values, strict=True))


def make_list(*values: Any) -> list[Any]:
    """Return the arguments as a list.

    Args:
        values: anything.

    Returns:
        A list.

    Follows: mindspore.ops.make_list (2.10).
    """
    return list(values)


def make_tuple(*values: Any) -> tuple[Any, ...]:
    """Return the arguments as a tuple.

    Args:
        values: anything.

    Returns:
        A tuple.

    Follows: mindspore.ops.make_tuple (2.10).
    """
    return values


def make_range(*limits: int) -> tuple[int, ...]:
    """Return the numbers of `range(*limits)` as a tuple.

    Args:
        limits: the end, or start and end, or start, end and step.

    Returns:
        A tuple of ints.

    Follows: mindspore.ops.make_range (2.10).
    """
    return tuple(range(*limits))


def reduced_shape(shape: Sequence[int], axis: Sequence[int]) -> tuple[int, ...]:
    """Return the shape after a reduction that keeps axes.

    Args:
        shape: a shape.
        axis: the reduced axes; () means all.

    Returns:
        A tuple of ints, 1 for the reduced axes.

    Follows: mindspore.ops.reduced_shape (2.10).
    """
    dropped = {index % len(shape) for index in axis} if len(axis) else set(range(len(shape)))
    return tuple(1 if index in dropped else length for index, length in enumerate(shape))


@explaining
def scalar_cast(input_x: Any, input_y: Type) -> int | float | bool:
    """Return a number as the Python type of a MindSpore dtype.

    Args:
        input_x: a number or a Tensor of one element.
        input_y: a MindSpore dtype.

    Returns:
        An int, float or bool.

    Follows: mindspore.ops.scalar_cast (2.10).
    """
    value = input_x.item() if isinstance(input_x, Tensor) else input_x
    return mstype.dtype_to_pytype(input_y)(value)


@explaining  # a dict takes a slice for a key from Python 3.12 on
def tail(values: Sequence[Any]) -> Sequence[Any]:
    """Return all elements but the first.

    Args:
        values: a tuple, list or Tensor.

    Returns:
        A sequence of the same kind.

    Follows: mindspore.ops.tail (2.10).
    """
    return values[1:]


def tuple_reversed(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the elements in reverse order.

    Args:
        values: a tuple or list.

    Returns:
        A tuple.

    Follows: mindspore.ops.tuple_reversed (2.10).
    """
    return tuple(reversed(values))


def tuple_setitem(values: Sequence[Any], index: int, value: Any) -> tuple[Any, ...]:
    """Return a tuple in which one element is another.

    Args:
        values: a tuple or list; it stays as it is.
        index: which element.
        value: the other.

    Returns:
        A tuple.

    Follows: mindspore.ops.tuple_setitem (2.10).
    """
    return tuple(list_setitem(values, index, value))


def zip_operation(*sequences: Iterable[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return the elements of the sequences side by side, up to the shortest.

    Args:
        sequences: tuples or lists.

    Returns:
        A tuple of tuples.

    Follows: mindspore.ops.zip_operation (2.10).
    """
    return tuple(zip(*sequences, strict=False))


def _of_one(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let an operator of Python take its operand by the name that MindSpore's has."""

    def compute(x: Any) -> Any:
        return function(x)

    return compute


def _of_two(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Let an operator of Python take its operands by the names that MindSpore's have."""

    def compute(x: Any, y: Any) -> Any:
        return function(x, y)

    return compute


SAME = {
    "bool_eq": operator.eq,
    "bool_not": operator.not_,
    "dict_getitem": operator.getitem,
    "is_": operator.is_,
    "is_not": operator.is_not,
    "list_equal": operator.eq,
    "list_getitem": operator.getitem,
    "list_len": len,
    "make_slice": slice,
    "scalar_add": _of_two(operator.add),
    "scalar_div": _of_two(operator.truediv),
    "scalar_eq": _of_two(operator.eq),
    "scalar_floordiv": _of_two(operator.floordiv),
    "scalar_ge": _of_two(operator.ge),
    "scalar_gt": _of_two(operator.gt),
    "scalar_le": _of_two(operator.le),
    "scalar_log": _of_one(log),
    "scalar_lt": _of_two(operator.lt),
    "scalar_max": _of_two(max),
    "scalar_min": _of_two(min),
    "scalar_mod": _of_two(operator.mod),
    "scalar_mul": _of_two(operator.mul),
    "scalar_ne": _of_two(operator.ne),
    "scalar_pow": _of_two(operator.pow),
    "scalar_sub": _of_two(operator.sub),
    "scalar_uadd": _of_one(operator.pos),
    "scalar_usub": _of_one(operator.neg),
    "string_concat": operator.add,
    "string_eq": operator.eq,
    "tuple_equal": operator.eq,
    "tuple_getitem": operator.getitem,
    "tuple_len": len,
    "partial": partial,
}
for _name, _compute in SAME.items():
    if isinstance(_compute, FunctionType):  # pickle finds it by its public name
        _compute.__name__ = _compute.__qualname__ = _name
        _compute.__module__ = "msbridge.ops"
        _operands = "".join(f"    {_operand}: a number.\n" for _operand in _compute.__code__.co_varnames)
        _compute.__doc__ = (
            f"Compute what Python does: an operator of numbers.\n\nArgs:\n{_operands}\n"
            f"Returns:\n    A number, or a bool of a comparison.\n\nFollows: mindspore.ops.{_name} (2.10)."
        )
