"""Methods of Tensor."""

import builtins
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor.integer_gradients import dual_of
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type, from_numpy

_NAMED_DTYPES = {
    **{str(dtype.torch).removeprefix("torch."): dtype for dtype in (mstype.bool_, *mstype.NUMBERS)},
    "bool_": mstype.bool_,
    "int": mstype.int64,
    "float": mstype.float64,
    **{
        name: getattr(mstype, name)
        for name in (
            *("byte", "short", "intc", "intp", "long", "ubyte"),
            *("ushort", "uintc", "uintp", "half", "single", "double"),
        )
    },
    "longlong": mstype.int64,
    "ulonglong": mstype.uint64,
}


def astype(self: Tensor, dtype: Type | str | builtins.type, copy: builtins.bool = True) -> Tensor:
    """Change the dtype; a tensor that has it already shares its memory with the result.

    The gradient passes through a cast to integers as through any other; torch's would end there.

    Args:
        self: the tensor.
        dtype: a MindSpore dtype, its name, or a Python or numpy type.
        copy: without it, a tensor that has the dtype already is given back itself.

    Raises:
        TypeError: there is no such dtype.

    Follows: mindspore.Tensor.astype (2.10).
    """
    try:
        data = self._data.to(dtype.torch)  # type: ignore[union-attr]
    except Exception:
        data = self._data.to(_dtype_of(dtype).torch)
    if self._data.requires_grad and not data.requires_grad and torch.is_grad_enabled():
        data = dual_of(data, self._data)
    if data is self._data:
        if getattr(dtype, "torch", data) is None:  # torch takes it for its own
            _dtype_of(dtype)
        return twin(self) if copy else self
    return wrap(data)


def _dtype_of(name: Any) -> Type:
    if isinstance(name, Type) and name.torch is not None:
        return name
    if isinstance(name, str) and name.lower() in _NAMED_DTYPES:
        return _NAMED_DTYPES[name.lower()]
    if isinstance(name, np.dtype | builtins.type):
        try:
            return from_numpy(name)
        except TypeError:
            pass
    raise TypeError(
        f"For Tensor.astype, dtype must be a MindSpore dtype, one of {sorted(_NAMED_DTYPES)}, or a Python or numpy "
        f"type of numbers, got {name!r}."
    )


def type(self: Tensor, dtype: Type | str | None = None) -> Any:
    """Change the dtype; without one, return the name of the dtype.

    Follows: mindspore.Tensor.type (2.10).
    """
    return str(self.dtype) if dtype is None else astype(self, dtype)


def bool(self: Tensor) -> Tensor:
    """Return a Bool tensor.

    Follows: mindspore.Tensor.bool (2.10).
    """
    return astype(self, mstype.bool_)


def byte(self: Tensor) -> Tensor:
    """Return a UInt8 tensor.

    Follows: mindspore.Tensor.byte (2.10).
    """
    return astype(self, mstype.uint8)


def short(self: Tensor) -> Tensor:
    """Return a Int16 tensor.

    Follows: mindspore.Tensor.short (2.10).
    """
    return astype(self, mstype.int16)


def int(self: Tensor) -> Tensor:
    """Return a Int32 tensor.

    Follows: mindspore.Tensor.int (2.10).
    """
    return astype(self, mstype.int32)


def long(self: Tensor) -> Tensor:
    """Return a Int64 tensor.

    Follows: mindspore.Tensor.long (2.10).
    """
    return astype(self, mstype.int64)


def half(self: Tensor) -> Tensor:
    """Return a Float16 tensor.

    Follows: mindspore.Tensor.half (2.10).
    """
    return astype(self, mstype.float16)


def bfloat16(self: Tensor) -> Tensor:
    """Return a BFloat16 tensor.

    Follows: mindspore.Tensor.bfloat16 (2.10).
    """
    return astype(self, mstype.bfloat16)


def float(self: Tensor) -> Tensor:
    """Return a Float32 tensor.

    Follows: mindspore.Tensor.float (2.10).
    """
    return astype(self, mstype.float32)


def double(self: Tensor) -> Tensor:
    """Return a Float64 tensor.

    Follows: mindspore.Tensor.double (2.10).
    """
    return astype(self, mstype.float64)
