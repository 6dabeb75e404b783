"""Pairing by order: which parameter of a Cell answers to which tensor of a torch module where the names do not tell.

Layers are paired in the order in which both networks define them, where their tensors have the same names and shapes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from msbridge.converters.axes import Axes
from msbridge.converters.cuts import Cut, reaches
from msbridge.converters.layers import Pair, pairs_of_module
from msbridge.converters.steps import Step

One = TypeVar("One")
Shape = tuple[int, ...]
Leaf = tuple[str, Shape | None]
Traits = tuple[frozenset[int] | None, ...]
# Other names that the same tensor has in a layer of another kind (mint's, or one written by hand).
SYNONYMS = {
    "beta": "bias",
    "embedding_table": "weight",
    "gamma": "weight",
    "mean": "running_mean",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "variance": "running_var",
    "w": "weight",
}
TRAITS = (("stride",), ("dilation",), ("groups", "group"))
TAIL = 5  # parts of a name, from its end, that are compared
LAYER = 1 << 20  # what a settled layer counts: likeness decides only among as many


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter of a Cell.

    Attributes:
        key: its path in the Cell.
        shape: its shape.
        is_trained: whether the Cell trains it.
    """

    key: str
    shape: Shape
    is_trained: bool


@dataclass(slots=True)
class Ordered:
    """What order tells.

    Attributes:
        pairs: torch's tensors, with the axes that make the Cell's of them, and the paths of the Cell's parameters.
        cuts: tensors that one side holds whole and the other in parts.
    """

    pairs: list[tuple[Pair, str]] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Paired:
    """Both names of the tensors of a torch network.

    Attributes:
        pairs: in torch's order.
        by_order: MindSpore's names that order told.
        cuts: tensors that one side holds whole and the other in parts, which `pairs` does not have.
    """

    pairs: list[Pair]
    by_order: set[str]
    cuts: list[Cut]


def slots_of(cell: Any) -> list[Slot]:
    """Give the parameters of a Cell, in its order."""
    return [Slot(key, tuple(one.shape), one.requires_grad) for key, one in cell.parameters_and_names()]


def traits_of(layers: Iterable[tuple[str, Any]]) -> dict[str, Traits]:
    """Give by path what tells apart layers whose tensors have the same shapes: strides, dilations and groups."""
    return {path: tuple(_numbers(layer, names) for names in TRAITS) for path, layer in layers}


def pairs_of_both(module: Any, cell: Any) -> Paired:
    """Give both names of every tensor of a torch module, MindSpore's as a Cell of the same architecture has them."""
    traits = traits_of(module.named_modules()), traits_of(cell.cells_and_names())
    return paired(pairs_of_module(module), cell, traits)


def pairs_of_steps(steps: Iterable[Step], shapes: Mapping[str, Shape], names: Mapping[str, str], cell: Any) -> Paired:
    """Give both names of the tensors of a torch checkpoint, MindSpore's as a Cell has them.

    Args:
        steps: what is guessed of the names without a model.
        shapes: of the source's tensors.
        names: name in the source → name to map.
        cell: whose names are wanted.
    """
    found = []
    for step in steps:
        if len(step.sources) == 1 and step.operation is None:
            source = step.sources[0]
            target = step.targets[0] if step.targets else None
            found.append(Pair(names[source], target, step.axes, shapes[source], step.reason, optional=True))
    return paired(found, cell, ({}, {}))


def paired(pairs: Iterable[Pair], cell: Any, traits: tuple[Mapping[str, Traits], Mapping[str, Traits]]) -> Paired:
    """Give pairs the names that a Cell has: by name where name and shape agree, in order elsewhere.

    A tensor that the Cell has no place for keeps the name that its layer type gives it.
    """
    pairs = list(pairs)
    slots, names = slots_of(cell), {key: one.name for key, one in cell.parameters_and_names()}
    by_name = {name: slot for slot in slots for name in (slot.key, names[slot.key])}
    left = []
    settled: dict[str, tuple[Pair, str]] = {}
    taken: set[str] = set()
    for pair in pairs:
        slot = by_name.get(pair.mindspore or "")
        if slot is not None and slot.shape == pair.mindspore_shape and slot.key not in taken:
            settled[pair.torch] = pair, slot.key
            taken.add(slot.key)
        elif pair.mindspore is not None:
            left.append(pair)
    told = in_order(left, [one for one in slots if one.key not in taken], traits)
    by_order = {pair.torch: (pair, key) for pair, key in told.pairs}
    settled |= by_order
    found = {name: replace(pair, mindspore=names[key]) for name, (pair, key) in settled.items()}
    cuts = [replace(cut, mindspore=tuple(names[key] for key in cut.mindspore)) for cut in told.cuts]
    gone = {name for cut in cuts for name in cut.torch}
    kept = [found.get(one.torch, one) for one in pairs if one.torch not in gone]
    return Paired(kept, {found[name].mindspore or "" for name in by_order}, cuts)


def in_order(
    left: Sequence[Pair], rest: Sequence[Slot], traits: tuple[Mapping[str, Traits], Mapping[str, Traits]] = ({}, {})
) -> Ordered:
    """Pair what the names did not settle: layer by layer in order, where the names inside and the shapes agree.

    The first round takes only layers that agree in strides, dilations and groups; the second all; the third takes
    other layers' names of the same tensor too; the fourth any names, and shapes that differ in axes of length one; the
    fifth takes tensors one by one. In the first three a layer may answer to several that together are as long.

    Args:
        left: torch's tensors.
        rest: the Cell's parameters.
        traits: what more is known of torch's layers, and of the Cell's, by path.
    """
    found, settled = Ordered(), set[str]()
    for one in ROUNDS:
        if one.is_alone:  # tensors of layers of which nothing is paired yet; elsewhere what is left has no counterpart
            left = [pair for pair in left if _path(pair.torch) not in settled]
            rest = [slot for slot in rest if _path(slot.key) not in settled]
        leaves = ((pair.torch, pair, one.leaf_of(pair.mindspore or "", pair.mindspore_shape)) for pair in left)
        ours = _grouped(leaves, one.is_alone)
        theirs = _grouped(((slot.key, slot, one.leaf_of(slot.key, slot.shape)) for slot in rest), one.is_alone)
        matched, cuts = _matched(ours, theirs, traits, one)
        found.pairs += [(_fitted(pair, slot.shape), slot.key) for pair, slot in matched]
        found.cuts += cuts
        taken = {pair.torch for pair, _ in matched} | {name for cut in cuts for name in cut.torch}
        gone = {slot.key for _, slot in matched} | {name for cut in cuts for name in cut.mindspore}
        settled |= set(map(_path, taken | gone))
        left = [pair for pair in left if pair.torch not in taken]
        rest = [slot for slot in rest if slot.key not in gone]
    return found


def _matched(
    ours: Mapping[str, Mapping[Leaf, Pair]],
    theirs: Mapping[str, Mapping[Leaf, Slot]],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]],
    settings: "_Round",
) -> tuple[list[tuple[Pair, Slot]], list[Cut]]:
    likeness = _Likeness(list(ours), list(theirs), traits)
    groups = list(ours.values()), list(theirs.values())
    worth = _worth(groups, likeness, settings.is_strict)
    jumps: dict[tuple[int, int], tuple[int, int]] = {}
    if settings.takes_cuts:
        sides = (
            [(path, _plain(group)) for path, group in ours.items()],
            [(path, set(one)) for path, one in theirs.items()],
        )
        jumps = {(whole, first): (1, count) for whole, first, count in reaches(*sides)}
        jumps |= {(first, whole): (count, 1) for whole, first, count in reaches(*reversed(sides))}
    pairs, cuts = [], []
    for i, j, (rows, columns) in _in_step(worth, len(theirs), jumps):
        if rows == columns == 1:
            pairs += [(pair, groups[1][j][leaf]) for leaf, pair in groups[0][i].items()]
            continue
        for names, keys in _by_leaf(groups[0][i : i + rows], groups[1][j : j + columns]):
            parts = names if len(names) > 1 else keys
            lengths = tuple((one.shape or (0,))[0] for one in parts)
            cuts.append(Cut(tuple(one.torch for one in names), tuple(one.key for one in keys), lengths))
    return [(pair, slot) for pair, slot in pairs if pair.axes is None or pair.mindspore_shape == slot.shape], cuts


def _plain(group: Mapping[Leaf, Pair]) -> set[Leaf]:
    """Give the leaves of a layer of torch's that may be cut; none when a weight is not as it is in the Cell."""
    is_plain = all(pair.axes is None and pair.magnitude is None and not pair.vectors for pair in group.values())
    return set(group) if is_plain else set()


def _by_leaf(
    ours: Sequence[Mapping[Leaf, Pair]], theirs: Sequence[Mapping[Leaf, Slot]]
) -> Iterator[tuple[list[Pair], list[Slot]]]:
    """Give, tensor by tensor, torch's and the Cell's of some layers."""
    for leaf, _ in ours[0]:
        sides = [
            [tensor for group in side for (name, _), tensor in group.items() if name == leaf] for side in (ours, theirs)
        ]
        yield sides[0], sides[1]


def _grouped(items: Iterable[tuple[str, One, Leaf]], alone: bool) -> dict[str, dict[Leaf, One]]:
    """Group tensors by layer, or each alone; those of one group that look the same are told apart by their number."""
    groups: dict[str, dict[Leaf, One]] = {}
    for name, one, (leaf, shape) in items:
        group = groups.setdefault(name if alone else _path(name), {})
        number = sum(known == shape and known_leaf.startswith(f"{leaf}#") for known_leaf, known in group)
        group[f"{leaf}#{number}", shape] = one
    return groups


def _path(name: str) -> str:
    return name.rpartition(".")[0]


def _same_leaf(name: str, shape: Shape | None) -> Leaf:
    return name.rpartition(".")[2], shape


def _synonym(name: str, shape: Shape | None) -> Leaf:
    leaf = name.rpartition(".")[2]
    return SYNONYMS.get(leaf, leaf), shape


def _any_leaf(name: str, shape: Shape | None) -> Leaf:
    return "", None if shape is None else tuple(length for length in shape if length != 1)


@dataclass(frozen=True, slots=True)
class _Round:
    """How layers are paired.

    Attributes:
        leaf_of: what is compared of a tensor, by its name and shape.
        is_strict: whether layers with other strides, dilations or groups stay apart.
        takes_cuts: whether a layer may answer to several.
        is_alone: whether tensors are paired one by one.
    """

    leaf_of: Callable[[str, Shape | None], Leaf]
    is_strict: bool = False
    takes_cuts: bool = True
    is_alone: bool = False


ROUNDS = (
    _Round(_same_leaf, is_strict=True),
    _Round(_same_leaf),
    _Round(_synonym),
    _Round(_any_leaf, takes_cuts=False),
    _Round(_any_leaf, takes_cuts=False, is_alone=True),
)


def _fitted(pair: Pair, shape: Shape) -> Pair:
    """Let axes of length one come or go, where the Cell's shape differs in those."""
    if pair.shape is None or pair.mindspore_shape == shape:
        return pair
    kept = [f"a{number}" for number, length in enumerate(pair.shape) if length != 1]
    sides = []
    for lengths in (pair.shape, shape):
        names = iter(kept)
        sides.append(tuple("1" if length == 1 else next(names) for length in lengths))
    return replace(pair, axes=Axes(*sides))


class _Likeness:
    """How much two layers with the same tensors are alike otherwise: settings, and the ends of their names."""

    def __init__(
        self, ours: Sequence[str], theirs: Sequence[str], traits: tuple[Mapping[str, Traits], Mapping[str, Traits]]
    ) -> None:
        self.words = [[_words(path) for path in side] for side in (ours, theirs)]
        kinds: dict[Traits, int] = {}  # few, so that what two have in common is worked out once
        self.kinds = [
            [kinds.setdefault(known.get(path, ()), len(kinds)) for path in side]
            for side, known in zip((ours, theirs), traits, strict=True)
        ]
        self.shared = [[_shared(one, other) for other in kinds] for one in kinds]

    def differs(self, mine: int, other: int) -> bool:
        return self.shared[self.kinds[0][mine]][self.kinds[1][other]][1]

    def __call__(self, mine: int, other: int) -> int:
        words, names = self.words[0][mine], self.words[1][other]
        tail = 0
        while tail < min(len(words), len(names), TAIL) and words[tail] == names[tail]:
            tail += 1
        return 10 * self.shared[self.kinds[0][mine]][self.kinds[1][other]][0] + tail


def _shared(one: Traits, other: Traits) -> tuple[int, bool]:
    """Say how many settings agree, and whether some that are known of both do not."""
    pairs = list(zip(one, other, strict=False))
    return sum(a == b for a, b in pairs), any(None not in pair and pair[0] != pair[1] for pair in pairs)


def _words(path: str) -> list[str]:
    """Give the parts of a path, the last one first, without what is spelt in many ways."""
    return [part.replace("_", "").lower() for part in reversed(path.split("."))]


def _numbers(layer: Any, names: Iterable[str]) -> frozenset[int] | None:
    for name in names:
        value = getattr(layer, name, None)
        if isinstance(value, int):
            return frozenset({value})
        if isinstance(value, tuple | list) and all(isinstance(one, int) for one in value):
            return frozenset(value)
    return None


def _worth(
    groups: tuple[Sequence[Mapping[Leaf, Pair]], Sequence[Mapping[Leaf, Slot]]], likeness: _Likeness, is_strict: bool
) -> list[list[int]]:
    """Say what each pair of layers counts; 0 when they cannot be one.

    A pair is possible when the Cell has all that torch has, and torch all that the Cell trains.
    """
    ours = [frozenset(group) for group in groups[0]]
    theirs = [
        (frozenset(slot for slot, one in group.items() if one.is_trained), frozenset(group)) for group in groups[1]
    ]
    fits = {(mine, other): other[0] <= mine <= other[1] for mine in set(ours) for other in set(theirs)}
    return [
        [
            2 * LAYER + likeness(i, j) if fits[mine, other] and not (is_strict and likeness.differs(i, j)) else 0
            for j, other in enumerate(theirs)
        ]
        for i, mine in enumerate(ours)
    ]


def _in_step(
    worth: Sequence[Sequence[int]], width: int, jumps: Mapping[tuple[int, int], tuple[int, int]]
) -> list[tuple[int, int, tuple[int, int]]]:
    """Settle as many layers of two sequences as possible, in order, and among those ways the ones most alike.

    Args:
        worth: what a pair of layers counts.
        width: how many layers the second sequence has.
        jumps: where some layers of one side may answer to one of the other: how many of each.

    Returns:
        Where each pair begins, and how many layers of each side it has.
    """
    best = [[0] * (width + 1) for _ in range(len(worth) + 1)]

    for i in range(len(worth) - 1, -1, -1):
        row, here, below = worth[i], best[i], best[i + 1]
        for j in range(width - 1, -1, -1):
            value = max(below[j], here[j + 1])
            if row[j]:
                value = max(value, below[j + 1] + row[j])
            if jumps and (jump := jumps.get((i, j))):
                value = max(value, best[i + jump[0]][j + jump[1]] + sum(jump) * LAYER)
            here[j] = value
    found, i, j = [], 0, 0
    while i < len(worth) and j < width:
        jump = jumps.get((i, j))
        if worth[i][j] and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            found.append((i, j, (1, 1)))
            i, j = i + 1, j + 1
        elif jump and best[i][j] == best[i + jump[0]][j + jump[1]] + sum(jump) * LAYER:
            found.append((i, j, jump))
            i, j = i + jump[0], j + jump[1]
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found
