"""Replacing the values of a Tensor: by other memory, or in place where something relies on the memory it has."""

import torch

from msbridge.core.context.grad_state import in_place, state
from msbridge.core.tensor.recorded_writes import assign, is_recorded, is_traced
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.twins import join, update_twins


def renew(tensor: Tensor, value: torch.Tensor) -> None:
    """Replace the memory of `tensor` by that of `value` or its cast; what was taken of it before keeps the old memory.

    In graphs and gradient functions, and where something else relies on the memory or its layout, that is written.
    """
    data = tensor._data
    is_plain = type(data) is torch.Tensor and type(value) is torch.Tensor and data.is_contiguous()
    if not is_plain or state.is_graph or state.depth or tensor._has_fixed_memory or is_traced():
        overwrite(tensor, value)
    else:
        tensor._data = value.data.to(data).contiguous()
        update_twins(tensor)


def twin(tensor: Tensor) -> Tensor:
    """Return the Tensor that a cast to its own dtype is: later memory of one is that of the other, too.

    Only in graphs and gradient functions both share memory.
    """
    if state.is_graph or state.depth or is_traced():
        return wrap(tensor._data)
    other = wrap(tensor._data)
    join(tensor, other)
    return other


def fix_memory(tensor: Tensor) -> None:
    """Make `renew` write into the memory that `tensor` has, for something else relies on it."""
    tensor._has_fixed_memory = True


def overwrite(tensor: Tensor, value: torch.Tensor) -> None:
    """Replace the values of `tensor` in place; a value of another shape or device replaces its memory."""
    data = tensor._data
    state.effects += 1
    if state.depth and data.shape == value.shape and is_recorded(tensor, data):
        assign(tensor, data, value.detach().to(data))
    elif data.requires_grad:
        tensor._data = value.to(data.dtype)
    elif data.shape != value.shape:
        tensor._data = value.detach().to(data).clone()
        update_twins(tensor)
    else:
        try:
            with in_place():
                data.copy_(value.detach())
        except RuntimeError:
            if 0 not in data.stride():
                raise
            tensor._data = value.detach().to(data).clone()  # one number represented all
