"""Attributes of Parameters of 1.7, names of initializers, and the only element of a Tensor."""

from typing import Any

from msbridge.core.legacy import r2_0_tensors
from msbridge.core.parameter import initializer
from msbridge.core.parameter.initializer import _INITIALIZER_ALIAS, Initializer
from msbridge.core.parameter.parallel_attributes import attribute
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap


def _class_of(name: str) -> type[Initializer]:
    """Return the class of an initializer."""
    return _INITIALIZER_ALIAS[name.lower()]  # a KeyError where there is none


def _item(self: Tensor, index: int | tuple[int, ...] | None = None) -> Any:
    """Return an element as 2.0 does; the only one of one axis keeps its axis.

    Follows: mindspore.Tensor.item (1.7).
    """
    return wrap(self._data) if index is None and self.shape == (1,) else r2_0_tensors.item_at(self, index)


OVERRIDES = {
    "Parameter.key": attribute("key", -1),
    "Tensor.item": _item,
    "initializer.initializer": Part(initializer, "_initializer_of_name", _class_of),
}
