"""Operators on tuples and lists.

Follows: mindspore.ops.operations._sequence_ops (2.10).
"""

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.creation.functions import zeros_like
from msbridge.ops.framework.python_values.family import on_values
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.shape.joining.functions import stack, unstack


def _append(input_data: Sequence[Any], target: Any) -> list[Any]:
    return [*_alike(input_data, target), target]


def _insert(input_data: Sequence[Any], index: int, target: Any) -> list[Any]:
    result = _alike(input_data, target)
    result.insert(index, target)
    return result


def _alike(input_data: Sequence[Any], target: Any) -> list[Any]:
    """Return the elements as a list; an element of another type does not join them."""
    if len(input_data) and type(input_data[0]) is not type(target):
        kinds = type(input_data[0]).__name__, type(target).__name__
        raise TypeError(
            f"An element to be added must be of the type of those that are there, {kinds[0]}, got {kinds[1]}."
        )
    return list(input_data)


def _without(input_data: Sequence[Any], index: int) -> list[Any]:
    result = list(input_data)
    result.pop(index)
    return result


def _slice(seq: Sequence[Any], start: int, stop: int, step: int) -> Sequence[Any]:
    return seq[start:stop:step]


def _slice_set(seq: Sequence[Any], target: Sequence[Any], start: int, stop: int, step: int) -> Sequence[Any]:
    result = list(seq)
    result[start:stop:step] = target
    return result if isinstance(seq, list) else tuple(result)


def _slice_gradient(dy: Sequence[Any], x: Sequence[Any], start: int, stop: int, step: int) -> Sequence[Any]:
    return _slice_set(_zeros(x), dy, start, stop, step)


def _zeros(sequence: Sequence[Any]) -> Sequence[Any]:
    found = [zeros_like(one) if isinstance(one, Tensor) else type(one)(0) for one in sequence]
    return found if isinstance(sequence, list) else tuple(found)


def _offsets(shape_0: Sequence[Any], shape_1: Sequence[Any]) -> tuple[int, int]:
    return 0, len(shape_0)


def _product(input_data: tuple[int, ...]) -> int:
    if not isinstance(input_data, tuple):
        raise ValueError(f"For 'shape_mul', the input must be a tuple, got {type(input_data).__name__}.")
    return prod(input_data)


def _product_gradient(input_data: tuple[int, ...], dout: int) -> tuple[int, ...]:
    others = (input_data[:place] + input_data[place + 1 :] for place in range(len(input_data)))
    return tuple(dout * prod(other) for other in others)


def _tuple_as_tensor(input_tuple: tuple[Any, ...] | range, dtype: Type | None) -> Tensor | None:
    return Tensor(tuple(input_tuple), dtype) if isinstance(input_tuple, tuple | range) else None


def _list_as_tensor(input_list: list[Any], dtype: Type | None) -> Tensor:
    if not isinstance(input_list, list) or None in input_list:
        raise RuntimeError(f"For 'ListToTensor', the input must be a list of numbers, got {input_list!r}.")
    return Tensor(input_list, dtype)


def _tensor_as_tuple(input_tensor: Tensor) -> tuple[Any, ...] | None:
    return tuple(input_tensor.tolist()) if isinstance(input_tensor, Tensor) and input_tensor.ndim < 2 else None


def _tensor_as_list(input_tensor: Tensor) -> Any:
    return input_tensor.tolist() if isinstance(input_tensor, Tensor) and input_tensor.ndim < 2 else None


def _tensor_as_scalar(input_tensor: Tensor) -> Any:
    is_single = isinstance(input_tensor, Tensor) and input_tensor.shape in ((), (1,))
    return input_tensor.item() if is_single else None


def _count(sequence: Sequence[Any], target: Any) -> int:
    return sequence.count(target)


def _index(sequence: Sequence[Any], target: Any, start: Any = None, end: Any = None) -> int:
    return sequence.index(target, start, end)


def _sum(sequence: Sequence[Any]) -> Any:
    return reduce(operator.add, sequence)


def _range(start: int, limit: int, delta: int) -> range:
    return range(start, limit, delta)


def _stack(sequence: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along a new axis."""
    return stack(sequence, axis)


def _unstack(input_x: Tensor, axis: int = 0, num: int | None = None) -> tuple[Tensor, ...]:
    """Take a tensor apart along an axis."""
    return unstack(input_x, axis)


class _AlongAxis(Derived):
    """Base of what has an axis, which is an int."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        instance(self.axis, "axis", self.name, int)


_ROWS: dict[str, Callable[..., Any]] = {
    "InSequence": lambda element, input_data: element in input_data,
    "ListAppend": _append,
    "ListAppendAndInsertGrad": _without,
    "ListInsert": _insert,
    "ListToTensor": _list_as_tensor,
    "SequenceAdd": operator.add,
    "SequenceAddN": _sum,
    "SequenceAddOffset": _offsets,
    "SequenceCount": _count,
    "SequenceIndex": _index,
    "SequenceMax": max,
    "SequenceMin": min,
    "SequenceMul": operator.mul,
    "SequenceSlice": _slice,
    "SequenceSliceGrad": _slice_gradient,
    "SequenceSliceSetItem": _slice_set,
    "SequenceZerosLike": _zeros,
    "ShapeMulGrad": _product_gradient,
    "TensorToList": _tensor_as_list,
    "TensorToScalar": _tensor_as_scalar,
    "TensorToTuple": _tensor_as_tuple,
    "TupleToTensor": _tuple_as_tensor,
    "list_equal": operator.eq,
    "list_greater_equal": operator.ge,
    "list_greater_than": operator.gt,
    "list_le": operator.le,
    "list_lt": operator.lt,
    "make_range": _range,
    "sequence_len": len,
    "shape_mul": _product,
    "tuple_equal": operator.eq,
    "tuple_greater_equal": operator.ge,
    "tuple_greater_than": operator.gt,
    "tuple_le": operator.le,
    "tuple_lt": operator.lt,
}

_PRIMITIVES = on_values(_ROWS, "mindspore.ops.operations._sequence_ops") | {
    "SequenceStack": derive("SequenceStack", _stack, "axis", base=_AlongAxis),
    "SequenceUnstack": derive("SequenceUnstack", _unstack, "axis num", base=_AlongAxis),
}
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
