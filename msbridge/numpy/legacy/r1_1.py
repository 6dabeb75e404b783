"""Functions of numpy of 1.1, which called numpy's own: Float64 and Int64 are made Float32 and Int32."""

from copy import deepcopy
from typing import Any

import numpy as np

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import float32
from msbridge.numpy import creation, ranges
from msbridge.numpy._faces import Array
from msbridge.numpy.dtypes import DType

_NARROW = {"f8": np.float32, "i8": np.int32}
_today_array, _today_asarray, _today_eye, _today_linspace = (
    creation.array,
    creation.asarray,
    creation.eye,
    ranges.linspace,
)


def _narrow(array: Any) -> Any:
    """Return the Tensor of an array of numpy, and what else there is itself."""
    if not isinstance(array, np.ndarray):
        return array
    return Tensor(array.astype(_NARROW.get(array.dtype.str[1:], array.dtype)))


def array(obj: Any, dtype: DType | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Make a tensor, of an array of numpy as well; a copy of a Parameter is one, Float64 with a new axis is Float32.

    Follows: mindspore.numpy.array (1.1).
    """
    if copy and dtype is None and isinstance(obj, Parameter) and ndmin <= obj.ndim:
        return deepcopy(obj)
    if dtype is None and isinstance(obj, Tensor) and obj.dtype == mstype.float64 and ndmin > obj.ndim:
        dtype = mstype.float32
    return _today_array(_narrow(obj), dtype, copy, ndmin)


def asarray(a: Any, dtype: DType | None = None) -> Tensor:
    """Make a tensor, of an array of numpy as well.

    Follows: mindspore.numpy.asarray (1.1).
    """
    return _today_asarray(_narrow(a), dtype)


def arange(*args: Any, **kwargs: Any) -> Tensor:
    """Count as numpy does, which may return nothing.

    Follows: mindspore.numpy.arange (1.1).
    """
    dtype = kwargs.pop("dtype", None)
    counted = np.arange(*args, **kwargs)
    if dtype is None:
        dtype = float if any(isinstance(each, float) for each in (*args, *kwargs.values())) else int
    if dtype in (int, float):
        return Tensor(counted.astype(np.float32 if dtype is float else np.int32))
    return _today_asarray(_narrow(counted), dtype)


def copy(a: Array) -> Any:
    """Return a copy: of a list a list, of a number the number.

    Follows: mindspore.numpy.copy (1.1).
    """
    if isinstance(a, Parameter):
        return deepcopy(a)
    return a.copy() if isinstance(a, Tensor | list) else a


def eye(N: float, M: float | None = None, k: int = 0, dtype: DType = float32) -> Tensor:
    """Make a matrix with ones on one diagonal; sizes are cut off to ints.

    Follows: mindspore.numpy.eye (1.1).
    """
    return _today_eye(int(N), None if M is None else int(M), k, dtype)


def identity(n: float, dtype: DType = float32) -> Tensor:
    """Make a square matrix with ones on the diagonal.

    Follows: mindspore.numpy.identity (1.1).
    """
    return eye(n, dtype=dtype)


def linspace(
    start: Array,
    stop: Array,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """Return `num` numbers at equal distances, which may be none; the distance is a number.

    Follows: mindspore.numpy.linspace (1.1).
    """
    if num == 0:
        return _narrow(np.empty(0, np.float32))
    found = _today_linspace(start, stop, num, endpoint, retstep, dtype, axis)
    if not retstep:
        return found
    return found[0], found[1].item() if isinstance(found[1], Tensor) else found[1]


OVERRIDES = {
    "numpy.arange": arange,
    "numpy.array": [array, Part(creation, "asarray", asarray)],
    "numpy.asarray": asarray,
    "numpy.copy": copy,
    "numpy.eye": eye,
    "numpy.identity": identity,
    "numpy.linspace": linspace,
}
