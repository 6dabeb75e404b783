"""Scalars that change from step to step (counters, rates, bias corrections): as numbers, or as tensors on the device.

On an accelerator they are 0-d tensors beside the weights, and a step reads none of them. On the CPU a step computes
with Python numbers, which is faster: they are read from the memory of the Parameters that hold them, without torch. In
`on_device`, and wherever torch records or compiles a step, they are tensors there too, since a number would be frozen.

A step that may turn out to have overflowed runs in `unless`: its scalars then stay as they are where it did, and nobody
has to look.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from msbridge.core.parameter.parameter import Parameter, adopt
from msbridge.core.runtime.accelerators import has_float64
from msbridge.core.tensor.tensor import Tensor, as_torch

__all__ = [
    "Scalar",
    "add",
    "are_tensors",
    "memory_of",
    "multiply",
    "number",
    "on_device",
    "overflow",
    "put",
    "scalar_parameter",
    "unless",
    "wide",
]

Scalar = float | torch.Tensor


class _State(threading.local):
    """Requests of this thread.

    Attributes:
        is_on_device: tensors on the CPU too.
        overflow: whether the step that runs is to change nothing, a 0-d bool tensor; None for a step that does.
    """

    def __init__(self) -> None:
        self.is_on_device = False
        self.overflow: torch.Tensor | None = None


_state = _State()


@contextmanager
def on_device() -> Iterator[None]:
    """Compute with scalars as tensors in the block, on the CPU too, so that what it records can be repeated."""
    before, _state.is_on_device = _state.is_on_device, True
    try:
        yield
    finally:
        _state.is_on_device = before


@contextmanager
def unless(overflow: torch.Tensor) -> Iterator[None]:
    """Let a step in the block change nothing where `overflow`, a 0-d bool tensor that nobody looks at."""
    before, _state.overflow = _state.overflow, overflow
    try:
        with on_device():
            yield
    finally:
        _state.overflow = before


def overflow() -> torch.Tensor | None:
    """Return the overflow that `unless` was given."""
    return _state.overflow


def are_tensors(device: torch.device) -> bool:
    """Whether the scalars of a step on weights of `device` are tensors now."""
    return device.type != "cpu" or _state.is_on_device or torch.compiler.is_compiling()


def scalar_parameter(value: Any, name: str, *, is_constant: bool = False) -> Parameter:
    """Make a Parameter of a scalar, or of a few, on the context's device.

    One that no step changes, and that rules take as a number, stays on the host: `is_constant`.
    """
    array = np.array(value, order="C")
    device = torch.device("cpu") if is_constant else None
    data = as_torch(array, None, device)
    if data.device.type == "cpu":
        data = torch.from_numpy(array)
        data._msbridge_memory = array  # type: ignore[attr-defined]
    return adopt(data, name)


def memory_of(tensor: Tensor) -> Any:
    """Return the ndarray that shares the memory of a Tensor on the CPU; it is kept with the torch tensor.

    Unlike a copy of the value, it shows everything that is written to the Tensor, in any way.
    """
    data = tensor._data
    try:
        return data._msbridge_memory  # type: ignore[attr-defined]
    except AttributeError:
        data._msbridge_memory = data.detach().numpy()  # type: ignore[attr-defined]
        return data._msbridge_memory  # type: ignore[attr-defined]


def number(tensor: Tensor) -> Any:
    """Return the first element of a Tensor as a Python number: what waits for the device, unless it is the CPU."""
    if tensor._data.is_cpu and not torch.compiler.is_compiling():  # which takes an ndarray for a tensor
        return memory_of(tensor).item(0)
    return tensor.item()


def add(tensor: Tensor, amount: Scalar) -> None:
    """Add to a scalar where it lies."""
    if are_tensors(tensor._data.device):
        tensor._data.add_(amount if _state.overflow is None else torch.where(_state.overflow, 0, amount))
    else:
        memory = memory_of(tensor)
        memory += amount


def multiply(tensor: Tensor, factor: Scalar) -> None:
    """Multiply a scalar where it lies."""
    if are_tensors(tensor._data.device):
        tensor._data.mul_(factor if _state.overflow is None else torch.where(_state.overflow, 1.0, factor))
    else:
        memory = memory_of(tensor)
        memory *= factor


def put(tensor: Tensor, value: Scalar) -> None:
    """Set a scalar where it lies."""
    if _state.overflow is not None:
        tensor._data.copy_(torch.where(_state.overflow, tensor._data, value))
    elif isinstance(value, torch.Tensor):
        tensor._data.copy_(value)
    elif are_tensors(tensor._data.device):
        tensor._data.fill_(value)
    else:
        memory_of(tensor)[...] = value


def wide(data: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a scalar of a step as a 0-d tensor on `device`, in the widest type that it computes with."""
    return data.reshape(()).to(device, torch.float64 if has_float64(device) else torch.float32)
