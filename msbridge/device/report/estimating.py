"""Estimates: the memory that a training step needs, computed from shapes before the first step runs.

The first outermost gradient function runs under torch's fake tensors: every operator returns shapes and dtypes only,
autograd keeps what it would keep, and nothing is computed or allocated. `Footprint` adds that up, as in a report.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

import torch

from msbridge.core.runtime import observers
from msbridge.device.report.facts import Memory, Room
from msbridge.device.report.measuring import Footprint, Resident
from msbridge.device.report.sentences import amount, largest_batch, share

__all__ = ["Estimate", "Estimator"]

MAX_LAYERS = 5  # that are shown


@dataclass(frozen=True, slots=True)
class Estimate:
    """The memory of a training step on a device; prints as a table.

    Attributes:
        memory: what the step needs.
        limit: the memory of the device, in bytes.
        optimizer: the class of the optimizer; "" where none was seen.
    """

    memory: Memory
    limit: int
    optimizer: str = ""

    @property
    def total(self) -> int:
        """The bytes that a step needs."""
        return self.memory.resident + self.memory.passing

    @property
    def largest_batch(self) -> int | None:
        """The largest batch that fits; None where nothing grows with the batch."""
        return Room(self.limit, self.limit, 0, self.limit).largest_batch(self.memory)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, which JSON can hold."""
        values = asdict(self.memory)
        return {
            **{name: values[name] for name in ("parameters", "gradients", "optimizer", "feature_maps", "inputs")},
            "optimizer_class": self.optimizer,
            "total": self.total,
            "limit": self.limit,
            "batch": self.memory.batch,
            "bytes_per_sample": self.memory.growing // self.memory.batch if self.memory.batch else None,
            "largest_batch": self.largest_batch,
            "layers": values["layers"],
        }

    def __str__(self) -> str:
        memory = self.memory
        of = f" of {self.optimizer}" if self.optimizer else " (none was seen)"
        rows = [
            ("parameters", amount(memory.parameters)),
            ("gradients", amount(memory.gradients)),
            (f"optimizer state{of}", amount(memory.optimizer)),
            (f"activations{f' of a batch of {memory.batch:,}' if memory.batch else ''}", amount(memory.feature_maps)),
            ("inputs", amount(memory.inputs)),
            ("together", f"{amount(self.total)}, {share(self.total / self.limit)} of {amount(self.limit)}"),
        ]
        if self.largest_batch is not None:
            rows.append(("batch", largest_batch(self.largest_batch)))
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:<{width}}  {text}" for name, text in rows]
        kept = [layer for layer in memory.layers if layer.kind][:MAX_LAYERS]
        if kept:
            lines.append("The layers that keep the most activations:")
            lines += [f"  {layer.path or 'the network itself'} ({layer.kind}): {amount(layer.bytes)}" for layer in kept]
        return "\n".join(lines)


class Estimator(observers.Observer):
    """Computes the shapes of the first training step, and calls back before anything is updated or read.

    Args:
        limit: the memory of the device, in bytes.
        done: is called with the estimate; it raises what ends the script, or returns.
        optimizers: returns those that there are; called where a script reads a value before it updates.
    """

    def __init__(
        self, limit: int, done: Callable[[Estimate], None], optimizers: Callable[[], Iterable[Any]] = lambda: ()
    ) -> None:
        self._limit, self._done, self._optimizers = limit, done, optimizers
        self._blocks = ExitStack()
        self._footprint: Footprint | None = None
        self._memory: Memory | None = None
        self._resident = Resident()
        self._weights: set[int] = set()
        self._thread: int | None = None  # the one that trains: others prepare data

    def begin_gradients(self, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        from msbridge.core.torch_private import FakeTensorMode  # takes a second to load

        self._weights = {id(weight) for weight in weights}
        self._thread = threading.get_ident()
        mode = self._blocks.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        self._footprint = Footprint(inputs, weights, stand_in=mode.from_tensor)
        self._footprint.begin()

    def end_gradients(self, gradients: Sequence[torch.Tensor] | None) -> None:
        footprint, self._footprint = self._footprint, None
        if footprint is None:
            return
        footprint.end(gradients)
        if gradients is not None:
            self._resident.add_parameters(footprint.parameters())
            self._memory = footprint.memory()
        self._blocks.close()
        if gradients is None and isinstance(error := sys.exception(), _errors_of_values()):
            raise RuntimeError(
                "For 'estimate', the step reads a value while it computes, and an estimate computes shapes only."
            ) from error

    def update(self, optimizer: Any) -> None:
        if self._memory is not None:
            self._resident.add_optimizer(optimizer)
            self._finish(self._memory, optimizer)

    def read(self, *_: Any) -> None:
        if self._memory is not None and threading.get_ident() == self._thread:  # what would be read was not computed
            optimizer = next((one for one in self._optimizers() if self._weights & {*map(id, one.parameters)}), None)
            if optimizer is not None:
                self._resident.add_optimizer(optimizer)
            self._finish(self._memory, optimizer)

    def _finish(self, memory: Memory, optimizer: Any) -> None:
        self._memory = None
        observers.remove(self)
        name = "" if optimizer is None else type(optimizer).__name__
        self._done(Estimate(self._resident.with_step(memory), self._limit, name))


def _errors_of_values() -> tuple[type[Exception], ...]:
    """Return the errors of torch where a value is asked for that was not computed."""
    from msbridge.core.torch_private import DataDependentOutputException, DynamicOutputShapeException

    return DataDependentOutputException, DynamicOutputShapeException
