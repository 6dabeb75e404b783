"""The emulated Ascend: what its memory split and its float16-only operators would do to a script.

Both are off until asked for: the memory split as a limit by `limit_memory()`, the precision rules by
`set_context(ascend_config={"precision_mode": "allow_fp32_to_fp16"})`.
"""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.rounding import MODES, Rounding

GIB = 2**30


@dataclass(frozen=True, slots=True)
class MemorySplit:
    """The division of the device's memory; the defaults are those of the 32 GB part.

    Attributes:
        parameters_gib: for parameters, optimizer state and other variables.
        feature_maps_gib: for what the forward pass keeps for the backward pass.
        communication_gib: for the buffers of collective operations.
    """

    parameters_gib: float = 5.0
    feature_maps_gib: float = 26.0
    communication_gib: float = 1.0


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The memory that one step needs, in bytes, divided as `MemorySplit` does."""

    parameter_bytes: int
    feature_map_bytes: int
    communication_bytes: int = 0

    def list_overflows(self, split: MemorySplit) -> list[str]:
        """Name the parts that do not fit, each with what it needs and what there is."""
        return [
            f"{name} need {need / GIB:.2f} GiB of {limit:g} GiB"
            for name, need, limit in self._parts(split)
            if need > limit * GIB
        ]

    def report(self, split: MemorySplit = MemorySplit()) -> str:
        """Return one line per part: what is needed, what there is, and the share."""
        return "\n".join(
            f"{name:<13} {need / GIB:8.3f} GiB of {limit:g} GiB ({need / (limit * GIB):.1%})"
            for name, need, limit in self._parts(split)
        )

    def _parts(self, split: MemorySplit) -> list[tuple[str, int, float]]:
        return [
            ("parameters", self.parameter_bytes, split.parameters_gib),
            ("feature maps", self.feature_map_bytes, split.feature_maps_gib),
            ("communication", self.communication_bytes, split.communication_gib),
        ]


_state: dict[str, MemorySplit | None] = {"limit": None}


def is_emulated() -> bool:
    """Whether the script asked for an Ascend and another device stands in for it."""
    return context.device_target() == "Ascend" and context.torch_device().type != "npu"


def split_in_force() -> MemorySplit:
    """Return the split that steps are limited to, or that of the 32 GB part."""
    return _state["limit"] or MemorySplit()


def limit_memory(split: MemorySplit | None = MemorySplit()) -> None:
    """Refuse steps that would not fit the real device; checked at the first step of a sink.

    Args:
        split: the limits; None takes them away.
    """
    _state["limit"] = split


def measure_step(step: Callable[..., Any], batch: Sequence[Tensor], state: Iterable[Tensor]) -> tuple[Any, MemoryUse]:
    """Run one step and measure what it needs.

    Args:
        step: called with the Tensors of `batch`.
        batch: the inputs.
        state: weights, optimizer state, and all else that stays on the device.

    Returns:
        The result of the step, and the memory: feature maps are what autograd kept, without the state and the batch.
    """
    resident = {item._data.untyped_storage().data_ptr(): item._data.untyped_storage().nbytes() for item in state}
    known = resident.keys() | {item._data.untyped_storage().data_ptr() for item in batch}
    kept: dict[int, int] = {}

    def note(data: torch.Tensor) -> torch.Tensor:
        storage = data.untyped_storage()
        if storage.data_ptr() not in known:
            kept[storage.data_ptr()] = storage.nbytes()
        return data

    with torch.autograd.graph.saved_tensors_hooks(note, lambda data: data):
        result = step(*batch)
    return result, MemoryUse(sum(resident.values()), sum(kept.values()))


def run_within_limit(step: Callable[..., Any], batch: Sequence[Tensor], state: Sequence[Tensor]) -> Any:
    """Run a step; where memory is limited, measure it and refuse what would not fit.

    Raises:
        RuntimeError: the step needs more than the limit.
    """
    limit = _state["limit"]
    if limit is None:
        return step(*batch)
    result, use = measure_step(step, batch, state)
    if too_much := use.list_overflows(limit):
        raise RuntimeError(f"The step does not fit the memory of the Ascend device: {'; '.join(too_much)}.")
    return result


def precision() -> contextlib.AbstractContextManager[object]:
    """Return a context manager in which operators run in the precision that the context's `precision_mode` asks for.

    Without an emulated Ascend, or without a `precision_mode`, the block changes nothing.

    Raises:
        ValueError: there is no such precision mode.
    """
    mode = context.get_context("ascend_config").get("precision_mode")
    if mode is None or not is_emulated():
        return contextlib.nullcontext()
    if mode not in MODES:
        raise ValueError(f"For 'ascend_config', precision_mode must be one of {sorted(MODES)}, got {mode!r}.")
    rule = MODES[mode]
    return contextlib.nullcontext() if rule is None else Rounding(rule)
