"""Sink executor: many steps on the device for one visit of the host.

    dataset ─► thread that fills ─► channel (bounded) ─► next(batches)
                                                            │
    run(k):  k times  ┌ begin_step ─► step(batch) ─► count_step ┐   queued on the device, nothing is read
                      └ the loss goes into a ring or list ◄─────┘
             then     wait for the device, once ─► count_sink ─► callbacks read `losses`

A sink of k steps takes k batches from the data channel and runs the step on each. Why so: on an accelerator a step of a
small network takes less time than the host needs to ask how it went. The host runs ahead and waits once a sink, as the
real device does, which runs a sink without the host. The next sink continues where this one ended in the data.

Where the device can record graphs (CUDA), the step is a `CapturedStep`: after a few eager steps its kernels are
replayed as one graph, and the losses go into a ring whose place is a number on the device, since a graph cannot append
to a list. Elsewhere the same steps run eagerly; `capture_status` says why. The first step of an emulated Ascend is
measured, for the limits of the real one's memory.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.core.runtime import observers
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.device import ascend
from msbridge.device.capture import CapturedStep, LossRing, copy_results, cuda_recorder, objection
from msbridge.device.ledger import ledger
from msbridge.device.losses import LossList


def can_sink() -> bool:
    """Whether the context's device runs sinks: a GPU and an Ascend do, emulated ones too; a CPU does not."""
    return context.device_target() != "CPU"


class SinkExecutor:
    """Runs a step over batches, `sink_size` at a time.

    Args:
        step: called with the Tensors of a batch; its first output is taken for the loss.
        batches: yields tuples of Tensors on the device, one traversal of the data after another.
        sink_size: steps per sink, at most.
        state: what stays on the device from step to step, for the limits of its memory.
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
        self._why_eager = objection(device)
        self._losses: LossRing | LossList = LossList()
        self._captured: CapturedStep | None = None
        self._step = step
        if self._why_eager is None:
            self._losses = ring = LossRing(sink_size)
            self._captured = self._step = CapturedStep(_recording(step, ring), device, cuda_recorder(device), step)
        self._needs_measuring = ascend.is_emulated()

    def run(self, steps: int | None = None) -> Any:
        """Run one sink and wait for its end.

        Args:
            steps: how many steps it has, at most `sink_size`; None means `sink_size`.

        Returns:
            What the last step returned.

        Raises:
            RuntimeError: the data ended before the sink did.
        """
        self._losses.clear()
        self._look_at_settings()
        ledger.begin_sink()
        with ascend.precision():
            for _ in range(self.sink_size if steps is None else steps):
                result = self._advance()
                if isinstance(self._losses, LossList):
                    self._losses.record(result)
        result = self._copy_if_captured(result)
        wait(context.torch_device())
        ledger.count_sink(self.capture_status)
        return result

    def run_step(self) -> Any:
        """Run a single step, without waiting for its end."""
        self._look_at_settings()
        with ascend.precision():
            return self._copy_if_captured(self._advance())

    @property
    def losses(self) -> Tensor:
        """The loss of every step of the last sink, in order; on the device."""
        return wrap(self._losses.values())

    @property
    def capture_status(self) -> str:
        """Describe whether steps are replayed as a CUDA graph, and if not, why."""
        return f"the steps run eagerly: {self._why_eager}" if self._captured is None else self._captured.status

    def _advance(self) -> Any:
        try:
            batch = next(self._batches)
        except StopIteration:
            raise RuntimeError(
                f"The dataset ended after {ledger.steps} steps, before the sink of {self.sink_size} steps did; "
                "traverse it more often (`epoch_num`), or choose a smaller `sink_size`."
            ) from None
        link.begin_step()
        if self._needs_measuring:
            self._needs_measuring = False
            result = ascend.run_within_limit(self._step, batch, self._state)
        else:
            result = self._step(*batch)
        link.count_step()
        if isinstance(self._losses, LossRing):
            self._losses.advance()
        return result

    def _look_at_settings(self) -> None:
        if self._captured is not None:
            self._captured.look_at_settings()

    def _copy_if_captured(self, result: Any) -> Any:
        return result if self._captured is None else copy_results(result)


def _recording(step: Callable[..., Any], ring: LossRing) -> Callable[..., Any]:
    """Return a function that runs the step and keeps its loss on the device: all that becomes a graph."""

    def run(*batch: Tensor) -> Any:
        result = step(*batch)
        ring.record(result)
        return result

    return run


def wait(device: torch.device) -> None:
    """Let the host wait until the device has done what it was given."""
    if device.type != "cpu":
        began = time.perf_counter()
        torch.accelerator.synchronize(device)
        for observer in observers.active:
            observer.wait_for_device(time.perf_counter() - began)
