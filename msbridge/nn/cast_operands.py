"""Parameters that are cast where MindSpore's compiler casts them: as operands of what it has no source of.

Under `to_float` the compiler casts a Parameter that goes into a primitive, however Python wrote it. What has a
source (the functions of `ops`, some methods) gets the Parameter itself, and asks it for its dtype:

    def construct(self, x):
        x * self.w, -self.w, self.w.exp()       Float16: operators, and methods that are primitives
        ops.MatMul()(x, self.w)                 Float16: a primitive
        ops.stack((x, self.w)), [self.w, x]     Float16: an element of a tuple, list or dict
        self.w.dtype, self.w[0], self.w @ x     Float32
        ops.exp(self.w), self.w.sum()           Float32
"""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import torch

from msbridge.core.autograd.pytree import map_tensors
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import wrap
from msbridge.core.tensor.thread_local_data import Borrowed, put_back, put_in_place, show_as
from msbridge.ops.precision import operator_of

__all__ = ["cast_elements", "operands_cast"]

_OPERATORS = """
    abs add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg invert round
    eq ne lt le gt ge and or xor
"""
_METHODS = """
    abs absolute atanh bfloat16 broadcast_to ceil clamp clip cos cosh div divide erf erfc exp expm1 floor gather half
    hardshrink lerp log log1p masked_fill maximum minimum nan_to_num neg negative new_ones new_zeros reciprocal reshape
    round rsqrt select sigmoid sin sinc sinh sqrt square subtract tan tanh triu true_divide trunc view
"""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.precisions: dict[int, torch.dtype] = {}  # what Parameters are cast to, by identity


_thread = _Thread()


class _Operand(Borrowed):
    """Comes before the class of a Parameter that some thread casts where it is an operand."""

    __slots__ = ()

    @property
    def _data(self) -> torch.Tensor:
        data = super()._data
        precision = _thread.precisions.get(id(self))
        return data if precision is None or not _is_operand(self, sys._getframe(1)) else data.to(precision)

    @_data.setter
    def _data(self, data: torch.Tensor) -> None:
        Borrowed._data.__set__(self, data)  # type: ignore[attr-defined]  # a property


def _is_operand(parameter: Any, reader: FrameType) -> bool:
    """Whether a Parameter is read for a primitive, or out of a tuple or list that an operator was given."""
    operator = operator_of(reader)
    if operator is None:
        return False
    if operator.f_code.co_qualname.endswith(".__call__"):
        return True
    given = (value for value in operator.f_locals.values() if type(value) in (tuple, list))
    return any(one is parameter for values in given for one in values)


def _cast_parameter(value: Any) -> Any:
    """Return the cast of a Parameter that this thread casts; anything else itself."""
    precision = _thread.precisions.get(id(value))
    return value if precision is None else wrap(value._data.to(precision))


def cast_elements(value: Any) -> Any:
    """Return a graph's result with casts of the Parameters in tuples, lists and dicts."""
    return map_tensors(_cast_parameter, value) if isinstance(value, tuple | list | dict) else value


def _on_cast(name: str) -> Callable[..., Any]:
    """Return the method of a name that computes with casts."""

    def compute(self: Any, *args: Any, **kwargs: Any) -> Any:
        if id(self) not in _thread.precisions:
            return getattr(super(_Operand, self), name)(*args, **kwargs)
        return getattr(_cast_parameter(self), name)(*map(_cast_parameter, args), **kwargs)

    return compute


for _name in (*_METHODS.split(), *(f"__{name}__" for name in _OPERATORS.split())):
    setattr(_Operand, _name, _on_cast(_name))


@contextmanager
def operands_cast(parameters: Sequence[Parameter], precision: torch.dtype) -> Iterator[None]:
    """Within this block, Parameters are cast in this thread where MindSpore's compiler casts them."""
    before = _thread.precisions
    datas = [parameter._data for parameter in parameters]
    lent = put_in_place(parameters, datas)
    show_as(parameters, _Operand)
    _thread.precisions = before | dict.fromkeys(map(id, parameters), precision)
    try:
        yield
    finally:
        _thread.precisions = before
        for parameter, data, current in zip(parameters, datas, put_back(parameters, lent), strict=True):
            if current is not data:  # what was put in its place meanwhile is kept
                with torch.no_grad():
                    parameter._data.copy_(current)
