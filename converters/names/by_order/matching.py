"""Pairing by order: which parameter of a Cell answers to which tensor of a torch module where the names do not decide.

Layers are paired in the order in which both networks define them, or run them where that is known, where their tensors
have the same names and shapes.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from msbridge.converters.names.by_order.alignment import Jumps, in_step
from msbridge.converters.names.by_order.fused_layers import Cut, jumps_of
from msbridge.converters.names.by_order.similarity import Likeness, Traits
from msbridge.converters.names.parameter_table import Pair, Slot, layers
from msbridge.converters.names.paths import parent
from msbridge.converters.tensors.axes import Axes

One = TypeVar("One")
Shape = tuple[int, ...]
Leaf = tuple[str, Shape | None]
Calls = Mapping[str, int]  # path of a layer → when it is called first


@dataclass(slots=True)
class Ordered:
    """The pairs that order yields.

    Attributes:
        pairs: torch's tensors, with the axes that make the Cell's of them, and the Cell's parameters.
        cuts: tensors that one side holds whole and the other in parts.
    """

    pairs: list[tuple[Pair, Slot]] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)


def in_order(
    left: Sequence[Pair],
    rest: Sequence[Slot],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]] = ({}, {}),
    calls: tuple[Calls, Calls] | None = None,
    more: Sequence[Pair] = (),
) -> Ordered:
    """Pair what the names did not settle: layer by layer in order, where the names inside and the shapes agree.

    The first round takes only layers that agree in strides, dilations and groups; the second all; the third takes
    other layers' names of the same tensor too; the fourth any names, and shapes that differ in axes of length one; the
    fifth takes tensors one by one. In the first three a layer may answer to several that together are as long.

    Args:
        left: torch's tensors.
        rest: the Cell's parameters.
        traits: what more is known of torch's layers, and of the Cell's, by path.
        calls: in which order the layers of torch and of the Cell run; without them the order of definition counts.
        more: further names of torch's tensors, for parameters that are left.
    """
    if calls is not None:
        left = sorted(left, key=lambda pair: _call(pair.torch, calls[0]))
        rest = sorted(rest, key=lambda slot: _call(slot.key, calls[1]))
    ordered = Ordered()
    for pairs in (left, more):
        if pairs and rest:
            rest = _pair_in_rounds(ordered, pairs, rest, traits)
    return ordered


def _pair_in_rounds(
    ordered: Ordered,
    left: Sequence[Pair],
    rest: Sequence[Slot],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]],
) -> list[Slot]:
    """Pair in several rounds; return the Cell's parameters that are left."""
    settled = set[str]()
    for stage in ROUNDS:
        if (
            stage.is_alone
        ):  # tensors of layers of which nothing is paired yet; elsewhere what is left has no counterpart
            left = [pair for pair in left if parent(pair.torch) not in settled]
            rest = [slot for slot in rest if parent(slot.key) not in settled]
        leaves = ((pair.torch, pair, stage.leaf_of(pair.mindspore or "", pair.mindspore_shape)) for pair in left)
        ours = _group_by_layer(leaves, stage.is_alone)
        theirs = _group_by_layer(
            ((slot.key, slot, stage.leaf_of(slot.key, slot.shape)) for slot in rest), stage.is_alone
        )
        matched, cuts = _match(ours, theirs, traits, stage)
        ordered.pairs += [(_fit_axes(pair, slot.shape), slot) for pair, slot in matched]
        ordered.cuts += cuts
        taken = {pair.torch for pair, _ in matched} | {name for cut in cuts for name in cut.torch}
        gone = {slot.key for _, slot in matched} | {name for cut in cuts for name in cut.mindspore}
        settled |= set(map(parent, taken | gone))
        left = [pair for pair in left if pair.torch not in taken]
        rest = [slot for slot in rest if slot.key not in gone]
    return list(rest)


def _match(
    ours: Mapping[str, Mapping[Leaf, Pair]],
    theirs: Mapping[str, Mapping[Leaf, Slot]],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]],
    settings: "_Round",
) -> tuple[list[tuple[Pair, Slot]], list[Cut]]:
    groups = list(ours.values()), list(theirs.values())
    mine = [frozenset(group) for group in groups[0]]
    others = [
        (frozenset(leaf for leaf, one in group.items() if one.is_trained), frozenset(group)) for group in groups[1]
    ]
    likeness = Likeness((list(ours), list(theirs)), mine, others, traits, settings.is_strict)
    jumps = Jumps()
    if settings.takes_cuts:
        plain = [(path, _plain(group)) for path, group in ours.items()]
        jumps = jumps_of(plain, [(path, set(group)) for path, group in theirs.items()])
    pairs, cuts = [], []
    for i, j, (rows, columns) in in_step(likeness, jumps):
        if rows == columns == 1:
            pairs += [(pair, groups[1][j][leaf]) for leaf, pair in groups[0][i].items()]
            continue
        for names, keys in _by_leaf(groups[0][i : i + rows], groups[1][j : j + columns]):
            parts = names if len(names) > 1 else keys
            lengths = tuple((one.shape or (0,))[0] for one in parts)
            cuts.append(Cut(tuple(one.torch for one in names), tuple(one.key for one in keys), lengths))
    return [(pair, slot) for pair, slot in pairs if pair.axes is None or pair.mindspore_shape == slot.shape], cuts


def _plain(group: Mapping[Leaf, Pair]) -> set[Leaf]:
    """Return the leaves of a layer of torch's that may be cut; none when a weight is not as it is in the Cell."""
    is_plain = all(pair.axes is None and pair.folded is None for pair in group.values())
    return set(group) if is_plain else set()


def _by_leaf(
    ours: Sequence[Mapping[Leaf, Pair]], theirs: Sequence[Mapping[Leaf, Slot]]
) -> Iterator[tuple[list[Pair], list[Slot]]]:
    """Yield, tensor by tensor, torch's and the Cell's of some layers."""
    for leaf, _ in ours[0]:
        yield _find_by_leaf(leaf, ours), _find_by_leaf(leaf, theirs)


def _find_by_leaf(leaf: str, groups: Sequence[Mapping[Leaf, One]]) -> list[One]:
    return [tensor for group in groups for (name, _), tensor in group.items() if name == leaf]


def _group_by_layer(items: Iterable[tuple[str, One, Leaf]], is_alone: bool) -> dict[str, dict[Leaf, One]]:
    """Group tensors by layer, or each by itself; equal ones of a group are distinguished by their number."""
    groups: dict[str, dict[Leaf, One]] = {}
    for name, one, (leaf, shape) in items:
        group = groups.setdefault(name if is_alone else parent(name), {})
        number = sum(known == shape and known_leaf.startswith(f"{leaf}#") for known_leaf, known in group)
        group[f"{leaf}#{number}", shape] = one
    return groups


def _call(name: str, calls: Calls) -> int:
    """Return the number of the call of the layer that has a tensor, or else of the nearest around it."""
    path = name
    while path:
        path = parent(path)
        if path in calls:
            return calls[path]
    return -1


def _same_leaf(name: str, shape: Shape | None) -> Leaf:
    return name.rpartition(".")[2], shape


def _synonym(name: str, shape: Shape | None) -> Leaf:
    leaf = name.rpartition(".")[2]
    return _synonyms().get(leaf, leaf), shape


@functools.cache
def _synonyms() -> Mapping[str, str]:
    """Return MindSpore's names of tensors → torch's, as layers of other kinds (mint's, or the user's own) have."""
    synonyms: dict[str, str] = {}
    for row in layers().values():
        back = {new: old for old, new in row.rename.items()}
        synonyms |= back | {bare: back[name] for name, bare in row.bare.items()}
    return synonyms


def _any_leaf(name: str, shape: Shape | None) -> Leaf:
    return "", None if shape is None else tuple(length for length in shape if length != 1)


@dataclass(frozen=True, slots=True)
class _Round:
    """The settings of pairing layers."""

    leaf_of: Callable[[str, Shape | None], Leaf]  # what is compared of a tensor, by its name and shape
    is_strict: bool = False  # whether layers with other strides, dilations or groups stay apart
    takes_cuts: bool = True  # whether a layer may answer to several
    is_alone: bool = False  # whether tensors are paired one by one


ROUNDS = (
    _Round(_same_leaf, is_strict=True),
    _Round(_same_leaf),
    _Round(_synonym),
    _Round(_any_leaf, takes_cuts=False),
    _Round(_any_leaf, takes_cuts=False, is_alone=True),
)


def _fit_axes(pair: Pair, shape: Shape) -> Pair:
    """Let axes of length one come or go, where the Cell's shape differs in those."""
    if pair.shape is None or pair.mindspore_shape == shape:
        return pair
    kept = [f"a{number}" for number, length in enumerate(pair.shape) if length != 1]

    def side(lengths: Shape) -> tuple[str, ...]:
        names = iter(kept)
        return tuple("1" if length == 1 else next(names) for length in lengths)

    return replace(pair, axes=Axes(side(pair.shape), side(shape)))
