"""Operators on Python's values as 2.0 had them: sequences came out as tuples, numbers as Tensors."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.python_values import scalars, sequences
from msbridge.ops.framework.python_values.family import on_values
from msbridge.ops.shape.joining import functions as joining


def _join(input_0: Sequence[Any], input_1: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(operator.add(input_0, input_1))


def _repeat(input_x: Sequence[Any], scalar: int) -> tuple[Any, ...]:
    return tuple(input_x) * scalar


def _slice(seq: Sequence[Any], start: int, stop: int, step: int) -> tuple[Any, ...]:
    return tuple(seq[start:stop:step])


def _list_as_tensor(input_list: list[Any], dtype: Type | None) -> Tensor | None:
    return Tensor(input_list, dtype) if isinstance(input_list, list) else None


def _as_list(input_tensor: Tensor) -> list[Any]:
    return list(input_tensor.tolist())


def _as_tuple(input_tensor: Tensor) -> tuple[Any, ...]:
    return tuple(input_tensor.tolist())


_SEQUENCES: dict[str, Callable[..., Any]] = {
    "InSequence": lambda element, input_data: Tensor(element in input_data),
    "ListToTensor": _list_as_tensor,
    "SequenceAdd": _join,
    "SequenceCount": lambda sequence, target: Tensor(sequence.count(target)),
    "SequenceIndex": lambda sequence, target, start, end: Tensor(sequence.index(target, start, end)),
    "SequenceMul": _repeat,
    "SequenceSlice": _slice,
    "TensorToList": _as_list,
    "TensorToScalar": _as_list,
    "TensorToTuple": _as_tuple,
}
_NUMBERS: dict[str, Callable[..., Any]] = {"ScalarBool": lambda x: Tensor(bool(x))}


def _overrides(public: str, module: Any, computations: dict[str, Callable[..., Any]]) -> dict[str, Part]:
    kinds = on_values(computations, f"mindspore.ops.operations, of the file {module.__name__.rpartition('.')[2]},")
    return {f"ops.operations.{public}.{name}": Part(module, name, kind) for name, kind in kinds.items()}


def _tile(data: torch.Tensor, dims: Any) -> torch.Tensor:
    """Repeat a tensor; True is once."""
    if isinstance(dims, tuple):
        dims = tuple(int(one) if isinstance(one, bool) else one for one in dims)
    return _today_tile(data, dims)


_today_tile = joining._tile
OVERRIDES = {"ops.Tile": Part(joining, "_tile", _tile)}
OVERRIDES |= _overrides("_sequence_ops", sequences, _SEQUENCES) | _overrides("_scalar_ops", scalars, _NUMBERS)
