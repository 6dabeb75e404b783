"""Memory shared with Parameters, as it was up to 2.0: results of operators were copies, and arrays the host's buffer.

Today's views and arrays are laid over the memory of what they are of, and a Parameter is written in place. For earlier
releases that is copy on write: where torch counts more tensors over its memory, the Parameter gets a copy, and they
keep the values. So does another Tensor of its torch tensor, except what is noted as its alias, which goes with it.

    part = w[0]             over w's memory: what is written to w is not seen
    same = w.value()        an alias: seen, until w gets the memory of other values
    array = w.asnumpy()     the host's buffer, one for each memory: seen where w is read again; up to 1.5 at once
"""

import sys
import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import torch

from msbridge.core import torch_private
from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import device_to_host
from msbridge.core.tensor.recorded_writes import is_traced
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.twins import update_twins

__all__ = [
    "alias_of",
    "copy_shared",
    "count_views",
    "host_array",
    "host_of",
    "leave_memory",
    "leave_views",
    "leaving_views",
    "of_host",
]


def count_views(tensor: Tensor) -> int:
    """Count the torch tensors over the memory of one, except itself."""
    return torch_private.storage_use_count(tensor._data.untyped_storage()._cdata) - _OF_ITSELF  # type: ignore[no-any-return]


def _count_references(tensor: Tensor) -> int:
    return sys.getrefcount(tensor._data) - _OF_THIS_CODE


_OF_ITSELF = _OF_THIS_CODE = 0
_OF_ITSELF, _OF_THIS_CODE = (count(wrap(torch.empty(1))) for count in (count_views, _count_references))


def is_shared(parameter: Tensor) -> bool:
    """Whether anything is over the memory of a Parameter that is not to show what is written to it."""
    return bool(count_views(parameter)) or _count_references(parameter) > _count_noted(parameter)


def _count_noted(parameter: Tensor) -> int:
    """Count the references to the torch tensor of a Parameter from what goes with it."""
    settings, data = parameter.__dict__, parameter._data
    aliases = (alias() for alias in settings.get("_aliases", ()))
    has_host = "_host" in settings and settings["_host"][0] is data
    return has_host + sum(alias is not None and alias._data is data for alias in aliases)


def leave_views(tensor: Tensor) -> None:
    """Copy the memory of a Parameter that is about to be written; gradients are those of what is there in the end."""
    if not state.depth:
        copy_shared(tensor)


def copy_shared(tensor: Tensor) -> None:
    """Copy the memory of a Parameter, if anything else is over it."""
    if not isinstance(tensor, Parameter) or tensor._has_fixed_memory or type(tensor._data) is not torch.Tensor:
        return
    if not is_shared(tensor) or id(tensor) in state.lent or is_traced():
        return
    data = tensor._data
    if data.is_cuda and torch.cuda.is_current_stream_capturing():
        return  # a graph on the device writes the memory that it has seen
    tensor._data = data.clone()
    update_twins(tensor)
    settings = tensor.__dict__
    for alias in (one() for one in settings.pop("_aliases", ())):
        if alias is not None and alias._data is data:
            alias._data = tensor._data
            _note(settings, alias)
    if "_host" in settings and settings["_host"][0] is data:
        settings["_host"] = tensor._data, settings["_host"][1]


def leave_memory(parameter: Tensor) -> None:
    """Copy the memory of a Parameter: nothing else shows what is written to it from then on."""
    if not (state.depth or state.is_graph or parameter._has_fixed_memory or is_traced()):
        parameter._data = parameter._data.clone()
        update_twins(parameter)


def leaving_views(write: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes its first argument, a Parameter or Tensor, after `leave_views`."""

    @wraps(write)
    def leave_and_write(tensor: Tensor, *args: Any) -> Any:
        leave_views(tensor)
        return write(tensor, *args)

    return leave_and_write


def alias_of(parameter: Tensor) -> Tensor:
    """Return a Tensor that shows what is written to a Parameter, until that gets the memory of other values."""
    alias = wrap(parameter._data)
    _note(parameter.__dict__, alias)
    return alias


def _note(settings: dict[str, Any], alias: Tensor) -> None:
    settings["_aliases"] = [*(one for one in settings.get("_aliases", ()) if one() is not None), weakref.ref(alias)]


def of_host(parameter: Tensor) -> torch.Tensor:
    """Return the values of a Parameter for a Tensor that has the host's buffer: it shows writes as arrays do."""
    data = parameter._data.detach()
    if host_of(parameter) is None:
        parameter.__dict__["_host"] = parameter._data, weakref.ref(data)
    return data


def host_of(parameter: Tensor) -> np.ndarray | None:
    """Return the host's buffer of a Parameter's memory, if somebody has it: an array, or the memory of a Tensor."""
    data, reference = parameter.__dict__.get("_host", (None, None))
    host = reference() if reference is not None and data is parameter._data else None
    return device_to_host.to_numpy(host) if isinstance(host, torch.Tensor) else host


def host_array(self: Parameter) -> np.ndarray:
    """Return the values in the host's buffer: an array that was returned before shows them, too.

    Follows: mindspore.Parameter.asnumpy (2.0).
    """
    array, values = host_of(self), device_to_host.to_numpy(self._data, copies_views=True)
    if array is None:
        self.__dict__["_host"] = self._data, weakref.ref(values)
        return values
    if array.ctypes.data != values.ctypes.data:
        np.copyto(array, values)
    return array[...]
