"""Spectral normalisation of torch, which MindSpore does not have: the weight is W / (u · W v), all stored."""

import math

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.steps import Operation, Shapes, Tensors

Shape = tuple[int, ...]


def axis_of(weight: Shape, left: Shape, right: Shape, likely: int = 0) -> int | None:
    """Tell along which axis of the weight the left vector lies; None when the vectors do not go with it.

    Args:
        weight: its shape.
        left: the left vector's.
        right: the right vector's.
        likely: the axis where several fit: the first, and the second for transposed convolutions.
    """
    for axis in (likely, *range(len(weight))):
        length = weight[axis] if axis < len(weight) else -1
        if left == (length,) and right == (math.prod(weight) // length if length else 0,):
            return axis
    return None


def fold(axis: int, axes: Axes | None = None) -> Operation:
    """Compute the weight of (original, left vector, right vector), as torch does for inference.

    Args:
        axis: the axis of the weight along which the left vector lies.
        axes: what then happens to the axes of the weight.
    """

    def shapes(given: Shapes) -> Shapes:
        weight, left, right = given
        if axis_of(weight, left, right) is None:
            raise CheckpointError(f"vectors of shapes {left} and {right} do not go with a weight of shape {weight}.")
        return [axes.shape(weight, "weight") if axes else weight]

    def apply(tensors: Tensors) -> Tensors:
        weight, left, right = tensors
        matrix = weight.movedim(axis, 0).flatten(1)
        folded = weight / torch.dot(left, torch.mv(matrix, right))
        return [axes.apply(folded, "weight") if axes else folded]

    return Operation("fold spectral norm", shapes, apply)
