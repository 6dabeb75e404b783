"""The tensors of a checkpoint by layer: a layer is what the names before the last dot have in common.

A weight that torch keeps in parts (weight norm: a magnitude and a direction; spectral norm: a weight and two vectors)
may stand in its layer as the one tensor that MindSpore has instead of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msbridge.converters.names.paths import joined
from msbridge.converters.tensors import spectral_norm, weight_norm
from msbridge.converters.tensors.axes import Axes
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.steps import Operation

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A tensor of a layer.

    Attributes:
        sources: its name in the source; several where it is computed of several.
        shape: its shape, or that of what is computed.
        fold: makes the computation, given what then happens to the axes.
        how: what is computed, for the report.
    """

    sources: tuple[str, ...]
    shape: Shape
    fold: Callable[[Axes | None], Operation] | None = None
    how: str = ""


@dataclass(slots=True)
class Group:
    """The tensors of one layer.

    Attributes:
        path: the names before the last dot.
        leaves: last part of the name → the tensor.
    """

    path: str
    leaves: dict[str, Part] = field(default_factory=dict)

    def rank(self, leaf: str) -> int:
        return len(self.leaves[leaf].shape) if leaf in self.leaves else -1

    def shape(self, leaf: str) -> Shape | None:
        return self.leaves[leaf].shape if leaf in self.leaves else None


def grouped(entries: Mapping[str, Entry], working: Mapping[str, str], fold: bool = False) -> dict[str, Group]:
    """Sort tensors into layers, in the order of the source.

    Args:
        entries: the source.
        working: the name to map → the name in the source.
        fold: whether one weight stands for the parts in which torch keeps it.
    """
    parts = {name: Part((source,), entries[source].shape) for name, source in working.items()}
    groups: dict[str, Group] = {}
    for name, part in (_folded(parts) if fold else parts).items():
        path, _, leaf = name.rpartition(".")
        groups.setdefault(path, Group(path)).leaves[leaf] = part
    return groups


def folded(entries: Mapping[str, Entry], working: Mapping[str, str]) -> dict[str, Part]:
    """Give the weights that are in parts: the name of the whole → what makes it."""
    parts = {name: Part((source,), entries[source].shape) for name, source in working.items()}
    return {name: part for name, part in _folded(parts).items() if part.fold}


def _folded(parts: Mapping[str, Part]) -> dict[str, Part]:
    """Put one weight in the place of its parts."""
    found: dict[str, Part] = {}
    for name, part in parts.items():
        path, _, leaf = name.rpartition(".")
        if leaf in ("weight_g", "original0"):
            other = {"weight_g": "weight_v", "original0": "original1"}[leaf]
            if folded := _with_weight_norm(path, part, parts.get(joined(path, other))):
                found[_name_of_weight(path, leaf)] = folded
                continue
        elif leaf in ("weight_orig", "original"):
            first, second = ("weight_u", "weight_v") if leaf == "weight_orig" else ("0._u", "0._v")
            vectors = parts.get(joined(path, first)), parts.get(joined(path, second))
            if folded := _with_spectral_norm(part, *vectors):
                found[_name_of_weight(path, leaf)] = folded
                continue
        found[name] = part
    taken = {source for part in found.values() if part.fold for source in part.sources}
    return {name: part for name, part in found.items() if part.fold or part.sources[0] not in taken}


def _name_of_weight(path: str, leaf: str) -> str:
    if leaf.startswith("weight_"):
        return joined(path, "weight")
    above, _, name = path.rpartition(".")
    return joined(above.removesuffix("parametrizations").removesuffix("."), name)


def _with_weight_norm(path: str, magnitude: Part, direction: Part | None) -> Part | None:
    if direction is None:
        return None
    sources = magnitude.sources + direction.sources
    return Part(sources, direction.shape, weight_norm.fold, "weight norm folded")


def _with_spectral_norm(weight: Part, left: Part | None, right: Part | None) -> Part | None:
    if left is None or right is None:
        return None
    axis = spectral_norm.axis_of(weight.shape, left.shape, right.shape)
    if axis is None:
        return None
    sources = weight.sources + left.sources + right.sources
    return Part(sources, weight.shape, lambda axes: spectral_norm.fold(axis, axes), "spectral norm folded")
