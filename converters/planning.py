"""The plan of a conversion: what becomes of every name, worked out from names and shapes only."""

import fnmatch
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.errors import CheckpointError, MismatchError, Remedy
from msbridge.converters.factories import build_cell, build_module
from msbridge.converters.names import matching
from msbridge.converters.names.by_guess import mapping as by_guess
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.by_model.lstm_packing import repack
from msbridge.converters.names.by_model.matching import compare_with_cell, match
from msbridge.converters.names.by_model.modules import pair_untracked, pairs_of_module
from msbridge.converters.names.conventions import naming_of
from msbridge.converters.names.parameter_table import Pair
from msbridge.converters.names.rules import apply_rules, read_rules
from msbridge.converters.names.training_state import training_state
from msbridge.converters.options import Naming, Options
from msbridge.converters.tensors.dtypes import floating_type
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.steps import ConversionStep, Outcome, perform

WRONG_MODEL = (
    Remedy(("torch_model", "cell"), "of the right variant makes it fit"),
    Remedy(("rules",), "renames it"),
    Remedy(("allow_unmatched",), "leaves it out"),
)
OTHER_NAMES = Remedy(("by_order",), "pairs layers that differ in their names only")
LEFT_OUT = Remedy(("allow_unmatched",), "leaves what does not fit out, and to the Cell what it does not train")


@dataclass(slots=True)
class Plan:
    """The plan of a conversion: what it will write, before a byte is read."""

    entries: list[Entry] = field(default_factory=list)  # the target's entries, in order
    outcomes: list[Outcome] = field(default_factory=list)  # what becomes of each name
    naming: Naming = "torch"  # whose names the target has
    missing: list[str] = field(default_factory=list)  # names of the model that the checkpoint does not have
    ruled: set[str] = field(default_factory=set)  # names that only rules made


def plan(checkpoint: Checkpoint, options: Options, naming: Naming = "torch") -> Plan:
    """Work out what a conversion writes, from names and shapes only.

    Args:
        checkpoint: the source.
        options: how.
        naming: whose names the target has if the options do not say.

    Raises:
        CheckpointError: names or shapes do not fit the model or the rules.
    """
    entries, cast = checkpoint.entries, floating_type(options.dtype)
    module, cell = build_module(options.torch_model), build_cell(options.cell)
    chosen, steps = _choose(entries, options)
    to = options.to or naming
    of = options.of or naming_of(checkpoint)
    settled: list[ConversionStep] = []
    working = {name: name for name in chosen}
    if options.rules:
        settled, working = apply_rules(read_rules(Path(options.rules), options.reverse_rules), chosen)
        steps += settled
    result = Plan(naming=to, ruled={name for step in settled for name in step.targets})
    paired = _pairs(module, cell, options.by_order, entries, working, of)
    if paired is not None:
        for cut in paired.cuts:
            sources, targets = (cut.torch, cut.mindspore) if of == "torch" else (cut.mindspore, cut.torch)
            if all(name in working for name in sources):
                own = tuple(working[name] for name in sources)
                steps += [cut.step(own, targets)] if of != to else [ConversionStep((one,), (one,)) for one in own]
                working = {name: source for name, source in working.items() if name not in sources}
        again, pairs, working = repack(
            _find_unsettled(paired.pairs, settled, of, to), working, entries, of, to, options.lstm_device == "GPU"
        )
        matched = match(pairs, working, entries, of, to)
        result.missing = matched.missing
        if matched.problems and not options.allow_unmatched:
            raise MismatchError("the checkpoint does not fit the model:", *WRONG_MODEL, problems=matched.problems)
        steps += [_mark_guess(step, paired.by_order) for step in [*again, *matched.steps]]
    elif of == to:
        steps += by_guess.keep_names(working)
    else:
        steps += (by_guess.to_mindspore if to == "mindspore" else by_guess.to_torch)(entries, working)
    order = {name: number for number, name in enumerate(entries)}
    for step in sorted(steps, key=lambda step: order[step.sources[0]]):
        try:
            written, outcome = perform(_add_prefix(step, options.prefix), entries, cast)
        except CheckpointError as error:
            raise MismatchError(f"{', '.join(map(repr, step.sources))} ({step.reason}): {error}") from error
        result.entries += written
        result.outcomes.append(outcome)
    _check_unique(result.outcomes)
    if paired is not None and not options.allow_unmatched:
        _check_ruled(result, paired.pairs)
    if cell is not None and (module is not None or options.by_order) and to == "mindspore":
        problems = compare_with_cell(result.entries, cell)
        if problems and not options.allow_unmatched:
            remedies = (LEFT_OUT,) if options.by_order else (OTHER_NAMES, LEFT_OUT)
            raise MismatchError("the names that are made are not the Cell's:", *remedies, problems=problems)
    return result


def _choose(entries: Mapping[str, Entry], options: Options) -> tuple[list[str], list[ConversionStep]]:
    """Apply include and exclude; return the names that are left and the steps that drop the others."""
    include, exclude = ([one] if isinstance(one, str) else one for one in (options.include, options.exclude))
    for pattern in include:
        if not fnmatch.filter(entries, pattern):
            raise MismatchError(f"no name fits {pattern!r}, which is to be included.")
    chosen, dropped = [], []
    for name in entries:
        if include and not any(fnmatch.fnmatchcase(name, one) for one in include):
            dropped.append(ConversionStep((name,), (), reason="not included"))
        elif any(fnmatch.fnmatchcase(name, one) for one in exclude):
            dropped.append(ConversionStep((name,), (), reason="excluded"))
        elif options.strip_optimizer and (owner := training_state(name, entries)):
            dropped.append(ConversionStep((name,), (), reason=f"training state ({owner})"))
        else:
            chosen.append(name)
    return chosen, dropped


def _pairs(
    module: torch.nn.Module | None,
    cell: Any,
    by_order: bool,
    entries: Mapping[str, Entry],
    working: Mapping[str, str],
    of: Naming,
) -> matching.Paired | None:
    """Return both names of the model's tensors."""
    if by_order and cell is None:
        raise CheckpointError("pairing by order needs the Cell whose names are wanted", Remedy(("cell",), "passes it"))
    if by_order and module is not None:
        return matching.pairs_of_both(module, cell)
    if by_order and of == "torch":
        names = {source: name for name, source in working.items()}
        shapes = {source: entries[source].shape for source in names}
        return matching.pairs_of_steps(by_guess.to_mindspore(entries, working), shapes, names, cell)
    if module is not None:
        named = pairs_of_module(module, cell)
        named += pair_untracked(module)
        return matching.Paired(named if cell is None else matching.names_in(cell, named), set(), [])
    return matching.Paired(pairs_of_cell(cell), set(), []) if cell is not None else None


def _find_unsettled(pairs: Iterable[Pair], settled: Iterable[ConversionStep], of: Naming, to: Naming) -> list[Pair]:
    """Return the tensors of the model that rules have neither taken nor made."""
    settled = list(settled)
    taken = {name for step in settled for name in step.sources}
    made = {name for step in settled for name in step.targets}
    return [pair for pair in pairs if pair.name_in(of) not in taken and pair.name_in(to) not in made]


def _check_ruled(planned: Plan, pairs: Iterable[Pair]) -> None:
    """Compare the shapes of what rules made with the model's.

    Raises:
        MismatchError: some differ.
    """
    shapes = {pair.name_in(planned.naming): pair.shape_in(planned.naming) for pair in pairs}
    problems = [
        f"{one.name!r}, which a rule makes, has shape {one.shape}, the model's has {shapes[one.name]}"
        for one in planned.entries
        if one.name in planned.ruled and shapes.get(one.name) not in (None, one.shape)
    ]
    if problems:
        raise MismatchError("the checkpoint does not fit the model:", *WRONG_MODEL, problems=problems)


def _mark_guess(step: ConversionStep, by_order: Set[str]) -> ConversionStep:
    """Mark a step whose names only order determined as a guess."""
    is_guess = not by_order.isdisjoint((*step.sources, *step.targets))
    return replace(step, reason="by order", guessed=True, by_order=True) if is_guess else step


def _add_prefix(step: ConversionStep, prefix: str) -> ConversionStep:
    if not prefix:
        return step
    old, equals, new = prefix.partition("=")
    if not equals:
        old, new = "", old
    return replace(
        step, targets=tuple(new + one.removeprefix(old) if one.startswith(old) else one for one in step.targets)
    )


def _check_unique(outcomes: Iterable[Outcome]) -> None:
    by_target: dict[str, Outcome] = {}
    for outcome in outcomes:
        for name in outcome.targets:
            if other := by_target.get(name):
                raise MismatchError(f"{other.sources} and {outcome.sources} would both become {name!r}.")
            by_target[name] = outcome
