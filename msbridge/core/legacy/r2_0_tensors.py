"""Tensors, Parameters and dtypes as they were in earlier releases."""

from typing import Any

import numpy as np

from msbridge.core.parameter.parameter import PARAMETER_NAME_DEFAULT, Parameter
from msbridge.core.releases.overrides import ABSENT, Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype
from msbridge.core.types.dtype import Type

_today_name: Any = Parameter.name
_today_deep_copy = Parameter.__deepcopy__
_item = Tensor.item
FLOATS = (dtype.float16, dtype.float32, dtype.float64)
_COMPLEX = (dtype.complex64, dtype.complex128)
_INTEGERS = (dtype.int8, dtype.uint8, dtype.int16, dtype.int32, dtype.int64)
_PATHS = {"Bool": "bool_", "Float": "float_", "Int": "int_"}


def _repr(self: Type) -> str:
    """Write a dtype by the name that it had: mindspore.bool_.

    Follows: mindspore.bool_ (2.0).
    """
    return f"mindspore.{_PATHS.get(self.name, self._path)}"


def item_at(self: Tensor, index: int | tuple[int, ...] | None = None) -> Any:
    """Return an element, or the only one, as a Tensor without axes; of a Tensor without axes as a number.

    Follows: mindspore.Tensor.item (2.0).
    """
    if index is None:
        return wrap(self._data.reshape(())) if self.shape and self.size == 1 else _item(self)
    return wrap(self._data.reshape(-1)[index] if isinstance(index, int) else self._data[tuple(index)])


def _set_name(self: Parameter, name: str | None) -> None:
    """Name a Parameter: "Parameter" where there is no name.

    Follows: mindspore.Parameter.name (2.0).
    """
    is_named = isinstance(name, str) and bool(name.strip())
    _today_name.fset(self, name if is_named or not (name is None or isinstance(name, str)) else PARAMETER_NAME_DEFAULT)
    self._is_named = is_named


def _data(self: Parameter) -> Parameter:
    """The Parameter itself.

    Follows: mindspore.Parameter.data (2.0).
    """
    return self


def _transpose(self: Parameter) -> Tensor:
    """The values with their axes reversed, in a Tensor of its own kind.

    Follows: mindspore.Parameter.T (2.0).
    """
    return wrap(Tensor.T.fget(self)._data)  # type: ignore[attr-defined]


def _deep_copy(self: Parameter, memodict: Any) -> Parameter:
    """Copy a Parameter; the copy is trained, even if the first is not.

    Follows: mindspore.Parameter (2.0).
    """
    copy = _today_deep_copy(self, memodict)
    copy.requires_grad = True
    return copy


def _asnumpy_of_slice_persistent_data(self: Tensor, param_key: int, slice_index: int) -> np.ndarray:
    """Return the values; nothing is kept apart in slices here.

    Follows: mindspore.Tensor.asnumpy_of_slice_persistent_data (2.0).
    """
    return self.asnumpy()


def _set_param_ps(self: Parameter, init_in_server: bool = False) -> None:
    """Refuse the parameter server, which msbridge does not have.

    Raises:
        RuntimeError: always.

    Follows: mindspore.Parameter.set_param_ps (2.0).
    """
    raise RuntimeError("Parameter.set_param_ps: msbridge has no parameter server; train without it.")


OVERRIDES = {
    "Parameter.T": property(_transpose),
    "Parameter.__deepcopy__": _deep_copy,
    "Parameter.data": property(_data),
    "Parameter.is_param_ps": False,
    "Parameter.name": property(_today_name.fget, _set_name),
    "Parameter.set_param_ps": _set_param_ps,
    "Tensor.asnumpy": Part(Tensor, "__array__", ABSENT),
    "Tensor.asnumpy_of_slice_persistent_data": _asnumpy_of_slice_persistent_data,
    "Tensor.item": item_at,
    "dtype.Type.__repr__": _repr,
    "dtype.all_types": (dtype.bool_, *_INTEGERS, *FLOATS, *_COMPLEX),
    "dtype.float_type": FLOATS,
    "dtype.number_type": (*dtype.int_type, *dtype.uint_type, *FLOATS, *_COMPLEX),
}
