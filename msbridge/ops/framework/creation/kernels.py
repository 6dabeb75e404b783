"""Computations that the faces of creation share."""

from types import NoneType
from typing import Any

import torch

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.context.context import device_named, torch_device
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, float32
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, plain_shape, unary

DEVICES = {"CPU": "CPU", "cpu": "CPU", "Ascend": "Ascend", "npu": "Ascend", "meta": "meta"}


def empty(*size: Any, dtype: Type | None = None, device: str | None = None, pin_memory: bool | None = False) -> Tensor:
    """Make a tensor whose values are not set, Float32 by default.

    Args:
        size: its shape, as one argument or several.
        dtype: None for Float32.
        device: "CPU", "Ascend", "npu" or "meta"; None for the context's.
        pin_memory: whether the memory of the host is one that an accelerator reads directly.

    Returns:
        A Tensor of shape `size` and dtype `dtype`.

    Raises:
        RuntimeError: memory is to be pinned, and there is no accelerator.
        TypeError: `device` is not a string, or `pin_memory` is not a bool.
        ValueError: there is no such device.

    Follows: mindspore.mint.empty (2.10).
    """
    shape = size[0] if len(size) == 1 else size
    return wrap(torch.empty(plain_shape(shape), dtype=(dtype or float32).torch, **memory_of(device, pin_memory)))


def memory_of(device: str | None, pin_memory: bool | None, op: str = "empty") -> dict[str, Any]:
    """Return the device and memory in which torch allocates a new tensor."""
    if device is None and pin_memory is False:
        return {"device": torch_device()}
    instance(device, "device", op, (str, NoneType))
    instance(pin_memory, "pin_memory", op, (bool, NoneType))
    if device is not None:
        one_of(device, "device", op, DEVICES)
    if not pin_memory:
        return {"device": torch_device() if device is None else device_named(DEVICES[device])}
    if torch_device().type == "cpu":
        raise RuntimeError(f"For '{op}', memory is pinned for an accelerator, and there is none.")
    return {"device": "cpu", "pin_memory": True}


def fill_diagonal(input: Tensor, fill_value: Number, wrap: bool = False) -> Tensor:
    """Return a copy with one value on the diagonal; `wrap` starts it again below a tall matrix.

    Args:
        input: at least two axes, of equal lengths if there are more.
        fill_value: a number.
        wrap: start again below a tall matrix.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.Tensor.fill_diagonal (2.10).
    """
    return unary(lambda data: data.clone().fill_diagonal_(fill_value, wrap), "fill_diagonal", input)


def _diag_part(data: torch.Tensor) -> torch.Tensor:
    shape = data.shape[: data.dim() // 2]
    return data.reshape(shape.numel(), -1).diagonal().reshape(shape)


diag_part = define(
    unary,
    _diag_part,
    "Return the diagonal of a tensor of shape `result.shape * 2`.",
    "x",
    op="DiagPart",
    args="x: shape `result.shape * 2`.",
    returns="A Tensor of half as many axes and the dtype of `x`.",
)
