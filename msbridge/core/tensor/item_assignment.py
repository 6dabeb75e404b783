"""Item assignment: which memory `tensor[index] = value` writes.

MindSpore writes where the Tensor is with ints and slices. With other indices it computes a new value, whose memory the
Tensor has from then on: what was taken of it before keeps the old numbers. So does every assignment while gradients
are recorded, which may need what was there, and in graphs, where Tensors are values:

                              ints, slices    other indices         in gradient functions    in graphs
    a Tensor                  in place        new memory            new memory               new memory
    x[0], a row of another    in place        in place              in place                 new memory
    a Parameter               in place        masks, None, ...:     by index; its gradient   masks, slices: for the
                                              new memory            is that of what was      graph only

Nothing can see whether memory is new when nothing else has the old one: it is copied on write, where Python, a view, an
array or the backward pass holds it.
"""

import sys
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.context.grad_state import state
from msbridge.core.tensor import indexing
from msbridge.core.tensor.integer_gradients import Dual, dual_of, history_of, plain
from msbridge.core.tensor.recorded_writes import apart, is_recorded, is_traced
from msbridge.core.tensor.twins import update_twins

__all__ = ["assign_item", "is_at_rows", "is_basic", "unshare", "writable"]

_BASIC = frozenset({int, slice, type(None), type(Ellipsis)})


def is_basic(index: Any, value: Any) -> bool:
    """Whether an assignment writes where the Tensor is: an int, a slice, or a tuple of these, None and Ellipsis."""
    kind = type(index)
    if kind is int or kind is slice:
        return True
    return kind is tuple and _BASIC.issuperset(map(type, index)) and type(value) not in (list, tuple)


def assign_item(tensor: Any, index: Any, value: Any) -> None:
    """Assign an item by an index that is not basic, in a graph, or while gradients are recorded."""
    is_part = tensor._is_part and not state.is_graph
    if is_part or tensor._has_fixed_memory or is_traced():
        indexing.put(writable(tensor), index, value)
    elif tensor._is_registered:
        state.effects += 1
        (_assign_in_graph if state.is_graph else _assign_to_parameter)(tensor, index, value)
    else:
        state.effects += 1
        data = unshare(tensor)
        indexing.put(data, index, value)
        if state.is_graph:
            state.rebound.setdefault(id(tensor), (tensor, tensor._data))
        tensor._data = data
        update_twins(tensor)


def _assign_to_parameter(parameter: Any, index: Any, value: Any) -> None:
    if not state.depth:
        in_place = is_basic(index, value) or _selects_rows(index)
        data = parameter._data if in_place else unshare(parameter)
        indexing.put(data, index, value)
        parameter._data = data
        update_twins(parameter)
    elif is_at_rows(index):
        indexing.put(parameter._data.data, index, value)  # which torch does not count
    else:
        parameter._data = _assign_item(parameter._data, index, value)


def _assign_in_graph(parameter: Any, index: Any, value: Any) -> None:
    data = parameter._data
    if type(index) in (slice, bool, type(None), type(Ellipsis)) or index == () or _is_mask(index):
        state.rebound.setdefault(id(parameter), (parameter, data))
        parameter._data = data.clone()
        indexing.put(parameter._data, index, value)
    elif data.requires_grad:
        parameter._data = _assign_item(data, index, value)
    else:
        indexing.put(apart(parameter, data), index, value)


def _assign_item(data: torch.Tensor, index: Any, value: Any) -> torch.Tensor:
    """Return the values with an item assigned; the gradient is as if nothing were."""
    written = data.detach().clone()
    indexing.put(written, index, value)
    written = written.detach()
    return written + (data - data.detach()) if data.requires_grad else written


def _selects_rows(index: Any) -> bool:
    """Whether a list or Tensor of ints, or a list of bools, is the index by itself."""
    if type(index) is tuple and len(index) == 1:
        index = index[0]
    return type(index) is list or (hasattr(index, "_data") and index._data.dtype != torch.bool)


def is_at_rows(index: Any) -> bool:
    """Whether an index names rows of the first axis: an int, None beside it, or what `_selects_rows`."""
    if type(index) is tuple and any(map(_is_int, index)):
        return all(item is None or _is_int(item) for item in index) and sum(map(_is_int, index)) == 1
    return type(index) is int or _selects_rows(index)


def _is_int(item: Any) -> bool:
    return type(item) is int


def _is_mask(index: Any) -> bool:
    if type(index) is list:
        return any(type(item) is bool for item in index)
    return hasattr(index, "_data") and index._data.dtype == torch.bool


def unshare(tensor: Any) -> torch.Tensor:
    """Return the values of a Tensor in memory that nothing else has: its own, or a copy."""
    is_plain = not tensor._is_numpys and type(tensor._data) is torch.Tensor and tensor._data.is_contiguous()
    data: torch.Tensor = tensor._data if is_plain and _uses(tensor) == _ALONE else _copy(tensor._data)
    return data


def _uses(tensor: Any) -> tuple[int, int, int]:
    """Count Python's references to the torch tensor inside, torch's own, and the tensors over its memory."""
    data = tensor._data
    return sys.getrefcount(data), data._use_count(), torch_private.storage_use_count(data.untyped_storage()._cdata)


class _Holder:
    """The protocol of holders of a torch tensor, such as a Tensor."""

    def __init__(self) -> None:
        self._data = torch.empty(1)


_ALONE = _uses(_Holder())


def _copy(data: Any) -> Any:
    if isinstance(data, Dual):
        return dual_of(plain(data).clone(), data._shadow.clone())
    return data.clone(memory_format=torch.contiguous_format)


def writable(tensor: Any) -> torch.Tensor:
    """Return the torch tensor of `tensor` for writing in place.

    A leaf that a running gradient function differentiates must keep its value for the backward pass: then the Tensor
    continues with a copy, which the gradient function writes back. Only Parameters have `_requires_grad` of their own.
    """
    data: torch.Tensor = tensor._data
    state.effects += 1
    if torch.is_grad_enabled() and history_of(data).requires_grad and history_of(data).is_leaf:
        tensor._data = data = _copy(data)
    elif state.depth and "_requires_grad" in tensor.__dict__ and is_recorded(tensor, data):
        return apart(tensor, data)
    return data
