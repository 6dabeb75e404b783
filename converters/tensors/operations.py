"""The operations of rules: a tensor is cut into several, several are joined, axes are moved."""

from collections.abc import Sequence

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.steps import Operation, Shapes, Tensors


def split(axis: int, sizes: Sequence[int], parts: int) -> Operation:
    """Cut one tensor along an axis; without sizes into equal parts."""

    def lengths(shape: tuple[int, ...]) -> list[int]:
        if not -len(shape) <= axis < len(shape):
            raise CheckpointError(f"split along axis {axis} does not go with shape {shape}.")
        whole = shape[axis]
        sizes_of_parts = list(sizes) or [whole // parts] * parts
        if sum(sizes_of_parts) != whole:
            raise CheckpointError(
                f"an axis of length {whole} (shape {shape}) cannot be cut into {list(sizes) or parts}."
            )
        return sizes_of_parts

    def shapes(given: Shapes) -> Shapes:
        (shape,) = given
        return [tuple(_with(shape, axis, length)) for length in lengths(shape)]

    def apply(tensors: Tensors) -> Tensors:
        (tensor,) = tensors
        return list(torch.split(tensor, lengths(tuple(tensor.shape)), axis))

    return Operation("split", shapes, apply)


def merge(axis: int) -> Operation:
    """Join tensors along an axis."""

    def shapes(given: Shapes) -> Shapes:
        first = given[0]
        if not -len(first) <= axis < len(first) or any(_with(one, axis, 0) != _with(first, axis, 0) for one in given):
            raise CheckpointError(f"tensors of shapes {given} cannot be joined along axis {axis}.")
        return [tuple(_with(first, axis, sum(one[axis] for one in given)))]

    return Operation("merge", shapes, lambda tensors: [torch.cat(tensors, axis)])


def _with(shape: Sequence[int], axis: int, length: int) -> list[int]:
    changed = list(shape)
    if -len(changed) <= axis < len(changed):
        changed[axis] = length
    return changed


def moving(axes: Axes) -> Operation:
    """Move the axes of one tensor."""
    return Operation(
        "axes",
        lambda given: [axes.shape(given[0], "the whole")],
        lambda tensors: [axes.apply(tensors[0], "the whole")],
    )


def then_move(operation: Operation, moved: Axes | None) -> Operation:
    """Do an operation that makes one tensor, and then move its axes, if they have to be."""
    return then(operation, moving(moved)) if moved else operation


def move_then(moved: Axes | None, operation: Operation) -> Operation:
    """Move the axes of one tensor, if they have to be, and then do an operation on it."""
    return then(moving(moved), operation) if moved else operation


def then(first: Operation, second: Operation) -> Operation:
    """Do one operation and then another."""
    return Operation(
        f"{first.name}, {second.name}",
        lambda given: second.shapes(first.shapes(given)),
        lambda tensors: second.apply(first.apply(tensors)),
    )
