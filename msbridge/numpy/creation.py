"""New tensors: of given values, filled, counted."""

from collections.abc import Sequence

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import describe, explaining
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32
from msbridge.numpy._faces import Array, cast, data_of, shape_of, tensor_of
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.framework.grids import functions as grids
from msbridge.ops.shape.diagonals import functions as diagonals

Shape = int | Sequence[int] | Tensor


def array(obj: Array, dtype: DType | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Make a tensor: ints become Int32, floats Float32, Tensors keep their dtype.

    Args:
        obj: a Tensor, a number, or nested lists of them.
        dtype: the dtype of the result.
        copy: whether a Tensor is copied.
        ndmin: how many axes there are at least; new ones come first.

    Returns:
        A Tensor.

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

    Args:
        a: a Tensor, a number, or nested lists of them.
        dtype: of the result; None keeps that of a Tensor.

    Returns:
        A Tensor.

    Follows: mindspore.numpy.asarray (2.10).
    """
    if type(a) is int and dtype is not None:
        return Tensor(a, type_of(dtype))
    tensor = tensor_of(a, "asarray", "a")
    return tensor if dtype is None or tensor.dtype == type_of(dtype) else cast(tensor, dtype)


def asfarray(a: Array, dtype: DType | None = float32) -> Tensor:
    """Make a tensor of floats; a dtype of integers becomes Float32.

    Args:
        a: a Tensor, a number, or nested lists of them.
        dtype: of the result; None keeps that of a Tensor or list, and integers become Float32.

    Returns:
        A Tensor.

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

    Args:
        shape, dtype: as in every filled tensor.

    Returns:
        A Tensor of this shape and dtype.

    Raises:
        TypeError: `shape` holds something else than ints.
        ValueError: a size is negative.

    Follows: mindspore.numpy.zeros (2.10).
    """
    return creation.zeros(shape_of("zeros", shape), type_of(dtype))


def ones(shape: Shape, dtype: DType = float32) -> Tensor:
    """Make a tensor of ones.

    Args:
        shape, dtype: as in every filled tensor.

    Returns:
        A Tensor of this shape and dtype.

    Follows: mindspore.numpy.ones (2.10).
    """
    return creation.ones(shape_of("ones", shape), type_of(dtype))


def empty(shape: Shape, dtype: DType = float32) -> Tensor:
    """Make a tensor whose values are not set.

    Args:
        shape, dtype: as in every filled tensor.

    Returns:
        A Tensor of this shape and dtype.

    Follows: mindspore.numpy.empty (2.10).
    """
    return wrap(torch.empty(shape_of("empty", shape), dtype=type_of(dtype).torch, device=torch_device()))


@explaining
def full(shape: Shape, fill_value: Array, dtype: DType | None = None) -> Tensor:
    """Make a tensor of one value, or of values that broadcast to `shape`.

    Args:
        shape: as in every filled tensor.
        fill_value: a number, or an array that broadcasts to `shape`.
        dtype: of the result; None for that of the value.

    Returns:
        A Tensor of this shape and dtype.

    Follows: mindspore.numpy.full (2.10).
    """
    return cast(_spread("full", fill_value, shape_of("full", shape)), dtype)


def zeros_like(a: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of zeros, of the shape and dtype of `a` where none are given.

    Args:
        a: a Tensor, or nested lists.
        dtype: of the result; None for that of `a`.
        shape: of the result; None for that of `a`.

    Returns:
        A Tensor.

    Follows: mindspore.numpy.zeros_like (2.10).
    """
    return zeros(*_like("zeros_like", a, dtype, shape))


def ones_like(a: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of ones, of the shape and dtype of `a` where none are given.

    Args:
        a: a Tensor, or nested lists.
        dtype: of the result; None for that of `a`.
        shape: of the result; None for that of `a`.

    Returns:
        A Tensor.

    Follows: mindspore.numpy.ones_like (2.10).
    """
    return ones(*_like("ones_like", a, dtype, shape))


def empty_like(prototype: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor whose values are not set, of the shape and dtype of `prototype` where none are given.

    Args:
        prototype: a Tensor, or nested lists.
        dtype: of the result; None for that of `prototype`.
        shape: of the result; None for that of `prototype`.

    Returns:
        A Tensor.

    Follows: mindspore.numpy.empty_like (2.10).
    """
    return empty(*_like("empty_like", prototype, dtype, shape))


def full_like(a: Array, fill_value: Array, dtype: DType | None = None, shape: Shape | None = None) -> Tensor:
    """Make a tensor of one value, of the shape and dtype of `a` where none are given.

    Args:
        a: a Tensor, or nested lists.
        fill_value: a number, or an array that broadcasts to the shape.
        dtype: of the result; None for that of `a`.
        shape: of the result; None for that of `a`.

    Returns:
        A Tensor.

    Follows: mindspore.numpy.full_like (2.10).
    """
    size, target = _like("full_like", a, dtype, shape)
    return full(size, fill_value, target)


def eye(N: int, M: int | None = None, k: int = 0, dtype: DType = float32) -> Tensor:
    """Make a matrix with ones on one diagonal.

    Args:
        N: how many rows.
        M: how many columns; None for as many.
        k: which diagonal; 0 is the main one, positive ones are above.
        dtype: of the result.

    Returns:
        A Tensor of shape (N, M).

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

    Args:
        n: how many rows and columns.
        dtype: of the result.

    Returns:
        A Tensor of shape (n, n).

    Follows: mindspore.numpy.identity (2.10).
    """
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DType = float32) -> Tensor:
    """Make a matrix with ones on and below a diagonal.

    Args:
        N: how many rows.
        M: how many columns; None for as many.
        k: which diagonal; 0 is the main one, positive ones are above.
        dtype: of the result.

    Returns:
        A Tensor of shape (N, M).

    Follows: mindspore.numpy.tri (2.10).
    """
    return diagonals.tril(ones(_sizes("tri", N, M), dtype), k)


def vander(x: Array, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the powers N-1 … 0 (or 0 … N-1) of each element, a row each.

    Args:
        x: shape (n,); any dtype but Bool and Float16.
        N: how many powers; None for n.
        increasing: whether they grow from left to right.

    Returns:
        A Tensor of shape (n, N) and the dtype of `x`.

    Raises:
        ValueError: `x` is not a vector.

    Follows: mindspore.numpy.vander (2.10).
    """
    tensor = tensor_of(x, "vander", "x")
    if tensor.ndim != 1:
        raise ValueError(f"For 'vander', x must have one axis, got shape {tensor.shape}.")
    powers = grids.vander(tensor, N)._data.to(tensor._data.dtype)
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


def _sizes(op: str, rows: int, columns: int | None) -> tuple[int, int]:
    sizes = (rows, rows if columns is None else columns)
    if not all(isinstance(size, int) for size in sizes):
        raise TypeError(f"For '{op}', N and M must be ints, got {describe(rows)} and {describe(columns)}.")
    if min(sizes) < 0:
        raise ValueError(f"For '{op}', N and M must not be negative, got {rows} and {columns}.")
    return sizes
