"""Weights that torch keeps in several tensors (weight norm, spectral norm), where MindSpore has the weight only.

In which tensors is a row of mappings/parametrizations.toml; what computes the weight of them is here, with its inverse.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.tensors.steps import Operation, Shapes, Tensors
from msbridge.mappings import table

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parametrization:
    """A row of parametrizations.toml."""

    torch: str  # qualified name of the torch function
    parts: tuple[str, ...]  # names of the tensors inside the layer
    convert: str  # what computes the weight of them


@dataclass(frozen=True, slots=True)
class Folded:
    """One weight that is kept in several tensors."""

    sources: tuple[str, ...]  # the names of the tensors
    weight: str  # the name of the one that has the weight's shape
    shape: Shape  # the weight's shape
    how: str  # "weight norm" or "spectral norm"
    fold: Operation  # the tensors → the weight
    unfold: Operation | None  # the weight → the tensors; None where that cannot be


Computation = tuple[int, Operation, Operation | None]  # which of the tensors has the weight's shape, fold and unfold


def find_folded_weights(
    shapes: Mapping[str, Shape], is_transposed: Callable[[str], bool] | None = None
) -> dict[str, Folded]:
    """Find the weights that are kept in several tensors.

    Args:
        shapes: name → shape of all tensors.
        is_transposed: whether the layer at a path is a transposed convolution: its second axis is that of the outputs.

    Returns:
        The name of the whole → what makes it.
    """
    folded: dict[str, Folded] = {}
    for name in shapes:
        for row, pattern in _rows().get(name.rpartition(".")[2], ()):
            place = pattern.fullmatch(name)
            if not place:
                continue
            path, weight = place["path"] or "", place.groupdict().get("weight") or "weight"
            sources = tuple(path + part.format(weight=weight) for part in row.parts)
            if not all(one in shapes for one in sources):
                continue
            given = [shapes[one] for one in sources]
            axis = int(is_transposed is not None and is_transposed(path.rstrip(".")))
            if computation := COMPUTATIONS[row.convert](given, axis):
                number, fold, unfold = computation
                folded[path + weight] = Folded(sources, sources[number], given[number], row.convert, fold, unfold)
    return folded


@functools.cache
def _rows() -> Mapping[str, Sequence[tuple[Parametrization, re.Pattern[str]]]]:
    """Return the rows by the last part of the first tensor's name, each with a pattern for the whole name."""
    rows: dict[str, list[tuple[Parametrization, re.Pattern[str]]]] = {}
    for row in table("parametrizations.toml", Parametrization).values():
        inside = re.escape(row.parts[0]).replace(r"\{weight\}", r"(?P<weight>[^.]+)")
        pattern = re.compile(rf"(?P<path>.+\.)?{inside}")
        rows.setdefault(row.parts[0].rpartition(".")[2], []).append((row, pattern))
    return rows


def _weight_norm(given: Sequence[Shape], axis: int) -> Computation | None:
    """Return magnitude · direction / ‖direction‖; the norm is over all axes that the magnitude has not."""
    magnitude_shape, direction_shape = given
    if not _is_magnitude(magnitude_shape, direction_shape):
        return None

    def fold_shapes(given: Shapes) -> Shapes:
        magnitude, direction = given
        if not _is_magnitude(magnitude, direction):
            raise CheckpointError(
                f"a magnitude of shape {magnitude} does not go with a direction of shape {direction}."
            )
        return [direction]

    def fold(tensors: Tensors) -> Tensors:
        magnitude, direction = tensors
        return [direction * (magnitude / _norm(direction, tuple(magnitude.shape)))]

    def unfold(tensors: Tensors) -> Tensors:
        (weight,) = tensors
        return [_norm(weight, magnitude_shape).reshape(magnitude_shape), weight]

    undone = Operation("unfold weight norm", lambda given: [magnitude_shape, given[0]], unfold)
    return 1, Operation("fold weight norm", fold_shapes, fold), undone


def _is_magnitude(magnitude: Shape, direction: Shape) -> bool:
    return len(magnitude) == len(direction) and all(m in (1, d) for m, d in zip(magnitude, direction, strict=True))


def _norm(direction: torch.Tensor, shape: Shape) -> torch.Tensor:
    over = [axis for axis in range(direction.dim()) if shape[axis] == 1 != direction.shape[axis]]
    return torch.linalg.vector_norm(direction, dim=over, keepdim=True) if over else direction.abs()


def _spectral_norm(given: Sequence[Shape], likely: int) -> Computation | None:
    """Return W / (u · W v), as torch computes in inference; the vectors are those of training, so it has no inverse."""
    weight_shape, left_shape, right_shape = given
    axis = _axis_of(weight_shape, left_shape, right_shape, likely)
    if axis is None:
        return None

    def shapes(given: Shapes) -> Shapes:
        weight, left, right = given
        if _axis_of(weight, left, right) is None:
            raise CheckpointError(f"vectors of shapes {left} and {right} do not go with a weight of shape {weight}.")
        return [weight]

    def fold(tensors: Tensors) -> Tensors:
        weight, left, right = tensors
        matrix = weight.movedim(axis, 0).flatten(1)
        return [weight / torch.dot(left, torch.mv(matrix, right))]

    return 0, Operation("fold spectral norm", shapes, fold), None


def _axis_of(weight: Shape, left: Shape, right: Shape, likely: int = 0) -> int | None:
    """Return the axis of the weight along which the left vector lies, the likely one first; None if they do not fit."""
    axes: Iterable[int] = (likely, *range(len(weight)))
    for axis in axes:
        length = weight[axis] if axis < len(weight) else -1
        others = math.prod(weight) // length if length else 0
        if (left, right) == ((length,), (others,)):
            return axis
    return None


COMPUTATIONS: Mapping[str, Callable[[Sequence[Shape], int], Computation | None]] = {
    "spectral norm": _spectral_norm,
    "weight norm": _weight_norm,
}
