"""The one place where values leave the device for the host, and the count of how often that made the host wait.

A device runs behind the host. Reading a value waits for the work that is under way; a second read of finished work
does not wait again. So `syncs` counts waits: a read counts when steps were submitted since the last one.
"""

from typing import Any

import numpy as np
import torch

from msbridge.core import torch_private
from msbridge.core.runtime import observers
from msbridge.core.runtime.lazy_tensors import materialize


class HostLink:
    """Counts what crosses between host and device.

    Attributes:
        pending: steps were submitted since the host last waited.
        steps: how many were submitted.
        syncs: how often the host waited for the device.
        bytes_read: bytes copied to the host.
        bytes_sent: bytes of batches that were brought to the device.
    """

    __slots__ = ("bytes_read", "bytes_sent", "pending", "steps", "syncs")

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Reset the counts."""
        self.pending = False
        self.steps = 0
        self.syncs = 0
        self.bytes_read = 0
        self.bytes_sent = 0

    def begin_step(self) -> None:
        """Note that a step begins."""
        for observer in observers.active:
            observer.begin_step()

    def count_step(self) -> None:
        """Count a step that was submitted to the device."""
        self.pending = True
        self.steps += 1
        for observer in observers.active:
            observer.end_step()

    def wait(self) -> None:
        """Count a wait, if there is work to wait for."""
        if self.pending:
            self.pending = False
            self.syncs += 1


link = HostLink()


def read(data: torch.Tensor) -> torch.Tensor:
    """Bring a torch tensor to the host, without its gradient history; shares memory where it is there already."""
    if observers.active:
        for observer in observers.active:
            observer.read(data, link.pending)
    link.wait()
    link.bytes_read += data.nbytes
    found = data.detach()
    return materialize(found if type(found) is torch.Tensor else part_of(found)).cpu()


def part_of(data: Any) -> Any:
    """Return this process's part of a tensor that is divided over several; of pending sums, all."""
    if hasattr(data, "to_read"):
        return data.to_read()
    if not hasattr(data, "placements"):
        return data
    return data.full_tensor() if any(one.is_partial() for one in data.placements) else data.to_local()


def whole_of(data: Any) -> Any:
    """Return all of a tensor that may be divided over several processes; all of them call this."""
    return data.full_tensor() if hasattr(data, "full_tensor") else data


def to_numpy(data: torch.Tensor, copies_views: bool = False) -> np.ndarray:
    """Return the host's array of a torch tensor; shares memory on CPU. bfloat16 arrives as ml_dtypes.bfloat16."""
    host = read(data)
    if copies_views and data.is_cpu and _is_view(data):
        host = host.clone(memory_format=torch.contiguous_format)
    if host.dtype in _EXTENDED:
        import ml_dtypes

        name = str(host.dtype).removeprefix("torch.")
        return host.contiguous().view(_EXTENDED[host.dtype]).numpy().view(getattr(ml_dtypes, name))
    return host.numpy()


def _is_view(data: torch.Tensor) -> bool:
    with torch_private.DisableTorchFunction():  # no operator, which a mode would be asked about
        return data._is_view()


_EXTENDED = {torch.bfloat16: torch.int16, torch.float8_e4m3fn: torch.uint8, torch.float8_e5m2: torch.uint8}
