"""Pairing: which parameter of a Cell answers to which tensor of a torch network, by name first, and then by order.

Conversion and verification pair with this one function; what it takes and returns are plain records.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from msbridge.converters.names.by_model.cells import slots_of
from msbridge.converters.names.by_model.modules import pair_untracked, pairs_of_module
from msbridge.converters.names.by_order.fused_layers import Cut
from msbridge.converters.names.by_order.matching import Calls, in_order
from msbridge.converters.names.by_order.similarity import Traits, traits_of
from msbridge.converters.names.parameter_table import Pair, Slot
from msbridge.converters.names.paths import leaf, parent
from msbridge.converters.tensors.steps import ConversionStep

Shape = tuple[int, ...]


@dataclass(slots=True)
class Pairing:
    """The tensors that belong together.

    Attributes:
        by_name: torch's tensors and the Cell's parameters whose converted names and shapes agree.
        by_order: those found by order; their axes are those that make the parameter of the tensor.
        cuts: tensors that one side holds whole and the other in parts; the Cell's are named by their paths.
        unpaired: torch's tensors without a counterpart.
        further: further names of torch's tensors (tied weights, shared layers) that the Cell does not have.
    """

    by_name: list[tuple[Pair, Slot]] = field(default_factory=list)
    by_order: list[tuple[Pair, Slot]] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    unpaired: list[Pair] = field(default_factory=list)
    further: list[Pair] = field(default_factory=list)


def pair_tensors(
    pairs: Iterable[Pair],
    slots: Sequence[Slot],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]] = ({}, {}),
    calls: tuple[Calls, Calls] | None = None,
    settled: Container[str] = (),
) -> Pairing:
    """Find the parameter of a Cell for every tensor of a torch network: by name and shape, then in order.

    Args:
        pairs: torch's tensors under both names, in their order; those without a name in MindSpore are passed over.
        slots: the Cell's parameters, in their order.
        traits: by path, the settings that distinguish layers of one shape: of torch's layers, and of the Cell's.
        calls: in which order the layers of torch and of the Cell run; without them the order of definition counts.
        settled: names of torch's tensors that have their counterpart already, which is not among `slots`.

    Returns:
        What belongs together, in the order of `pairs`, and what is left of torch's.
    """
    pairs = list(pairs)
    pairing = Pairing()
    by_name = {slot.name or slot.key: slot for slot in slots} | {slot.key: slot for slot in slots}
    left: list[Pair] = []
    taken: set[str] = set()
    for pair in pairs:
        if pair.mindspore is None or pair.torch in settled:
            continue
        slot = by_name.get(pair.mindspore)
        if slot is not None and slot.shape == pair.mindspore_shape and slot.key not in taken:
            pairing.by_name.append((pair, slot))
            taken.add(slot.key)
        else:
            left.append(pair)
    named = {pair.torch for pair, _ in pairing.by_name}
    known = {one.same_as or one.torch for one in pairs if one.torch in named or one.torch in settled}
    first: list[Pair] = []
    further: list[Pair] = []
    for unnamed in left:
        (further if unnamed.same_as or unnamed.torch in known else first).append(unnamed)
    ordered = in_order(first, [one for one in slots if one.key not in taken], traits, calls, further)
    pairing.by_order, pairing.cuts = ordered.pairs, ordered.cuts
    gone = {pair.torch for pair, _ in ordered.pairs} | {name for cut in ordered.cuts for name in cut.torch}
    pairing.unpaired = [one for one in first if one.torch not in gone]
    pairing.further = [one for one in further if one.torch not in gone]
    return pairing


@dataclass(frozen=True, slots=True)
class Paired:
    """Both names of the tensors of a torch network, MindSpore's as a Cell of the same architecture has them."""

    pairs: list[Pair]  # in torch's order
    by_order: set[str]  # MindSpore's names that were found by order
    cuts: list[Cut]  # tensors that one side holds whole and the other in parts, which `pairs` does not have


def pairs_of_both(module: torch.nn.Module, cell: Any) -> Paired:
    """Return both names of every tensor of a torch module, MindSpore's as a Cell of the same architecture has them."""
    traits = traits_of(module.named_modules()), traits_of(cell.cells_and_names())
    paired = _name_as_in_cell(slots_of(cell), pairs_of_module(module, cell), traits)
    owners = {parent(one.torch): parent(one.mindspore) for one in paired.pairs if one.mindspore is not None}
    for one in pair_untracked(module):
        owner = owners.get(parent(one.torch))
        paired.pairs.append(one if owner is None else replace(one, mindspore=f"{owner}.{leaf(one.mindspore or '')}"))
    return paired


def pairs_of_steps(
    steps: Iterable[ConversionStep], shapes: Mapping[str, Shape], names: Mapping[str, str], cell: Any
) -> Paired:
    """Return both names of the tensors of a torch checkpoint, MindSpore's as a Cell has them.

    Args:
        steps: what is guessed of the names without a model.
        shapes: of the source's tensors.
        names: name in the source → name to map.
        cell: whose names are wanted.
    """
    pairs = []
    for step in steps:
        if len(step.sources) == 1 and step.operation is None:
            source = step.sources[0]
            target = step.targets[0] if step.targets else None
            pairs.append(Pair(names[source], target, step.axes, shapes[source], step.reason, optional=True))
    return _name_as_in_cell(slots_of(cell), pairs)


def names_in(cell: Any, pairs: Iterable[Pair]) -> list[Pair]:
    """Leave out further names of tensors (tied weights) that a Cell does not have, where it has another of them."""
    pairs = list(pairs)
    there = {one.name for _, one in cell.parameters_and_names()}
    found = {one.same_as or one.torch for one in pairs if one.mindspore in there}
    is_lost = [one.mindspore not in there and (one.same_as or one.torch) in found for one in pairs]
    return [replace(one, mindspore=None) if lost else one for one, lost in zip(pairs, is_lost, strict=True)]


def _name_as_in_cell(
    slots: Sequence[Slot],
    pairs: Sequence[Pair],
    traits: tuple[Mapping[str, Traits], Mapping[str, Traits]] = ({}, {}),
) -> Paired:
    """Name pairs as a Cell does; a tensor that it has no place for keeps the name of its layer type."""
    ordered = pair_tensors(pairs, slots, traits)
    names = {slot.key: slot.name for slot in slots}
    by_name = {pair.torch: replace(pair, mindspore=slot.name) for pair, slot in ordered.by_name + ordered.by_order}
    by_name |= {one.torch: replace(one, mindspore=None) for one in ordered.further}
    cuts = [replace(cut, mindspore=tuple(names[key] for key in cut.mindspore)) for cut in ordered.cuts]
    gone = {name for cut in cuts for name in cut.torch}
    kept = [by_name.get(one.torch, one) for one in pairs if one.torch not in gone]
    return Paired(kept, {slot.name for _, slot in ordered.by_order}, cuts)
