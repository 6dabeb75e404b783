"""Functions of numpy of 1.10."""

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int32
from msbridge.numpy import creation, reduction
from msbridge.numpy._faces import Array
from msbridge.numpy.dtypes import DType

_today_argmax, _today_argmin, _today_array = reduction.argmax, reduction.argmin, creation.array


def argmax(a: Array, axis: int | None = None) -> Tensor:
    """Return the place of the largest element along an axis, or in the flattened tensor, Int32.

    Follows: mindspore.numpy.argmax (1.10).
    """
    return _today_argmax(a, axis).astype(int32)


def argmin(a: Array, axis: int | None = None) -> Tensor:
    """Return the place of the smallest element along an axis, or in the flattened tensor, Int32.

    Follows: mindspore.numpy.argmin (1.10).
    """
    return _today_argmin(a, axis).astype(int32)


def array(obj: Array, dtype: DType | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Make a tensor; a copy of a Parameter is none.

    Follows: mindspore.numpy.array (1.10).
    """
    made = _today_array(obj, dtype, copy, ndmin)
    return wrap(made._data) if copy and isinstance(made, Parameter) else made


def copy(a: Array) -> Tensor:
    """Return a tensor of the same values in memory of its own.

    Follows: mindspore.numpy.copy (1.10).
    """
    return array(a)


OVERRIDES = {
    "numpy.argmax": argmax,
    "numpy.argmin": argmin,
    "numpy.array": array,
    "numpy.copy": copy,
}
