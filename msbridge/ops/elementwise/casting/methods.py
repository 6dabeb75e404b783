"""Methods of Tensor."""

import builtins
from collections.abc import Callable
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

    Returns:
        A Tensor of the same shape and the dtype; it shares memory with this one if that has the dtype already.

    Raises:
        TypeError: there is no such dtype.

    Examples:
        >>> Tensor([1.5, 2.5]).astype(ms.int32).asnumpy().tolist()
        [1, 2]

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

    Args:
        self: the tensor.
        dtype: a MindSpore dtype or its name; None asks for the name of the present one.

    Returns:
        A Tensor of the same shape and the dtype, or a string.

    Follows: mindspore.Tensor.type (2.10).
    """
    return str(self.dtype) if dtype is None else astype(self, dtype)


def _cast(name: str, dtype: Type) -> Callable[[Tensor], Tensor]:
    """Return the method that changes the dtype to this one."""

    def cast(self: Tensor) -> Tensor:
        return astype(self, dtype)

    cast.__name__ = cast.__qualname__ = name
    cast.__doc__ = (
        f"Change the dtype to {dtype}; a tensor that has it shares its memory.\n\n"
        f"    Returns:\n        A Tensor of the same shape; {dtype}.\n\n"
        f"    Follows: mindspore.Tensor.{name} (2.10).\n    "
    )
    return cast


bool = _cast("bool", mstype.bool_)
byte = _cast("byte", mstype.uint8)
short = _cast("short", mstype.int16)
int = _cast("int", mstype.int32)
long = _cast("long", mstype.int64)
half = _cast("half", mstype.float16)
bfloat16 = _cast("bfloat16", mstype.bfloat16)
float = _cast("float", mstype.float32)
double = _cast("double", mstype.float64)
