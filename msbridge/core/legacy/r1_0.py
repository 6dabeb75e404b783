"""Tensors, Parameters, initializers and settings as r1.0 had them."""

import inspect
from collections.abc import Iterable
from typing import Any

from msbridge.core.context import context
from msbridge.core.context.settings import CONTEXT_KEYS, Key
from msbridge.core.legacy.parameter_class import construct
from msbridge.core.parameter import initializer
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.random import seeds
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float_type, int_type, string, tensor_type, uint_type

_today_tensor, _today_set = Tensor.__init__, Parameter.set_data
_today_clone = Parameter.clone
_today_seed = seeds.set_seed
_PATHS = {"Float": "float_", "Int": "int_", string.name: "string"}


def _tensor(self: Tensor, *args: Any, **kwargs: Any) -> None:
    """Construct a Tensor; there were no complex ones."""
    _today_tensor(self, *args, **kwargs)
    if self._data.dtype.is_complex:
        raise TypeError("For 'Tensor', the values must be bools, ints or floats, but got complex numbers.")


_tensor.__signature__ = inspect.signature(  # type: ignore[attr-defined]
    lambda self, input_data, dtype=None: None
)


def _parameter(self: Parameter, default_input: Any, name: str | None, *args: Any, **kwargs: Any) -> None:
    """Construct a Parameter, whose name is required."""
    construct(self, default_input, name, *args, **kwargs)


def _set_data(self: Parameter, data: Any, slice_shape: bool = False) -> Parameter:
    """Replace the values; they have the shape of the parameter.

    Follows: mindspore.Parameter.set_data (1.0).
    """
    if isinstance(data, float) and self.dtype in int_type:  # refused for its type, not for its shape
        return _today_set(self, data, slice_shape)
    shape = tuple(data.shape) if isinstance(data, Tensor) else ()  # of a MetaTensor, a list
    if not slice_shape and isinstance(data, Tensor | int | float) and shape != self.shape:
        raise ValueError(f"For 'Parameter.set_data', the shape must stay {self.shape}, but got {shape}.")
    if isinstance(data, Tensor) and self.dtype in (*int_type, *uint_type) and data.dtype in float_type:
        raise TypeError(f"For 'Parameter.set_data', {data.dtype} does not become {self.dtype} by itself.")
    return _today_set(self, data, slice_shape)


def share_names(cls: type[ParameterTuple], iterable: Iterable[Parameter]) -> ParameterTuple:
    """Return a tuple of Parameters, which may share names."""
    items = tuple(iterable)
    if not all(isinstance(item, Parameter) for item in items):
        raise TypeError("For 'ParameterTuple', all elements must be 'Parameter'.")
    return tuple.__new__(cls, items)


def _clone(self: Parameter, prefix: str | None = None, init: Any = "same") -> Parameter:
    """Return a new Parameter, whose name begins with `prefix`.

    Follows: mindspore.Parameter.clone (1.0).
    """
    clone = _today_clone(self, init)
    if prefix is not None:
        clone.name = f"{prefix}.{self.name}"
    return clone


def _clone_all(self: Any, prefix: str, init: Any = "same") -> Any:
    return type(self)(_clone(parameter, prefix, init) for parameter in self)


class _Count(int):
    """A number of elements, which r1.0 returns when it is called."""

    def __call__(self) -> int:
        return int(self)


def _set_seed(seed: int) -> None:
    """Seed everything that draws; True is 1.

    Follows: mindspore.set_seed (1.0).
    """
    _today_seed(int(seed) if isinstance(seed, bool) else seed)


def _repr(self: Type) -> str:
    """Write a dtype by the name that it had: `bool` and `string` have no underscore."""
    return f"mindspore.{_PATHS.get(self.name, self._path)}"


OVERRIDES = {
    "Parameter.__init__": _parameter,
    "Parameter.__repr__": lambda self: f"Parameter (name={self.name}, value={Tensor.__repr__(self)})",
    "Parameter.__str__": lambda self: f"Parameter (name={self.name}, value={Tensor.__str__(self)})",
    "Parameter.clone": _clone,
    "Parameter.set_data": _set_data,
    "ParameterTuple.__new__": share_names,
    "ParameterTuple.clone": _clone_all,
    "Tensor.__init__": _tensor,
    "Tensor.size": property(lambda self: _Count(self._data.numel())),
    "Tensor.to_tensor": lambda self: wrap(self._data),
    "context.set_context": Part(context, "CONTEXT_KEYS", {**CONTEXT_KEYS, "save_graphs": Key((bool,), False)}),
    "dtype.Type.__repr__": _repr,
    "dtype.tensor": tensor_type,
    "initializer.initializer": initializer.initializer,
    "set_seed": _set_seed,
}
