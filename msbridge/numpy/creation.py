"""New tensors: of given values, filled, counted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import at_least
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import describe, explaining
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32, pytype_to_dtype
from msbridge.numpy._faces import Array, Data, axis_in, cast, data_of, shape_of, tensor_of
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.framework.creation import functions as creation

Shape = int | Sequence[int] | Tensor


def array(obj: Array, dtype: DType | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Make a tensor: ints become Int32, floats Float32, Tensors keep their dtype.

    Args:
        obj: a Tensor, a number, or nested lists of them.
        dtype: the dtype of the result.
        copy: whether a Tensor is copied.
        ndmin: how many axes there are at least; new ones come first.

    Raises:
        TypeError: `obj` is something else, such as a numpy array.
        ValueError: a list is ragged.

    Follows: mindspore.numpy.array (2.10).
    """
    result = asarray(obj, dtype)
    if copy and result is obj:
        result = result.copy()
    missing = ndmin - result.ndim
    return wrap(result._data.reshape((1,) * missing + result.shape)) if missing > 0 else result


def asarray(a: Array, dtype: DType | None = None) -> Tensor:
    """Make a tensor; a Tensor of the right dtype is itself.

    Follows: mindspore.numpy.asarray (2.10).
    """
    if type(a) is int and dtype is not None:
        return Tensor(a, type_of(dtype))
    tensor = tensor_of(a, "asarray", "a")
    return tensor if dtype is None or tensor.dtype == type_of(dtype) else cast(tensor, dtype)


def asfarray(a: Array, dtype: DType | None = float32) -> Tensor:
    """Make a tensor of floats; a dtype of integers becomes Float32.

    Follows: mindspore.numpy.asfarray (2.10).
    """
    if dtype is None:
        return asarray(a)
    target = type_of(dtype)
    target = target if target.torch is not None and target.torch.is_floating_point else float32
    tensor = asarray(a)
    return twin(tensor) if tensor.dtype == target else cast(tensor, target)


def copy(a: Array) -> Tensor:
    """Return a tensor of the same values in memory of its own.

    Follows: mindspore.numpy.copy (2.10).
    """
    return array(a)


def zeros(shape: Shape, dtype: DType = float32) -> Tensor:
    """Make a tensor of zeros.

    Raises:
        TypeError: `shape` holds something else than ints.
        ValueError: a size is negative.

    Follows: mindspore.numpy.zeros (2.10).
    """
    return creation.zeros(shape_of("zeros", shape), type_of(dtype))


def ones(shape: Shape, dtype: DType = float32) -> Tensor:
    """Make a tensor of ones.

    Follows: mindspore.numpy.ones (2.10).
    """
    return creation.ones(shape_of("ones", shape), type_of(dtype))


def empty(shape: Shape, dtype: DType = float32) -> Tensor:
    """Make a tensor whose values are not set.

    Follows: mindspore.numpy.empty (2.10).
    """
    return wrap(torch.empty(shape_of("empty", shape), dtype=type_of(dtype).torch, device=torch_device()))


@explaining
def full(shape: Shape, fill_value: Array, dtype: DType | None = None) -> Tensor:
    """Make a tensor of one value, or of values that broadcast to `shape`.

    Follows: mindspore.numpy.full (2.10).
    """
    return cast(_spread("full", fill_value, shape_of("full", shape)), dtype)


def zeros_like(a: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of zeros, of the shape and dtype of `a` where none are given.

    Follows: mindspore.numpy.zeros_like (2.10).
    """
    return zeros(*_like("zeros_like", a, dtype, shape))


def ones_like(a: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of ones, of the shape and dtype of `a` where none are given.

    Follows: mindspore.numpy.ones_like (2.10).
    """
    return ones(*_like("ones_like", a, dtype, shape))


def empty_like(prototype: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor whose values are not set, of the shape and dtype of `prototype` where none are given.

    Follows: mindspore.numpy.empty_like (2.10).
    """
    return empty(*_like("empty_like", prototype, dtype, shape))


def full_like(a: Array, fill_value: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of one value, of the shape and dtype of `a` where none are given.

    Follows: mindspore.numpy.full_like (2.10).
    """
    size, target = _like("full_like", a, dtype, shape)
    return full(size, fill_value, target)


def arange(
    start: float | Tensor,
    stop: float | Tensor | None = None,
    step: float | Tensor | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """Count from `start` (0 where only one number is given) up to, not with, `stop`: ints yield Int32, others Float32.

    Raises:
        TypeError: an argument is not a number.
        ValueError: there is nothing to count.
        ZeroDivisionError: the step is 0.

    Follows: mindspore.numpy.arange (2.10).
    """
    given = (0 if stop is None else start, start if stop is None else stop, 1 if step is None else step)
    first, last, by = (_number(value) for value in given)
    if by == 0:
        raise ZeroDivisionError("For 'arange', the step must not be 0.")
    if (last > first) != (by > 0) or last == first:
        raise ValueError(f"For 'arange', there is nothing from {first} to {last} in steps of {by}.")
    whole = all(isinstance(value, int) for value in given)
    data = torch.arange(first, last, by, dtype=torch.int64 if whole else torch.float64, device=torch_device())
    if isinstance(dtype, type):  # Python's `float` means Float64 here
        return wrap(data.to(pytype_to_dtype(dtype).torch))
    return wrap(data.to(torch.int32 if whole else torch.float32)) if dtype is None else cast(wrap(data), dtype)


@explaining
def linspace(
    start: Array,
    stop: Array,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """Return `num` numbers at equal distances, Float32; with `retstep` the distance, too.

    Args:
        start: the first.
        stop: the last, or with `endpoint=False` the one after the last.
        num: how many.
        endpoint: whether `stop` is one of them.
        retstep: whether to return `(numbers, distance)`.
        dtype: the dtype of the result.
        axis: where the new axis is when `start` or `stop` have axes.

    Follows: mindspore.numpy.linspace (2.10).
    """
    data, distance = _space_evenly("linspace", start, stop, num, endpoint, axis)
    result = cast(wrap(data), dtype)
    if not retstep:
        return result
    return result, torch.nan if distance is None else wrap(distance)


@explaining
def logspace(
    start: Array,
    stop: Array,
    num: int = 50,
    endpoint: bool = True,
    base: float | Tensor = 10.0,
    dtype: DType | None = None,
    axis: int = 0,
) -> Tensor:
    """Return `num` powers of `base`, the exponents at equal distances.

    Follows: mindspore.numpy.logspace (2.10).
    """
    exponents, _ = _space_evenly("logspace", start, stop, num, endpoint, axis)
    return cast(wrap(torch.pow(data_of(base, "logspace", "base").float(), exponents)), dtype)


@explaining
def geomspace(
    start: Array, stop: Array, num: int = 50, endpoint: bool = True, dtype: DType | None = None, axis: int = 0
) -> Tensor:
    """Return `num` numbers of which each is the one before by the same factor.

    Follows: mindspore.numpy.geomspace (2.10).
    """
    first, last = (data_of(value, "geomspace").double() for value in (start, stop))
    exponents, _ = _space_evenly(
        "geomspace", wrap(torch.zeros_like(first)), wrap((last / first).log()), num, endpoint, axis
    )
    values = exponents.exp() * (first.unsqueeze(axis) if first.dim() else first)
    if dtype is not None and not type_of(dtype).torch.is_floating_point:  # type: ignore[union-attr]
        values = values + 1e-6 * values.abs()  # 999.9999 means 1000
    return cast(wrap(values.float()), dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: DType = float32) -> Tensor:
    """Make a matrix with ones on one diagonal.

    Raises:
        TypeError: a size or `k` is not an int.
        ValueError: a size is negative.

    Follows: mindspore.numpy.eye (2.10).
    """
    if not isinstance(k, int):
        raise TypeError(f"For 'eye', k must be an int, got {k!r}.")
    rows, columns = _sizes("eye", N, M)
    ahead = torch.arange(columns, device=torch_device()) - torch.arange(rows, device=torch_device())[:, None]
    return elementwise.cast(wrap(ahead == k), type_of(dtype))


def identity(n: int, dtype: DType = float32) -> Tensor:
    """Make a square matrix with ones on the diagonal.

    Follows: mindspore.numpy.identity (2.10).
    """
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DType = float32) -> Tensor:
    """Make a matrix with ones on and below a diagonal.

    Follows: mindspore.numpy.tri (2.10).
    """
    return creation.tril(ones(_sizes("tri", N, M), dtype), k)


def vander(x: Array, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the powers N-1 … 0 (or 0 … N-1) of each element, a row each.

    Raises:
        ValueError: `x` is not a vector.

    Follows: mindspore.numpy.vander (2.10).
    """
    tensor = tensor_of(x, "vander", "x")
    if tensor.ndim != 1:
        raise ValueError(f"For 'vander', x must have one axis, got shape {tensor.shape}.")
    powers = creation.vander(tensor, N)._data.to(tensor._data.dtype)
    return wrap(powers.flip(-1) if increasing else powers)


def _like(op: str, a: Array, dtype: DType | None, shape: Shape | None) -> tuple[tuple[int, ...], Type]:
    tensor = tensor_of(a, op, "a")
    return shape_of(op, tensor.shape if shape is None else shape), tensor.dtype if dtype is None else type_of(dtype)


def _spread(op: str, value: Array, shape: tuple[int, ...]) -> Tensor:
    data = data_of(value, op, "fill_value")
    try:
        return wrap(data.broadcast_to(shape).clone())
    except RuntimeError as error:
        raise ValueError(f"For '{op}', fill_value of shape {tuple(data.shape)} does not go into {shape}.") from error


def _number(value: float | Tensor) -> float:
    number = value.item() if isinstance(value, Tensor | np.number) else value
    if not isinstance(number, int | float):
        raise TypeError(f"For 'arange', start, stop and step must be numbers, got {describe(number)}.")
    return number


def _space_evenly(op: str, start: Array, stop: Array, num: int, endpoint: bool, axis: int) -> tuple[Data, Data | None]:
    """Return numbers at equal distances, and the distance, if there is one."""
    if not isinstance(num, int):
        raise TypeError(f"For '{op}', num must be an int, got {describe(num)}.")
    at_least(num, "num", op, 1)
    first, last = torch.broadcast_tensors(data_of(start, op, "start"), data_of(stop, op, "stop"))
    first, last = first.double(), last.double()
    gaps = num - 1 if endpoint else num
    steps = torch.arange(num, dtype=first.dtype, device=first.device)  # float32 where the device has no float64
    place = axis_in(axis, first.dim() + 1, op)
    if gaps == 0:
        return first.float().unsqueeze(place), None
    shape = [num if index == place else 1 for index in range(first.dim() + 1)]
    weights = (steps / gaps).reshape(shape)
    values = torch.lerp(first.unsqueeze(place), last.unsqueeze(place), weights)
    return values.float(), ((last - first) / gaps).float()


def _sizes(op: str, rows: int, columns: int | None) -> tuple[int, int]:
    sizes = (rows, rows if columns is None else columns)
    if not all(isinstance(size, int) for size in sizes):
        raise TypeError(f"For '{op}', N and M must be ints, got {describe(rows)} and {describe(columns)}.")
    if min(sizes) < 0:
        raise ValueError(f"For '{op}', N and M must not be negative, got {rows} and {columns}.")
    return sizes
