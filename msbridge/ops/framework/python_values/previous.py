"""Operators on Python's values as 2.0 had them: sequences came out as tuples, numbers as Tensors."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.releases.overrides import Earlier
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.python_values.family import on_values


def _joined(input_0: Sequence[Any], input_1: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(operator.add(input_0, input_1))


def _repeated(input_x: Sequence[Any], scalar: int) -> tuple[Any, ...]:
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
    "SequenceAdd": _joined,
    "SequenceCount": lambda sequence, target: Tensor(sequence.count(target)),
    "SequenceIndex": lambda sequence, target, start, end: Tensor(sequence.index(target, start, end)),
    "SequenceMul": _repeated,
    "SequenceSlice": _slice,
    "TensorToList": _as_list,
    "TensorToScalar": _as_list,
    "TensorToTuple": _as_tuple,
}
_NUMBERS: dict[str, Callable[..., Any]] = {"ScalarBool": lambda x: Tensor(bool(x))}


def rows(file: str) -> list[Earlier]:
    """Return what the operators of a file, "sequences" or "scalars", were."""
    said = {"sequences": _SEQUENCES, "scalars": _NUMBERS}[file]
    kinds = on_values(said, f"mindspore.ops.operations, of the file {file},").items()
    return [Earlier(f"ops.framework.python_values.{file}.{name}", "2.3", kind) for name, kind in kinds]
