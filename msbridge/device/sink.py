"""The sink executor: many steps on the device for one visit of the host.

A sink of k steps takes k batches from the data channel and runs the step on each. Nothing is read on the way; at the
end the host waits once. The next sink goes on where this one ended in the data.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from msbridge.core import context, observing
from msbridge.core.tensor import Tensor, wrap
from msbridge.device import ascend
from msbridge.device.capture import CapturedStep
from msbridge.device.ledger import ledger


def can_sink() -> bool:
    """Whether the context's device runs sinks: a GPU and an Ascend do, emulated ones too; a CPU does not."""
    return context.device_target() != "CPU"


class SinkExecutor:
    """Runs a step over batches, `sink_size` at a time.

    Args:
        step: called with the Tensors of a batch; its first output is taken for the loss.
        batches: yields tuples of Tensors on the device, one traversal of the data after another.
        sink_size: steps per sink.
        state: what the step changes (weights, optimizer state, counters); needed to capture the step as a CUDA graph.
    """

    def __init__(
        self,
        step: Callable[..., Any],
        batches: Iterator[tuple[Tensor, ...]],
        sink_size: int,
        state: Sequence[Tensor] = (),
    ) -> None:
        device = context.torch_device()
        self.sink_size = sink_size
        self._state = state
        self._batches = batches
        self._ring = LossRing(sink_size)
        self._captured = CapturedStep(step, state) if _captures(device) and state else None
        self._step = self._captured or step
        self._needs_measuring = ascend.is_emulated()

    def run(self) -> Any:
        """Run one sink and wait for its end.

        Returns:
            What the last step returned.

        Raises:
            RuntimeError: the data ended before the sink did.
        """
        self._ring.clear()
        with ascend.precision():
            for _ in range(self.sink_size):
                result = self._advance()
        wait(context.torch_device())
        ledger.count_sink(self.capture_status)
        if self._captured is not None:
            self._captured.decide()
        return result

    def run_step(self) -> Any:
        """Run a single step, without waiting for its end."""
        with ascend.precision():
            return self._advance()

    @property
    def losses(self) -> Tensor:
        """The loss of every step of the last sink, in order; on the device."""
        return wrap(self._ring.values())

    @property
    def capture_status(self) -> str:
        """Describe whether steps are replayed as a CUDA graph, and if not, why."""
        return "steps run eagerly: no CUDA graph was asked for" if self._captured is None else self._captured.status

    def _advance(self) -> Any:
        try:
            batch = next(self._batches)
        except StopIteration:
            raise RuntimeError(
                f"The dataset ended after {ledger.steps} steps, before the sink of {self.sink_size} steps did; "
                "traverse it more often (`epoch_num`), or choose a smaller `sink_size`."
            ) from None
        ledger.begin_step()
        if self._needs_measuring:
            self._needs_measuring = False
            result = ascend.checked_step(self._step, batch, self._state)
        else:
            result = self._step(*batch)
        ledger.count_step()
        self._ring.record(result)
        return result


class LossRing:
    """Keeps the losses of the last steps on the device.

    Args:
        capacity: how many losses are kept; the oldest are overwritten.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._losses: torch.Tensor | None = None
        self._count = 0

    def record(self, result: Any) -> None:
        """Keep the loss of a step's result: itself, or its first element; a loss of several elements is passed over."""
        first = result[0] if isinstance(result, tuple | list) and result else result
        data = getattr(first, "_data", None)
        if data is None or data.numel() != 1:
            return
        if self._losses is None:
            self._losses = torch.empty(self._capacity, dtype=data.dtype, device=data.device)
        self._losses[self._count % self._capacity].copy_(data.detach().reshape(()))
        self._count += 1

    def values(self) -> torch.Tensor:
        """Return the losses that are kept, oldest first."""
        if self._losses is None:
            return torch.empty(0)
        if self._count <= self._capacity:
            return self._losses[: self._count].clone()
        return self._losses.roll(-(self._count % self._capacity))

    def clear(self) -> None:
        """Forget all losses."""
        self._count = 0


def wait(device: torch.device) -> None:
    """Let the host wait until the device has done what it was given."""
    if device.type != "cpu":
        began = time.perf_counter()
        torch.accelerator.synchronize(device)
        for observer in observing.active:
            observer.wait_for_device(time.perf_counter() - began)


def _captures(device: torch.device) -> bool:
    if device.type != "cuda":
        return False
    level = context.get_context("jit_level") or context.get_context("jit_config").get("jit_level", "")
    return bool(level == "O1")
