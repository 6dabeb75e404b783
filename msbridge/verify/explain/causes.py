"""Causes: why a step gives something else, told from weights, settings and the operators that ran."""

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.verify.measure.lookup import Outputs
from msbridge.verify.measure.relations import is_close, relation
from msbridge.verify.pair.match import ACTIVATIONS, BINARY, POOLS, RESIZES, Match
from msbridge.verify.pair.weights import Weights
from msbridge.verify.record.trace import MOVES, Operation, Step, Trace
from msbridge.verify.report.comparison import Finding, Row

# What an operator's argument is called in MindSpore; "mul other" is the argument `other` of mul alone.
ARGUMENTS = {
    "add other": "constant",
    "approximate": "approximate",
    "batch_first": "batch_first",
    "bidirectional": "bidirectional",
    "dim": "axis",
    "div other": "scale",
    "eps": "eps",
    "is_causal": "attention mask",
    "masked_fill value": "constant",
    "mul other": "scale",
    "negative_slope": "alpha",
    "output_size": "size",
    "p": "p",
    "pow exponent": "constant",
    "sub other": "constant",
    "train": "dropout left on",
    "training": "use_batch_statistics",
}
DRAWS = ("bernoulli", "dropout", "rand", "rand_like")
# Elementwise operators of which activations are made by hand.
ELEMENTWISE = ACTIVATIONS | BINARY | {"abs", "erf", "exp", "log", "log1p", "maximum", "minimum", "neg", "reciprocal"}
# Layers of which one is taken for another; the first whose name is in a class's name is meant.
RIVALS = ("Transpose", "Conv", "BatchNorm", "InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm", "LSTM", "GRU", "RNN")
RECURRENT = ("LSTM", "GRU", "RNN")
CONSTANTS = BINARY | {"masked_fill"}  # whose numbers say all of them
SHOWN = 12  # operators listed in a sentence
PACKS = "_pack_padded_sequence"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All that is known of both runs.

    Attributes:
        matches: the matched steps, in order.
        theirs: torch's run.
        fed: the Cell's run on torch's values.
        weights: the weights of both.
        known: torch's outputs, found by their values.
    """

    matches: Sequence[Match]
    theirs: Trace
    fed: Trace
    weights: Weights
    known: Outputs


def explain_step(scene: Scene, index: int, row: Row) -> Finding:
    """Say why a step gives something else on equal inputs."""
    one = scene.matches[index]
    mine, other, _ = one.both
    for kind, text, evidence in _reasons(scene, one, mine, other, row):
        return Finding(mine.label, other.label, kind, text, evidence)
    return Finding(mine.label, other.label, "unknown", f"{other.kind} gives something else than torch's {mine.kind}")


def _reasons(scene: Scene, one: Match, mine: Step, other: Step, row: Row) -> Iterator[tuple[str, str, list[str]]]:
    """Give (kind, text, evidence) of all that may be the reason, likeliest first."""
    yield from _other_layer(scene, one, mine, other)
    if issue := _weight_issue(scene, mine, other):
        yield issue
    always = [found for found in row.settings if found.matters == "always"]
    for found in always:
        hint = f" ({found.trap})" if found.trap else ""
        yield found.name, f"{found}{hint}", [str(rest) for rest in always[1:]]
    if any(name in DRAWS for name in names_of(other)) and not any(name in DRAWS for name in names_of(mine)):
        yield "dropout left on", f"{other.kind} draws random numbers; torch's {mine.kind} does not in inference", []
    if mine.outputs and other.outputs and mine.outputs[0].dtype != other.outputs[0].dtype:
        kinds = [str(step.outputs[0].dtype).removeprefix("torch.") for step in (mine, other)]
        yield "dtype", f"torch computes in {kinds[0]}, the Cell in {kinds[1]}", []
    if order := order_of_inputs(mine, other):
        yield "order of inputs", f"{mine.kind} gets its inputs in another order: {order}", []
    yield from _constants(mine, other)
    yield from _numbers_of_inputs(scene, mine, other)
    numbers = list(_numbers(mine, other))
    if mine.layer is None and {*mine.computes, *other.computes} <= BINARY:  # a product written as a division
        yield from (found for found in numbers if found[0] == "scale")
    wanted = [*mine.operations, *(one.last.operations if one.last else [])]
    yield from _operators(wanted, other.operations)
    yield from numbers


def _other_layer(scene: Scene, one: Match, mine: Step, other: Step) -> Iterator[tuple[str, str, list[str]]]:
    """Tell a layer that stands in the place of another, or is of another class."""
    owner = scene.weights.layers.get(mine.path)
    if one.by == "order" and owner is not None and owner != other.path and other.layer is not None:
        yield "wiring", f"the Cell runs {other.label} where torch runs {mine.label}", []
    if mine.layer is None or other.layer is None:
        return
    stems = [next((stem for stem in RIVALS if stem in step.kind), "") for step in (mine, other)]
    if all(stems) and stems[0] != stems[1]:
        yield "other layer", f"torch has {mine.kind}, the Cell {other.kind}", []


def _weight_issue(scene: Scene, mine: Step, other: Step) -> tuple[str, str, list[str]] | None:
    path = other.path
    issues = [pair for pair in scene.weights.pairs if pair.issue and _is_under(pair.cell, path)]
    if issues:
        return issues[0].kind, issues[0].issue, [pair.issue for pair in issues[1:]]
    if other.layer is None:
        return None
    lacking = [name for name in scene.weights.only_torch if _is_under(name, mine.path)]
    if lacking and (shapes := _shapes(mine, other)):
        return "weight shape", shapes, []
    if lacking:
        is_bias = lacking[0].endswith("bias")
        hint = " (has_bias=True makes one)" if is_bias and getattr(other.layer, "has_bias", None) is False else ""
        kind = "bias" if is_bias else "missing weight"
        return kind, f"the Cell has no parameter for {', '.join(lacking)}{hint}", []
    added = [name for name in scene.weights.only_cell if _is_under(name, path)]
    if added:
        return "extra weight", f"torch has no tensor for the Cell's {', '.join(added)}, which keeps its own values", []
    return None


def _shapes(mine: Step, other: Step) -> str:
    """Say which shapes the weights of two layers have, where they are of the same kinds but of other sizes."""
    sides = [
        sorted(tuple(one.shape) for one in layer.parameters()) if isinstance(layer, torch.nn.Module)
        else sorted(tuple(one.shape) for one in layer.trainable_params())
        for layer in (mine.layer, other.layer) if layer is not None
    ]  # fmt: skip
    if len(sides) != 2 or sides[0] == sides[1] or [len(one) for one in sides[0]] != [len(one) for one in sides[1]]:
        return ""
    theirs, ours = (", ".join("×".join(map(str, shape)) for shape in side) for side in sides)
    return f"torch's weights are of shape {theirs}, the Cell's {ours}"


def issue_in(scene: Scene, path: str) -> tuple[str, str] | None:
    """Find a wrong weight that a network part holds itself."""
    for pair in scene.weights.pairs:
        if pair.issue and pair.cell.rpartition(".")[0] == path:
            return pair.kind, pair.issue
    return None


def _is_under(name: str, path: str) -> bool:
    return not path or name.startswith(f"{path}.")


def _constants(mine: Step, other: Step) -> Iterator[tuple[str, str, list[str]]]:
    """Compare the numbers in an operator's formula, whether they are arguments or tensors without axes."""
    if mine.layer is not None or mine.computes != other.computes or mine.kind not in CONSTANTS:
        return
    sides = []
    for step in (mine, other):
        given = [value for value in step.operations[0].arguments.values() if isinstance(value, float)]
        sides.append(given + [one.item() for one in step.inputs if one.dim() == 0])
    if len(sides[0]) == len(sides[1]) == 1 and not _same(*sides[0], *sides[1]):
        kind = "scale" if mine.kind in ("mul", "div") else "constant"
        yield kind, f"{mine.kind} runs with {sides[0][0]:g} in torch, with {sides[1][0]:g} in the Cell", []


def _numbers_of_inputs(scene: Scene, mine: Step, other: Step) -> Iterator[tuple[str, str, list[str]]]:
    """Tell a layer that gets more or fewer tensors than torch's: an initial state, lengths, a mask."""
    if mine.layer is None or other.layer is None:
        return
    is_packed = any(move.name == PACKS for number, move in scene.theirs.moves if number <= mine.number)
    if len(other.inputs) == 1 and any(name in mine.kind for name in RECURRENT) and is_packed:
        yield "lengths", f"torch's {mine.kind} gets packed sequences, the Cell's no lengths", []
    if len(mine.inputs) == len(other.inputs):
        return
    counts = [sum(one.is_floating_point() for one in step.inputs) for step in (mine, other)]
    text = f"torch's {mine.kind} gets {len(mine.inputs)} tensors, the Cell's {len(other.inputs)}"
    if any(name in mine.kind for name in RECURRENT) and counts[0] != counts[1]:
        yield "initial state", text, []
    else:
        yield "missing input" if len(mine.inputs) > len(other.inputs) else "extra input", text, []


def _operators(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Iterator[tuple[str, str, list[str]]]:
    """Compare what ran: first the operators, then their arguments."""
    wanted = [one for one in theirs if one.name not in MOVES]
    done = [one for one in ours if one.name not in MOVES]
    names = [one.name for one in wanted], [one.name for one in done]
    steps = difflib.SequenceMatcher(None, *names, autojunk=False).get_opcodes()
    changes = [step for step in steps if step[0] != "equal"]
    if changes:
        gone = [name for _, a, b, _, _ in changes for name in names[0][a:b]]
        come = [name for _, _, _, a, b in changes for name in names[1][a:b]]
        text = f"torch computes {_listed(names[0])}, the Cell {_listed(names[1])}"
        yield family_of_change(gone, come), text, []
    same = [(a + i, c + i) for tag, a, b, c, _ in steps if tag == "equal" for i in range(b - a)]
    for one, other in ((wanted[a], done[b]) for a, b in same):
        for name in one.arguments:
            if name in other.arguments and not _same(one.arguments[name], other.arguments[name]):
                text = (
                    f"{one.name} runs with {name}={one.arguments[name]} in torch, {other.arguments[name]} in the Cell"
                )
                yield ARGUMENTS.get(f"{one.name} {name}", ARGUMENTS.get(name, name)), text, []
    moved = [[one for one in side if one.name in MOVES] for side in (theirs, ours)]
    if shown_moves(moved[0]) != shown_moves(moved[1]):
        yield "layout", f"torch moves data by {shown_moves(moved[0])}, the Cell by {shown_moves(moved[1])}", []


def _listed(names: Sequence[str]) -> str:
    more = f" … ({len(names)} operators)" if len(names) > SHOWN else ""
    return (", ".join(names[:SHOWN]) + more) or "nothing"


def family_of_change(gone: Sequence[str], come: Sequence[str]) -> str:
    """Name the kind of fault when torch computes some operators and the Cell others."""
    changed = {*gone, *come}
    if changed == {"constant_pad_nd"}:
        return "padding"
    if gone and come:
        if changed <= ELEMENTWISE and changed & ACTIVATIONS:
            return "activation"
        if all(name.startswith(POOLS) for name in changed):
            return "pooling"
        if all(name.startswith(RESIZES) for name in changed):
            return "mode"
        return "other operator"
    return "missing layer" if gone else "extra layer"


def _numbers(mine: Step, other: Step) -> Iterator[tuple[str, str, list[str]]]:
    """Look at the values themselves."""
    if not (mine.outputs and other.outputs):
        return
    expected, actual = mine.outputs[0], other.outputs[0]
    if actual.isnan().any() and not expected.isnan().any():
        yield "NaN", "the Cell gives NaN where torch does not", []
        return
    if said := relation(actual, expected):
        yield said[0], f"what comes out is not what torch's {mine.kind} gives: {said[1]}", []


def order_of_inputs(mine: Step, other: Step) -> list[int]:
    """Say in which other order the same tensors come in; nothing where they do not."""
    if mine.computes != other.computes:
        return []
    found = [next((i for i, b in enumerate(other.inputs) if is_close(b, a)), -1) for a in mine.inputs]
    return found if len(mine.inputs) == len(other.inputs) and sorted(found) == list(range(len(found))) != found else []


def shown_moves(moves: Sequence[Operation]) -> str:
    """List operators that move data, with the arguments that say something."""
    shown = [
        f"{one.name}({', '.join(_telling(one.arguments))})" for one in moves if one.name not in ("detach", "alias")
    ]
    return ", ".join(shown) or "nothing"


def _telling(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key, value in arguments.items():
        if value is not None and value is not False and key not in ("device", "layout", "pin_memory"):
            yield f"{key}={value}"


def names_of(step: Step) -> list[str]:
    """Give the names of all operators that ran inside, those that move data too."""
    return [one.name for one in step.operations]


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(one) == list(other)
    return bool(one == other)
