"""Values that are assigned while gradients are recorded.

torch refuses a backward pass that needs a value which has changed since it was read. MindSpore's graphs compute with
values: the gradient is that of what was read, and the gradient of a weight that is assigned is that of what is read
afterwards, too. Its PyNative mode computes the gradient with what is there by then.
"""

from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.torch_private import peek_interpreter_stack

__all__ = ["apart", "apply_recorded_writes", "assign", "is_recorded", "is_traced", "rebind"]


def is_traced() -> bool:
    """Whether a transformation of torch's, or its compiler, runs the code on stand-ins of values."""
    return torch.compiler.is_compiling() or peek_interpreter_stack() is not None


def is_recorded(tensor: Any, data: torch.Tensor) -> bool:
    """Whether a gradient function that is running may need the values of a Parameter or Tensor.

    Args:
        tensor: which of them; what was computed in the function has no values to keep.
        data: its torch tensor.
    """
    is_kept = not data.requires_grad or id(tensor) in state.lent
    may_run = torch.is_grad_enabled() and not is_traced()
    return is_kept and may_run and type(data) is torch.Tensor


def assign(tensor: Any, data: torch.Tensor, value: torch.Tensor) -> None:
    """Replace the values of a Parameter or Tensor by others of its shape and dtype while gradients are recorded."""
    if data.requires_grad and is_graph():
        tensor._data = value + (data - data.detach())
    else:
        apart(tensor, data).copy_(value)


def apart(tensor: Any, data: torch.Tensor) -> torch.Tensor:
    """Return the memory in which to change a Parameter or Tensor while gradients are recorded."""
    if is_graph():
        state.assigned.setdefault(id(tensor), (tensor, data))
        tensor._data = data.detach().clone()
    written: torch.Tensor = tensor._data.data  # torch does not count its changes
    return written


def rebind(tensor: Any, value: torch.Tensor) -> None:
    """Set a Tensor to what a graph computes for it, with its history.

    Views of it that the graph has made stay what they are; the memory of a Parameter, or of what the graph was called
    with, gets the values when nothing is recorded any more.
    """
    state.effects += 1
    if tensor._is_registered or _is_within(state.inputs, tensor):
        state.assigned.setdefault(id(tensor), (tensor, tensor._data))
    tensor._data = value.to(tensor._data.dtype)


def _is_within(inputs: Any, tensor: Any) -> bool:
    if isinstance(inputs, tuple | list | dict):
        return any(_is_within(one, tensor) for one in (inputs.values() if isinstance(inputs, dict) else inputs))
    return inputs is tensor


def apply_recorded_writes() -> None:
    """Put the values that were assigned into the memory in which they belong, when nothing is recorded any more."""
    if state.depth == 0 and state.rebound:
        for tensor, data in state.rebound.values():
            tensor._data = data
        state.rebound.clear()
    if state.depth == 0 and state.assigned:
        for tensor, data in state.assigned.values():
            data.data.copy_(tensor._data.detach())
            tensor._data = data
        state.assigned.clear()
