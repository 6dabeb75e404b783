"""Likeness: how much two layers with the same tensors are alike otherwise, in their settings and names."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from msbridge.converters.names.by_order.alignment import MEMBER, Numbers

Traits = tuple[frozenset[int] | None, ...]
TRAITS = (("stride",), ("dilation",), ("groups", "group"))
TAIL = 5  # parts of a name, from its end, that are compared


def traits_of(layers: Iterable[tuple[str, Any]]) -> dict[str, Traits]:
    """Return by path what distinguishes layers whose tensors have the same shapes: strides, dilations and groups."""
    return {path: tuple(_numbers(layer, names) for names in TRAITS) for path, layer in layers}


class Likeness:
    """The score of pairs of layers: 0 when they cannot be one.

    A pair is possible when the Cell has all that torch has, and torch all that the Cell trains.
    """

    def __init__(
        self,
        paths: tuple[Sequence[str], Sequence[str]],
        ours: Sequence[Set[Hashable]],
        theirs: Sequence[tuple[Set[Hashable], Set[Hashable]]],
        traits: tuple[Mapping[str, Traits], Mapping[str, Traits]],
        is_strict: bool,
    ) -> None:
        """Keep what is compared.

        Args:
            paths: of torch's layers, and of the Cell's.
            ours: the tensors of each layer of torch's.
            theirs: those of each layer of the Cell's: the trained ones, and all.
            traits: settings of torch's layers and of the Cell's, by path.
            is_strict: whether layers with other settings cannot be one.
        """
        self.shape = len(ours), len(theirs)
        self.leaves, kinds = _number_items(ours), _number_items(theirs)
        self.their_leaves = np.array(kinds[0], np.int64)
        self.fits = np.array(
            [[trained <= mine <= whole for trained, whole in kinds[1]] for mine in self.leaves[1]], bool
        ).reshape(len(self.leaves[1]), len(kinds[1]))
        known = [[some.get(path, ()) for path in side] for side, some in zip(paths, traits, strict=True)]
        self.traits, others = _number_items(known[0]), _number_items(known[1])
        self.their_traits = np.array(others[0], np.int64)
        shared = [[_count_shared(one, other, is_strict) for other in others[1]] for one in self.traits[1]]
        self.broadcast_tensor = np.array(shared, np.int64).reshape(len(self.traits[1]), len(others[1]))
        ends: dict[tuple[str, ...], int] = {}
        self.ends, their_ends = ([_ends(path, ends) for path in side] for side in paths)
        self.their_ends = np.array(their_ends, np.int64).reshape(len(theirs), TAIL)

    def row(self, mine: int, first: int, last: int) -> Numbers:
        """Return the scores of a layer of torch's with the Cell's from `first` to `last`."""
        fits = self.fits[self.leaves[0][mine]][self.their_leaves[first:last]]
        settings = self.broadcast_tensor[self.traits[0][mine]][self.their_traits[first:last]]
        tail = (self.their_ends[first:last] == self.ends[mine]).sum(1)
        return np.where(fits & (settings >= 0), 2 * MEMBER + 10 * settings + tail, 0)


def _number_items(items: Iterable[Hashable]) -> tuple[list[int], list[Any]]:
    """Return the number of each among the different ones, and those."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in items], list(numbers)


def _count_shared(one: Traits, other: Traits, is_strict: bool) -> int:
    """Count the settings that agree; -1 when some that are known of both must, and do not."""
    pairs = list(zip(one, other, strict=False))
    if is_strict and any(None not in pair and pair[0] != pair[1] for pair in pairs):
        return -1
    return sum(a == b for a, b in pairs)


def _ends(path: str, known: dict[tuple[str, ...], int]) -> list[int]:
    """Number the ends of a path, of one part, of two …; those that it is too short for have numbers of their own."""
    words = [part.replace("_", "").lower() for part in reversed(path.split("."))]
    ends = [tuple(words[:length]) if length <= len(words) else (path, str(length)) for length in range(1, TAIL + 1)]
    return [known.setdefault(end, len(known)) for end in ends]


def _numbers(layer: Any, names: Iterable[str]) -> frozenset[int] | None:
    for name in names:
        value = getattr(layer, name, None)
        if isinstance(value, int):
            return frozenset({value})
        if isinstance(value, tuple | list) and all(isinstance(one, int) for one in value):
            return frozenset(value)
    return None
