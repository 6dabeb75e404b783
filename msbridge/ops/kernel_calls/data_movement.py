"""The families of operators that move elements."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import dtype_name, explain
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype

Function = Callable[..., Any]


def rearrange(fn: Function, op: str, input: Tensor, *settings: Any) -> Tensor:
    """Apply `fn(data, *settings)`; the first setting is an axis, axes or a shape."""
    try:
        return wrap(fn(input._data, *settings))
    except Exception as error:
        return retry_in_wider_dtype(error, op, rearrange, fn, op, input, *settings, input=input, settings=settings)


def split_into_parts(fn: Function, op: str, input: Tensor, *settings: Any) -> tuple[Tensor, ...]:
    """Apply an `fn(data, *settings)` that returns several torch tensors."""
    try:
        return tuple(map(wrap, fn(input._data, *settings)))
    except Exception as error:
        return retry_in_wider_dtype(
            error, op, split_into_parts, fn, op, input, *settings, input=input, settings=settings
        )


def join_tensors(fn: Function, op: str, tensors: Sequence[Tensor], *settings: Any) -> Tensor:
    """Apply `fn([data, ...], *settings)` to a sequence of tensors."""
    try:
        if isinstance(tensors, Tensor):
            raise TypeError("a list or tuple of Tensors is wanted, not one Tensor.")
        return wrap(fn([tensor._data for tensor in tensors], *settings))
    except Exception as error:
        reason = error if not isinstance(tensors, list | tuple) or len(tensors) else ValueError("there is no tensor.")
        raise explain(reason, op, sequence=tensors) from error


def index_of(value: Any) -> int:
    """Return a Python int of an int-like value: numpy integers and Tensors of one integer.

    Raises:
        TypeError: `value` is not int-like.
    """
    try:
        return value if type(value) is int else operator.index(value)
    except ValueError as error:  # of a Tensor of something else than one integer
        raise TypeError(str(error)) from error


def sizes_of(shape: Any) -> tuple[int, ...]:
    """Return a shape or axes as a tuple of ints, from ints, sequences or Tensors.

    Raises:
        TypeError: `shape` is something else.
    """
    if isinstance(shape, str) or shape is None:
        raise TypeError(f"a tuple of ints is wanted, got {shape!r}.")
    return plain_shape(shape)


def data_of(value: Any) -> Any:
    """Return the torch tensor inside a Tensor; leave other values unchanged."""
    return value._data if isinstance(value, Tensor) else value


def long(data: torch.Tensor) -> torch.Tensor:
    """Return indices as int64, which torch's indexing wants.

    Raises:
        TypeError: they are not integers.
    """
    if data.dtype is torch.int64:
        return data
    if data.is_floating_point() or data.is_complex():
        raise TypeError(f"indices must be integers, got {dtype_name(data.dtype)}.")
    return data.long()


def bind_form(op: str, given: Sequence[Any], **named: Any) -> list[Any]:
    """Return the arguments of one form of a method that has several: those without a name are in `given`, in order.

    Raises:
        TypeError: one is missing, or there are too many.
    """
    rest = list(given)
    values = [rest.pop(0) if value is None and rest else value for value in named.values()]
    missing = [name for name, value in zip(named, values, strict=True) if value is None]
    if missing or rest:
        what = f"{', '.join(missing)} missing" if missing else f"{len(rest)} too many"
        raise TypeError(f"For '{op}', the arguments are ({', '.join(named)}); {what}.")
    return values


def select_at(fn: Function, op: str, input: Tensor, indices: Tensor, *settings: Any) -> Tensor:
    """Apply `fn(data, indices, *settings)`; an index out of range is a RuntimeError, as in MindSpore's kernels."""
    try:
        return wrap(fn(input._data, indices._data, *settings))
    except Exception as error:
        return retry_in_wider_dtype(
            error, op, select_at, fn, op, input, indices, *settings, input=input, indices=indices, settings=settings
        )


def scatter_at(fn: Function, op: str, input: Tensor, indices: Tensor, updates: Tensor, *settings: Any) -> Tensor:
    """Apply `fn(data, indices, updates, *settings)` and return its result."""
    try:
        return wrap(fn(input._data, indices._data, updates._data, *settings))
    except Exception as error:
        given = {"input": input, "indices": indices, "updates": updates}
        return retry_in_wider_dtype(error, op, scatter_at, fn, op, input, indices, updates, *settings, **given)


def scatter_in_place(fn: Function, op: str, input: Tensor, indices: Tensor, updates: Tensor, *settings: Any) -> Tensor:
    """Apply an `fn(data, indices, updates, *settings)` that writes into data, and return the values as a Tensor."""
    try:
        data = writable(input)
        fn(data, indices._data, updates._data)
        return wrap(data)
    except Exception as error:
        given = {"input": input, "indices": indices, "updates": updates}
        return retry_in_wider_dtype(error, op, scatter_in_place, fn, op, input, indices, updates, *settings, **given)
