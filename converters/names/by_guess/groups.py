"""The tensors of a checkpoint by layer: a layer is what the names before the last dot have in common.

A weight that torch keeps in parts (weight norm: a magnitude and a direction; spectral norm: a weight and two vectors)
may be in its layer as the one tensor that MindSpore has instead of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.parametrizations import Folded, find_folded_weights

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A tensor of a layer."""

    sources: tuple[str, ...]  # its name in the source; several where it is computed of several
    shape: Shape  # its shape, or that of what is computed
    folded: Folded | None = None  # what computes it


@dataclass(slots=True)
class Group:
    """The tensors of one layer."""

    path: str  # the names before the last dot
    leaves: dict[str, Part] = field(default_factory=dict)  # last part of the name → the tensor

    def rank(self, leaf: str) -> int:
        return len(self.leaves[leaf].shape) if leaf in self.leaves else -1

    def shape(self, leaf: str) -> Shape | None:
        return self.leaves[leaf].shape if leaf in self.leaves else None


def group_by_layer(entries: Mapping[str, Entry], working: Mapping[str, str], fold: bool = False) -> dict[str, Group]:
    """Sort tensors into layers, in the order of the source.

    Args:
        entries: the source.
        working: the name to map → the name in the source.
        fold: whether one weight represents the parts in which torch keeps it.
    """
    shapes = {name: entries[source].shape for name, source in working.items()}
    whole = find_folded_weights(shapes) if fold else {}
    first = {one.sources[0]: name for name, one in whole.items()}
    gone = {source for one in whole.values() for source in one.sources[1:]}
    groups: dict[str, Group] = {}
    for source, shape in shapes.items():
        if source in gone:
            continue
        name = first.get(source, source)
        folded = whole.get(name) if source in first else None
        sources = tuple(working[one] for one in folded.sources) if folded else (working[source],)
        path, _, leaf = name.rpartition(".")
        groups.setdefault(path, Group(path)).leaves[leaf] = Part(sources, folded.shape if folded else shape, folded)
    return groups
