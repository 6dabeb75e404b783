"""Parts of Tensors of 1.10."""

from typing import Any

from msbridge.core.legacy.parameter_memory import leave_memory
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.legacy import r2_0_indexing


def mask_within(index: Any) -> Any:
    """Return the mask of a list that holds one; any other index as it is."""
    is_mask = isinstance(index, list) and len(index) == 1 and isinstance(index[0], list)
    return index[0] if is_mask and all(isinstance(one, bool) for one in index[0]) else index


def set_item(self: Tensor, index: Any, value: Any) -> None:
    """Write a part of this Tensor, a Parameter in memory of its own; a mask may be in a list of its own.

    Follows: mindspore.Tensor.__setitem__ (1.10).
    """
    if isinstance(self, Parameter):
        leave_memory(self)
    r2_0_indexing.set_item(self, mask_within(index), value)


OVERRIDES = {"Tensor.__setitem__": set_item}
