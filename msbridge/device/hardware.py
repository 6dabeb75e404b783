"""Devices: which there are, their names and their capabilities.

An Ascend is there when torch has an NPU, or when the script has chosen the Ascend that msbridge emulates; the answers
are then those of the device that represents it.
"""

from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core.checks.arguments import in_range, integer
from msbridge.core.context.context import device_target as current_target
from msbridge.core.runtime.accelerators import ACCELERATORS, CHOICES, driver, kind_for
from msbridge.core.runtime.accelerators import device_count as count_of

__all__ = [
    "device_count",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
]


@dataclass(frozen=True, slots=True)
class DeviceProperties:
    """The properties of a device; the fields of MindSpore's classes for a GPU and for an Ascend together.

    Attributes:
        name: what its driver calls it.
        total_memory, free_memory: in bytes.
        major, minor: its architecture, on CUDA.
        multi_processor_count, warp_size: on CUDA.
        is_multi_gpu_board, is_integrated: on CUDA, 0 or 1.
    """

    name: str
    total_memory: int
    free_memory: int = 0
    major: int = 0
    minor: int = 0
    multi_processor_count: int = 0
    warp_size: int = 0
    is_multi_gpu_board: int = 0
    is_integrated: int = 0


def is_available(device_target: str) -> bool:
    """Whether there is a device of this kind; an Ascend also while the script runs on the emulated one.

    Args:
        device_target: "CPU", "GPU" or "Ascend".

    Returns:
        A bool.

    Raises:
        ValueError: `device_target` is none of "CPU", "GPU" and "Ascend".

    Follows: mindspore.hal.is_available (2.10).
    """
    _check_target(device_target, "hal.is_available")
    return device_target == "CPU" or _kind(device_target) is not None


def is_initialized(device_target: str) -> bool:
    """Whether something has run on a device of this kind in this process; on the CPU, something always has.

    Args:
        device_target: "CPU", "GPU" or "Ascend".

    Returns:
        A bool.

    Raises:
        ValueError: `device_target` is none of "CPU", "GPU" and "Ascend".

    Follows: mindspore.hal.is_initialized (2.10).
    """
    _check_target(device_target, "hal.is_initialized")
    kind = "cpu" if device_target == "CPU" else _kind(device_target)
    if kind in (None, "cpu"):
        return kind == "cpu"
    return bool(getattr(driver(str(kind)), "is_initialized", lambda: True)())


def device_count(device_target: str | None = None) -> int:
    """Return the number of such devices; None means the context's.

    Args:
        device_target: "CPU", "GPU" or "Ascend"; None for the context's.

    Returns:
        An int.

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: it is unknown, or there is no such device.

    Follows: mindspore.hal.device_count (2.10).
    """
    kind = resolve_kind(device_target)
    return 1 if kind == "cpu" else count_of(kind)


def get_device_capability(device_id: int, device_target: str | None = None) -> tuple[int, int] | None:
    """Return the two numbers of a CUDA device's architecture; None for other devices.

    Args:
        device_id: the number of a device.
        device_target: "CPU", "GPU" or "Ascend"; None for the context's.

    Returns:
        A pair of ints such as (9, 0), or None.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such device.

    Follows: mindspore.hal.get_device_capability (2.10).
    """
    kind = _resolve_device(device_id, device_target)
    return tuple(driver(kind).get_device_capability(device_id)) if kind == "cuda" else None


def get_device_properties(device_id: int, device_target: str | None = None) -> DeviceProperties | None:
    """Return name, memory and architecture of a device; None for the CPU.

    Args:
        device_id: the number of a device.
        device_target: "CPU", "GPU" or "Ascend"; None for the context's.

    Returns:
        A record, or None.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such device.

    Follows: mindspore.hal.get_device_properties (2.10).
    """
    kind = _resolve_device(device_id, device_target)
    return None if kind == "cpu" else properties(kind, device_id)


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """Return the name of a device; that of the emulated Ascend names its stand-in too.

    Args:
        device_id: the number of a device.
        device_target: "CPU", "GPU" or "Ascend"; None for the context's.

    Returns:
        A string.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no such device.

    Follows: mindspore.hal.get_device_name (2.10).
    """
    kind = _resolve_device(device_id, device_target)
    name = "CPU" if kind == "cpu" else properties(kind, device_id).name
    is_ascend = (current_target() if device_target is None else device_target) == "Ascend"
    return f"Ascend emulated by msbridge on {name}" if is_ascend and kind != "npu" else name


def get_arch_list(device_target: str | None = None) -> str | None:
    """Return the CUDA architectures that torch was built for, separated by spaces; None for other devices.

    Args:
        device_target: "CPU", "GPU" or "Ascend"; None for the context's.

    Returns:
        A string such as "sm_80 sm_90", or None.

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: it is unknown, or there is no such device.

    Follows: mindspore.hal.get_arch_list (2.10).
    """
    return " ".join(torch.cuda.get_arch_list()) if resolve_kind(device_target) == "cuda" else None


def properties(kind: str, index: int) -> DeviceProperties:
    """Return the properties of a device, as the driver of its kind reports them."""
    if kind == "mps":
        return DeviceProperties("Apple MPS", int(torch.mps.recommended_max_memory()))
    module = driver(kind)
    found: Any = module.get_device_properties(index)
    fields = ("major", "minor", "multi_processor_count", "warp_size", "is_multi_gpu_board", "is_integrated")
    numbers = {name: int(getattr(found, name, 0)) for name in fields}
    return DeviceProperties(found.name, found.total_memory, module.mem_get_info(index)[0], **numbers)


def resolve_kind(device_target: Any) -> str:
    """Return torch's kind of device for a name in a script, or for None, the context's.

    Raises:
        TypeError: the name is not a str.
        ValueError: it is unknown, or there is no such device.
    """
    target = current_target() if device_target is None else device_target
    if not isinstance(target, str):
        raise TypeError(f"The argument 'device_target' must be str, but got {target!r}.")
    _check_target(target)
    kind = "cpu" if target == "CPU" else _kind(target)
    if kind is None:
        raise ValueError(f"There is no {target}: torch finds none on this machine.")
    return kind


def _check_target(device_target: Any, where: str = "") -> None:
    if device_target not in CHOICES:
        owner = f"For '{where}', the" if where else "The"
        raise ValueError(f"{owner} argument 'device_target' must be one of {list(CHOICES)}, but got {device_target}.")


def _kind(target: str) -> str | None:
    """Return torch's kind of device for "GPU" or "Ascend"; None where there is none."""
    kind = kind_for(target)
    is_real = kind != "cpu" and ACCELERATORS[kind].target == target
    return kind if is_real or target == current_target() == "Ascend" else None


def _resolve_device(device_id: Any, device_target: Any) -> str:
    count = device_count(device_target)
    integer(device_id, "device_id", None)
    in_range(device_id, "device_id", None, 0, count)
    return resolve_kind(device_target)
