"""Exact matching of a checkpoint with a model: every name has its place and every shape fits, or it is said."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msbridge.converters.errors import MismatchError
from msbridge.converters.names.by_model.cells import pairs_of_cell
from msbridge.converters.names.parameter_table import Pair
from msbridge.converters.names.training_state import training_state
from msbridge.converters.options import Naming
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.operations import move_then, then_move
from msbridge.converters.tensors.parametrizations import Folded, find_folded_weights
from msbridge.converters.tensors.steps import ConversionStep

MAX_PROBLEMS_WITH_SUGGESTIONS = 50  # problems that get suggestions: each costs a look at all the missing names
MAX_SUGGESTIONS = 3


@dataclass(slots=True)
class Match:
    """The mapping of a checkpoint by a model.

    Attributes:
        steps: what becomes of each name; what does not fit is dropped as unmatched.
        problems: what does not fit, in words.
        missing: names of the model that the checkpoint does not have.
        kept: those of them that it need not have; the model keeps its own values.
    """

    steps: list[ConversionStep] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def match(
    pairs: Sequence[Pair], working: Mapping[str, str], entries: Mapping[str, Entry], of: Naming, to: Naming
) -> Match:
    """Map names as the model says.

    Args:
        pairs: both names of the model's tensors.
        working: the name to map → the name in the source.
        entries: the source.
        of: whose names the source has.
        to: whose names the target has.
    """
    result = Match()
    seen: set[str] = set()
    shapes = {pair.name_in(of): pair.shape_in(of) for pair in pairs}
    whole: dict[str, Folded] = {}
    if (of, to) == ("torch", "mindspore"):
        whole = find_folded_weights({name: entries[source].shape for name, source in working.items()})
    ties = _ties(pairs) if (of, to) == ("mindspore", "torch") else {}
    for pair in pairs:
        name = pair.name_in(of)
        if name not in working and (twin := _first_of(ties.get(pair.same_as or pair.torch, ()), working)):
            step = _steps(twin, of, to, working)[0]
            reason = f"another name of {twin.torch!r}"
            result.steps.append(replace(step, targets=(pair.torch,), reason=reason))
            continue
        if name not in working and name in whole and whole[name].shape == pair.shape:
            result.steps.append(_folding_step(pair, whole[name], working, f"{whole[name].how} folded; {_reason(pair)}"))
            seen.update(whole[name].sources)
            continue
        if name not in working:
            if name and not pair.optional and not (of == "torch" and pair.mindspore is None):
                result.missing.append(name)
            elif name and pair.optional and not pair.same_as and not pair.is_untracked:
                result.kept.append(name)
            continue
        seen |= {name, *pair.sources} if of == "torch" else {name}
        if of == "torch" and pair.mindspore is None and _is_other(pair, working, entries):
            result.problems.append(
                f"{name!r} has other values than {pair.same_as!r}, but the Cell has one parameter for both"
            )
        shape, actual = shapes[name], entries[working[name]].shape
        if shape is None or shape == actual:
            result.steps += _steps(pair, of, to, working)
            continue
        result.problems.append(f"{name!r} has shape {actual}, the model's has {shape}")
        result.steps.append(
            ConversionStep((working[name],), (), reason=f"the model's has shape {shape}", matched=False)
        )
    left = {name: source for name, source in working.items() if name not in seen}
    _match_rest(result, left, working, entries, shapes, to)
    result.problems += [f"{name!r} of the model is missing" for name in result.missing]
    result.missing += result.kept
    return result


def _is_other(pair: Pair, working: Mapping[str, str], entries: Mapping[str, Entry]) -> bool:
    """Whether a tensor that would be left out as another name of one before has values of its own."""
    if pair.same_as not in working:
        return False
    one, other = (entries[working[name]] for name in (pair.torch, pair.same_as))
    return (one.type, one.shape) != (other.type, other.shape) or not one.content.is_same(other.content)


def _ties(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return by its first name each tensor that torch has under several names, with all of them."""
    tied: dict[str, list[Pair]] = {one.same_as: [] for one in pairs if one.same_as}
    for one in pairs:
        if (first := one.same_as or one.torch) in tied:
            tied[first].append(one)
    return tied


def _first_of(pairs: Iterable[Pair], working: Mapping[str, str]) -> Pair | None:
    """Return the first of some names of one tensor that the source has."""
    return next((one for one in pairs if one.mindspore in working and one.folded is None), None)


def compare_with_cell(entries: Iterable[Entry], cell: Any) -> list[str]:
    """Compare what is to be written with a Cell, when the names came from a torch module; return what does not fit."""
    wanted = {one.name: tuple(one.shape) for _, one in cell.parameters_and_names()}
    shapes = {one.name: one.shape for one in entries}
    missing = {name: shape for name, shape in wanted.items() if name not in shapes}
    problems: list[str] = []
    for name in shapes:
        if name not in wanted:
            near = suggestions(name, shapes[name], missing if len(problems) < MAX_PROBLEMS_WITH_SUGGESTIONS else {})
            problems.append(f"{name!r} is not in the Cell{near}")
    may_lack = {one.mindspore for one in pairs_of_cell(cell) if one.optional}
    missing = {name: shape for name, shape in missing.items() if name not in may_lack}
    constant = {one.name for _, one in cell.parameters_and_names() if not one.requires_grad}
    hint = " (it is not trained)"
    problems += [f"{name!r} of the Cell is missing{hint if name in constant else ''}" for name in missing]
    return problems + [
        f"{name!r} has shape {shapes[name]}, the Cell's has {shape}"
        for name, shape in wanted.items()
        if name in shapes and shapes[name] != shape
    ]


def suggestions(name: str, shape: tuple[int, ...], missing: Mapping[str, tuple[int, ...] | None]) -> str:
    """Return, in words, the names without a tensor that are nearest to one without a place: of its shape, if any."""
    same = [one for one, its in missing.items() if its == shape]
    near = difflib.get_close_matches(name, same, MAX_SUGGESTIONS, 0)
    if near:
        return f" (missing, of the same shape: {', '.join(map(repr, near))})"
    near = difflib.get_close_matches(name, missing, MAX_SUGGESTIONS, 0.6)
    return f" (missing, of other shapes: {', '.join(f'{one!r} {missing[one]}' for one in near)})" if near else ""


def _match_rest(
    result: Match,
    left: Mapping[str, str],
    working: Mapping[str, str],
    entries: Mapping[str, Entry],
    shapes: Mapping[str, tuple[int, ...] | None],
    to: Naming,
) -> None:
    """Add what becomes of the names that the model does not have: training state, or unmatched."""
    for name, source in left.items():
        if owner := training_state(name, working):
            targets = () if to == "torch" else (name,)
            result.steps.append(ConversionStep((source,), targets, reason=f"training state ({owner})"))
            continue
        missing = (
            {one: shapes[one] for one in result.missing} if len(result.problems) < MAX_PROBLEMS_WITH_SUGGESTIONS else {}
        )
        hint = suggestions(name, entries[source].shape, missing)
        result.problems.append(f"{name!r} is not in the model{hint}")
        result.steps.append(ConversionStep((source,), (), reason="not in the model", matched=False))


def _steps(pair: Pair, of: Naming, to: Naming, working: Mapping[str, str]) -> list[ConversionStep]:
    """Turn both names of a tensor into the steps from one to the other."""
    name, reason = pair.name_in(of), _reason(pair)
    if pair.is_untracked and to == "torch" and of != to:
        return [
            ConversionStep(
                (working[pair.mindspore or ""],), (), reason=f"{pair.layer} of the model keeps no statistics"
            )
        ]
    if pair.same_as and pair.mindspore is None:
        reason = f"another name of {pair.same_as!r}"
    if of == to:
        same = [one for one in (pair.sources if of == "torch" else (name,)) if one in working]
        return [ConversionStep((working[one],), (one,), reason=reason) for one in same]
    other = pair.torch if to == "torch" else pair.mindspore
    if pair.folded is None:
        moved = pair.axes.inverse if pair.axes and to == "torch" else pair.axes
        return [ConversionStep((working[name],), () if other is None else (other,), moved, reason=reason)]
    if to == "mindspore":
        return [_folding_step(pair, pair.folded, working, reason)]
    unfold = pair.folded.unfold
    if unfold is None:
        raise MismatchError(
            f"{pair.torch!r} of the model is under {pair.folded.how}, whose vectors a MindSpore checkpoint does not "
            "have. Build the model without it (torch.nn.utils.remove_spectral_norm, "
            "parametrize.remove_parametrizations)."
        )
    operation = move_then(pair.axes.inverse if pair.axes else None, unfold)
    return [ConversionStep((working[name],), pair.sources, operation=operation, reason=reason)]


def _folding_step(pair: Pair, folded: Folded, working: Mapping[str, str], reason: str) -> ConversionStep:
    """Make the weight of a Cell from the parts in which torch keeps it."""
    if missing := [one for one in folded.sources if one not in working]:
        raise MismatchError(f"{missing[0]!r} of the model is missing.")
    operation = then_move(folded.fold, pair.axes)
    sources = tuple(working[one] for one in folded.sources)
    return ConversionStep(sources, (pair.mindspore or "",), operation=operation, reason=reason)


def _reason(pair: Pair) -> str:
    return f"{pair.layer} of the model" if pair.layer else "the model"
