"""Indexing as it was: what lay out of range was zero, and values took the dtype of what they went into."""

from typing import Any

import numpy as np
import torch

from msbridge.core.legacy.parameter_memory import leave_memory, leave_views
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor import indexing
from msbridge.core.tensor.item_assignment import is_at_rows
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.gather_and_select import functions, methods

_put = Tensor.__setitem__


def gather(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor:
    """Take slices along an axis; those of indices out of range are zero.

    Follows: mindspore.ops.gather (2.0).
    """
    try:
        if not isinstance(input_indices, Tensor) or input_indices._data.is_cpu:
            return functions.gather(input_params, input_indices, axis, batch_dims)
    except RuntimeError:
        pass
    data, ids = input_params._data, input_indices._data
    axis = axis % data.ndim
    inside = (ids >= -data.shape[axis]) & (ids < data.shape[axis])
    found = functions.gather(input_params, wrap(torch.where(inside, ids, 0)), axis, batch_dims)._data
    before, after = ids.shape[:batch_dims], ids.shape[batch_dims:]
    ones = (1,) * (axis - batch_dims), (1,) * (data.ndim - axis - 1)
    return wrap(torch.where(inside.reshape(*before, *ones[0], *after, *ones[1]), found, found.new_zeros(())))


def get_item(self: Tensor, index: Any) -> Tensor:
    """Read a part; rows that a Tensor names out of range are zero; `...` is the Tensor itself.

    Follows: mindspore.Tensor.__getitem__ (2.0).
    """
    if index is ...:
        return self
    try:
        part = wrap(indexing.get(self._data, index))
    except (IndexError, RuntimeError):
        if isinstance(index, Tensor) and index._data.dtype in (torch.int32, torch.int64):
            return gather(self, index, 0)
        raise
    if index is not None:
        part.__dict__.update(parent_tensor_=self, index_of_parent_=index)
    return part


def set_item(self: Tensor, index: Any, value: Any) -> None:
    """Write a part of this Tensor, and of the one that this is a part of; what is made from them stays as it is.

    Follows: mindspore.Tensor.__setitem__ (2.0).
    """
    if isinstance(self, Parameter):
        (leave_views if is_at_rows(index) else leave_memory)(self)
        return _put(self, index, value)
    self._data = self._data.clone()
    _put(self, index, value)
    if "parent_tensor_" in self.__dict__:
        set_item(self.__dict__["parent_tensor_"], self.__dict__["index_of_parent_"], self)
    return None


def masked_fill(input_x: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """Write a value, in the dtype of the Tensor, where the mask is True.

    Follows: mindspore.ops.masked_fill (2.0).
    """
    is_real = isinstance(value, float) and not input_x._data.dtype.is_floating_point
    return functions.masked_fill(input_x, mask, Tensor(value).astype(input_x.dtype) if is_real else value)


def where(self: Tensor, condition: Tensor, y: Tensor | Number) -> Tensor:
    """Keep elements where the condition is True; bools stay bools.

    Follows: mindspore.Tensor.where (2.0).
    """
    result = methods.where(self, condition, y)
    return result.astype(self.dtype) if self._data.dtype is torch.bool else result


def where_of(condition: Tensor, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Take from `x` where `condition` is True, else from `y`; a number becomes one of the other's dtype.

    Raises:
        RuntimeError: `x` or `y` is an array of numpy.

    Follows: mindspore.ops.where (2.0).
    """
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        raise RuntimeError("For 'where', x and y must be Tensors or numbers, but one is an array of numpy.")
    if isinstance(x, Tensor) and not isinstance(y, Tensor):
        y = Tensor(y).astype(x.dtype)
    elif isinstance(y, Tensor) and not isinstance(x, Tensor):
        x = Tensor(x).astype(y.dtype)
    return functions.where(condition, x, y)


OVERRIDES = {
    "Tensor.__getitem__": get_item,
    "Tensor.__setitem__": set_item,
    "Tensor.where": where,
    "ops.Gather": derive("Gather", gather, "batch_dims"),
    "ops.gather": gather,
    "ops.masked_fill": masked_fill,
    "ops.where": where_of,
}
