"""Settings of the context that act on gradient functions: the memory that a step may need, and its precision.

Both watch gradient functions (`msbridge.core.runtime.observers`) while they are set, wherever these are called: in the
steps of Model, in sinks, and in loops of the script's own.
"""

import contextlib
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.core.context.settings import gibibytes
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import dispatch_modes
from msbridge.device import ascend
from msbridge.device.report.facts import Layer, Memory, Room
from msbridge.device.report.measuring import Footprint, Resident
from msbridge.device.report.sentences import amount
from msbridge.device.rounding import Rounding

__all__ = ["MemoryLimit", "Precision", "follow_context", "room"]

UNLIMITED_GIB = 1024.0  # what max_device_memory is unless it is set
OF_VARIABLES_GIB = 31  # what variable_memory_max_size divides between variables and the rest


def room() -> Room:
    """Return the memory of the device by the settings and by `limit_memory`; else that of the 32 GB part."""
    split = ascend.split_in_force()
    resident, passing = split.parameters_gib, split.feature_maps_gib
    variables = context.get_context("variable_memory_max_size")
    if variables != "0":
        resident = gibibytes(variables)
        passing = OF_VARIABLES_GIB - resident
    limit = context.get_context("max_device_memory")
    total = None
    if limit != UNLIMITED_GIB:
        total = int(limit * ascend.GIB)
        resident = passing = limit  # divided as a step needs it
    return Room(int(resident * ascend.GIB), int(passing * ascend.GIB), int(split.communication_gib * ascend.GIB), total)


class MemoryLimit(observers.Observer):
    """Refuses a step that needs more memory than there is; each shape of inputs is measured once.

    Args:
        room: what there is.
        names: the settings that say so.
    """

    def __init__(self, room: Room, names: str) -> None:
        self._room = room
        self._names = names
        self._known: set[tuple[Any, ...]] = set()
        self._footprint: Footprint | None = None
        self._largest: Memory | None = None
        self._resident = Resident()

    def begin_gradients(self, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        if not self._known:
            self._limit_torch()
        shapes = tuple(value._data.shape for value in inputs if isinstance(value, Tensor))
        key = tuple(map(id, weights)), shapes
        if key not in self._known:
            self._known.add(key)
            self._footprint = Footprint(inputs, weights)
            self._footprint.begin()

    def end_gradients(self, gradients: Sequence[torch.Tensor] | None) -> None:
        if self._footprint is None:
            return
        footprint, self._footprint = self._footprint, None
        footprint.end(gradients)
        if gradients is None:  # it failed, and says why
            return
        self._resident.add_parameters(footprint.parameters())
        memory = footprint.memory()
        if self._largest is None or memory.passing > self._largest.passing:
            self._largest = memory
        self._check()

    def update(self, optimizer: Any) -> None:
        if self._resident.add_optimizer(optimizer):
            self._check()

    def _check(self) -> None:
        largest = self._largest
        if largest is None:
            return
        parameters, state = self._resident.parameters, self._resident.optimizer
        resident, passing = parameters + state, largest.passing
        needs = (
            ("the step needs", resident + passing, self._room.total),
            ("parameters and the state of optimizers need", resident, self._room.resident),
            ("what passes through the step needs", passing, self._room.passing),
        )
        for what, need, limit in needs:
            if limit is not None and need > limit:
                layer = largest.layers[0] if largest.layers else None
                most = f" ({amount(layer.bytes)} of them {_place(layer)})" if layer else ""
                raise RuntimeError(
                    f"Device memory is not enough: {what} {amount(need)}, and {self._names} allows {amount(limit)}. "
                    f"Parameters take {amount(parameters)}, optimizers {amount(state)}, gradients "
                    f"{amount(largest.gradients)}, inputs {amount(largest.inputs)}, and feature maps "
                    f"{amount(largest.feature_maps)}{most}, with a batch of {largest.batch}."
                )

    def _limit_torch(self) -> None:
        """Limit torch's allocator, where the device has memory of its own."""
        device = context.torch_device()
        if device.type == "cuda" and self._room.total is not None:
            have = torch.cuda.get_device_properties(device).total_memory
            torch.cuda.set_per_process_memory_fraction(min(1.0, self._room.total / have), device)


def _place(layer: Layer) -> str:
    if not layer.kind:
        return "outside any Cell"
    return f"in {layer.path} ({layer.kind})" if layer.path else f"in {layer.kind}"


class Precision(observers.Observer):
    """Runs gradient functions in the precision that the context's `precision_mode` asks for."""

    def __init__(self) -> None:
        self._blocks: list[contextlib.AbstractContextManager[object]] = []

    def begin_gradients(self, *_: Any, **__: Any) -> None:
        is_rounded = any(isinstance(mode, Rounding) for mode in dispatch_modes())
        block = contextlib.nullcontext() if is_rounded else ascend.precision()  # a step of Model has it already
        self._blocks.append(block)
        block.__enter__()

    def end_gradients(self, *_: Any, **__: Any) -> None:
        self._blocks.pop().__exit__(None, None, None)


_precision = Precision()
_limits: list[MemoryLimit] = []


def follow_context() -> None:
    """Watch gradient functions as the settings of the context want it."""
    observers.remove(_precision)
    if context.get_context("ascend_config").get("precision_mode") is not None and ascend.is_emulated():
        observers.add(_precision)
    names = " and ".join(
        name
        for name, free in (("max_device_memory", UNLIMITED_GIB), ("variable_memory_max_size", "0"))
        if context.get_context(name) != free
    )
    wanted = room()
    if names and _limits and _limits[0]._room == wanted:
        return
    while _limits:
        observers.remove(_limits.pop())
    if names:
        _limits.append(MemoryLimit(wanted, names))
        observers.add(_limits[0])


context.on_change(follow_context)
