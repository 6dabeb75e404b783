"""Weight normalisation of torch, which MindSpore does not have: the weight is magnitude · direction / ‖direction‖."""

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.steps import Operation, Shapes, Tensors


def fold(axes: Axes | None = None) -> Operation:
    """Compute the weight of (magnitude, direction); the norm is over all axes that the magnitude has not.

    Args:
        axes: what then happens to the axes of the weight.
    """

    def shapes(given: Shapes) -> Shapes:
        magnitude, direction = given
        if len(magnitude) != len(direction) or any(m not in (1, d) for m, d in zip(magnitude, direction, strict=True)):
            raise CheckpointError(
                f"a magnitude of shape {magnitude} does not go with a direction of shape {direction}."
            )
        return [axes.shape(direction, "weight") if axes else direction]

    def apply(tensors: Tensors) -> Tensors:
        magnitude, direction = tensors
        weight = direction * (magnitude / _norm(direction, tuple(magnitude.shape)))
        return [axes.apply(weight, "weight") if axes else weight]

    return Operation("fold weight norm", shapes, apply)


def unfold(magnitude_shape: tuple[int, ...], axes: Axes | None = None) -> Operation:
    """Compute (magnitude, direction) of a weight: its norm, and itself.

    Args:
        magnitude_shape: the shape of the magnitude.
        axes: what happens to the axes of the weight before.
    """

    def shapes(given: Shapes) -> Shapes:
        return [magnitude_shape, axes.shape(given[0], "weight") if axes else given[0]]

    def apply(tensors: Tensors) -> Tensors:
        weight = axes.apply(tensors[0], "weight") if axes else tensors[0]
        return [_norm(weight, magnitude_shape).reshape(magnitude_shape), weight]

    return Operation("unfold weight norm", shapes, apply)


def _norm(direction: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    over = [axis for axis in range(direction.dim()) if shape[axis] == 1 != direction.shape[axis]]
    return torch.linalg.vector_norm(direction, dim=over, keepdim=True) if over else direction.abs()
