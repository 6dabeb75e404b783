"""The accelerators that torch drives: which of them represents MindSpore's "GPU" and "Ascend", and torch's modules.

Code that depends on the kind of device asks here. torch calls its modules alike (`torch.cuda`, `torch.mps`,
`torch.npu`); what one of them does not have is left out by whoever looks for it.
"""

import functools
import importlib
import importlib.util
import warnings
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Accelerator:
    """Properties of one of torch's accelerators."""

    target: str  # MindSpore's name of the device
    collectives: str  # the backend of torch.distributed that works on its memory
    package: str = ""  # what brings it to torch, where torch itself does not
    has_float64: bool = True  # torch_npu casts to float32 instead, and torch.mps refuses


ACCELERATORS = {
    "cuda": Accelerator("GPU", "nccl"),
    "mps": Accelerator("GPU", "gloo", has_float64=False),
    "npu": Accelerator("Ascend", "hccl", "torch_npu", has_float64=False),
}
# What is taken for a MindSpore device, best first; where none is there, the CPU. An Ascend is not emulated on MPS: that
# has no float64.
CHOICES: dict[str, tuple[str, ...]] = {"CPU": (), "GPU": ("cuda", "mps"), "Ascend": ("npu", "cuda")}


def driver(kind: str) -> Any:
    """Return torch's module for a kind of accelerator, such as torch.cuda; None where no such device is found."""
    known = ACCELERATORS.get(kind)
    if known is None:
        return None
    if known.package and not hasattr(torch, kind):
        _load(known.package)
    module = getattr(torch, kind, None)
    return module if module is not None and module.is_available() else None


def with_streams(device: torch.device) -> Any:
    """Return torch's module for a device that has several streams, CUDA or an NPU; None for MPS and the CPU."""
    module = driver(device.type)
    return module if hasattr(module, "Stream") else None


def kind_for(target: str) -> str:
    """Return torch's kind of device that represents "CPU", "GPU" or "Ascend"."""
    return next((kind for kind in CHOICES[target] if driver(kind) is not None), "cpu")


def best_target() -> str:
    """Return the device that is used when a script names none: an NPU, a CUDA device, or the CPU."""
    kind = next((kind for kind in ("npu", "cuda") if driver(kind) is not None), None)
    return "CPU" if kind is None else ACCELERATORS[kind].target


def available_kind() -> str:
    """Return torch's kind of the accelerator that this machine has, or "cpu"."""
    return next((kind for kind in ACCELERATORS if driver(kind) is not None), "cpu")


def synchronize_used() -> None:
    """Wait for all that CUDA or an NPU was given, if anything."""
    for module in (torch.cuda, getattr(torch, "npu", None)):
        if module is not None and module.is_initialized():
            module.synchronize()


def device_count(kind: str) -> int:
    """Return the number of devices of a kind."""
    module = driver(kind)
    return 0 if module is None else int(module.device_count())


def collectives(device: torch.device) -> str:
    """Return the backend of torch.distributed for tensors on a device."""
    known = ACCELERATORS.get(device.type)
    return "gloo" if known is None else known.collectives


def has_float64(device: torch.device) -> bool:
    """Return whether a device computes in float64."""
    known = ACCELERATORS.get(device.type)
    return known is None or known.has_float64


def random_state(device: torch.device) -> torch.Tensor | None:
    """Return the state of an accelerator's generator; None for the CPU."""
    module = driver(device.type)
    state: torch.Tensor | None = None if module is None else module.get_rng_state(*_which(device))
    return state


def set_random_state(device: torch.device, state: torch.Tensor) -> None:
    """Set an accelerator's generator to a state that `random_state` returned."""
    module = driver(device.type)
    if module is not None:
        module.set_rng_state(state, *_which(device))


def empty_cache(device: torch.device) -> None:
    """Return the memory that torch keeps in reserve on a device."""
    module = driver(device.type)
    if module is not None:
        module.empty_cache()


def _which(device: torch.device) -> tuple[torch.device, ...]:
    return () if device.type == "mps" else (device,)  # there is one, and torch.mps does not ask which


@functools.cache
def _load(package: str) -> None:
    """Import a package that adds a device to torch, where it is installed; say so when it is, and cannot be used."""
    if importlib.util.find_spec(package) is None:
        return
    try:
        importlib.import_module(package)
    except (ImportError, OSError, RuntimeError) as error:
        warnings.warn(f"{package} is installed and cannot be used: {error}", stacklevel=2)


class DeviceInfo(tuple[str, int]):
    """A device's name and number.

    Follows: the result of mindspore.get_current_device (2.10).
    """

    __slots__ = ()

    @property
    def device_target(self) -> str:
        """Name of the device: "CPU", "GPU" or "Ascend"."""
        return self[0]

    @property
    def device_id(self) -> int:
        """Number of the device."""
        return self[1]
