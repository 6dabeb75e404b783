"""The dtypes under numpy's names, the constants, and the results of mixing dtypes."""

import math

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import (
    Type,
    bool_,
    dtype_to_torch,
    float16,
    float32,
    float64,
    from_torch,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

__all__ = [
    "NINF",
    "PINF",
    "bool_",
    "float16",
    "float32",
    "float64",
    "float_",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "nan",
    "numeric_types",
    "pi",
    "promote_types",
    "result_type",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

int_, uint, float_ = int32, uint32, float32
pi, inf, nan, PINF, NINF = math.pi, math.inf, math.nan, math.inf, -math.inf
numeric_types = [
    *("int_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float_", "float16", "float32", "float64", "bool_"),
]
DType = Type | str | type
"""What an argument `dtype` may be: `mindspore.float32`, "float32", `float`, `numpy.float32`."""

_NAMED: dict[str, Type] = {
    **{name: getattr(mstype, name) for name in numeric_types if name[-1] != "_"},
    "int": int32,
    "int_": int32,
    "uint": uint32,
    "float": float32,
    "float_": float32,
    "bool": bool_,
    "bool_": bool_,
    "i1": int8,
    "i2": int16,
    "i4": int32,
    "i8": int64,
    "u1": uint8,
    "u2": uint16,
    "u4": uint32,
    "u8": uint64,
    "f2": float16,
    "f4": float32,
    "f8": float64,
    "bfloat16": mstype.bfloat16,
    "complex64": mstype.complex64,
    "complex128": mstype.complex128,
}


_PYTHON = {bool: bool_, int: int32, float: float32}


def type_of(dtype: DType) -> Type:
    """Return the dtype that an argument names.

    Raises:
        TypeError: it names none.
    """
    kind = _NAMED.get(dtype) if isinstance(dtype, str) else dtype
    if isinstance(kind, type):
        kind = mstype.from_numpy(kind) if issubclass(kind, np.generic) else _PYTHON.get(kind)
    if not isinstance(kind, Type) or kind.torch is None:
        raise TypeError(f"dtype must be a mindspore dtype, or one of {', '.join(_NAMED)}; got {dtype!r}.")
    return kind


def promote_types(type1: DType, type2: DType) -> Type:
    """Return the dtype that results when two are mixed.

    Args:
        type1: a dtype, its name, or Python's int, float or bool.
        type2: likewise.

    Returns:
        A dtype.

    Follows: mindspore.numpy.promote_types (2.10).
    """
    return from_torch(torch.promote_types(dtype_to_torch(type_of(type1)), dtype_to_torch(type_of(type2))))


def result_type(*arrays_and_dtypes: Tensor | DType | bool | int | float) -> Type:
    """Return the dtype that results when tensors, numbers and dtypes are mixed.

    Args:
        arrays_and_dtypes: Tensors, numbers and dtypes.

    Returns:
        A dtype.

    Follows: mindspore.numpy.result_type (2.10).
    """
    types = [_type_of_any(item) for item in arrays_and_dtypes]
    found = types[0]
    for other in types[1:]:
        found = promote_types(found, other)
    return found


def _type_of_any(item: Tensor | DType | bool | int | float) -> Type:
    if isinstance(item, Tensor):
        return item.dtype
    if isinstance(item, bool | int | float):
        return bool_ if isinstance(item, bool) else int32 if isinstance(item, int) else float32
    return type_of(item)
