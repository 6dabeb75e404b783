"""Tensors, Parameters, initializers and settings as r1.0 had them."""

import inspect
from collections.abc import Iterable
from typing import Any

from msbridge.core.context.settings import CONTEXT_KEYS, Key
from msbridge.core.parameter.initializer import _INITIALIZER_ALIAS, Initializer
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.random import seeds
from msbridge.core.releases.overrides import Earlier
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float_type, int_type, string, tensor_type, uint_type

_today_tensor, _today_parameter, _today_set = Tensor.__init__, Parameter.__init__, Parameter.set_data
_today_seed, _today_repr = seeds.set_seed, Type.__repr__


def _tensor(self: Tensor, *args: Any, **kwargs: Any) -> None:
    """Construct a Tensor; there were no complex ones."""
    _today_tensor(self, *args, **kwargs)
    if self._data.is_complex():
        raise TypeError("For 'Tensor', the values must be bools, ints or floats, but got complex numbers.")


_tensor.__signature__ = inspect.signature(  # type: ignore[attr-defined]
    lambda self, input_data, dtype=None: None
)


def _parameter(self: Parameter, default_input: Any, name: str | None, *args: Any, **kwargs: Any) -> None:
    """Construct a Parameter, whose name is required."""
    _today_parameter(self, default_input, name, *args, **kwargs)


def _set_data(self: Parameter, data: Any, slice_shape: bool = False) -> Parameter:
    """Replace the values; they have the shape of the parameter.

    Follows: mindspore.Parameter.set_data (1.0).
    """
    if isinstance(data, float) and self.dtype in int_type:  # refused for its type, not for its shape
        return _today_set(self, data, slice_shape)
    shape = data.shape if isinstance(data, Tensor) else ()
    if not slice_shape and isinstance(data, Tensor | int | float) and shape != self.shape:
        raise ValueError(f"For 'Parameter.set_data', the shape must stay {self.shape}, but got {shape}.")
    if isinstance(data, Tensor) and self.dtype in (*int_type, *uint_type) and data.dtype in float_type:
        raise TypeError(f"For 'Parameter.set_data', {data.dtype} does not become {self.dtype} by itself.")
    return _today_set(self, data, slice_shape)


def _parameters(cls: type[ParameterTuple], iterable: Iterable[Parameter]) -> ParameterTuple:
    """Return a tuple of Parameters, which may share names."""
    items = tuple(iterable)
    if not all(isinstance(item, Parameter) for item in items):
        raise TypeError("For 'ParameterTuple', all elements must be 'Parameter'.")
    return tuple.__new__(cls, items)


def _named(name: str) -> type[Initializer]:
    """Return the class of an initializer."""
    return _INITIALIZER_ALIAS[name.lower()]  # a KeyError where there is none


def _set_seed(seed: int) -> None:
    """Seed everything that draws; True is 1.

    Follows: mindspore.set_seed (1.0).
    """
    _today_seed(int(seed) if isinstance(seed, bool) else seed)


def _repr(self: Type) -> str:
    return "mindspore.string" if self is string else _today_repr(self)


ROWS = [
    Earlier("core.context.context.CONTEXT_KEYS", "1.1", {**CONTEXT_KEYS, "save_graphs": Key((bool,), False)}),
    Earlier("core.types.dtype.Type.__repr__", "1.1", _repr),
    Earlier("core.types.dtype.tensor", "1.1", tensor_type),
    Earlier(
        "core.parameter.initializer._initializer_of_name",
        "1.1",
        _named,
        seen="an unknown name given to `initializer` is a KeyError",
    ),
    Earlier("core.parameter.parameter.Parameter.__init__", "1.1", _parameter),
    Earlier("core.parameter.parameter.Parameter.set_data", "2.3", _set_data),
    Earlier("core.parameter.parameter.ParameterTuple.__new__", "1.1", _parameters),
    Earlier("core.random.seeds.set_seed", "1.1", _set_seed),
    Earlier("core.tensor.tensor.Tensor.__init__", "1.1", _tensor),
]
