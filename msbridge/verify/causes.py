"""Causes: why a step gives something else, told from weights, settings and the operators that ran."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from msbridge.verify.comparison import Finding, Row
from msbridge.verify.match import ACTIVATIONS, POOLS, Match
from msbridge.verify.metrics import measure
from msbridge.verify.trace import MOVES, Operation, Step, Trace
from msbridge.verify.weights import Weights

# What an operator's argument is called in MindSpore.
ARGUMENTS = {
    "dim": "axis",
    "negative_slope": "alpha",
    "p": "p",
    "eps": "eps",
    "approximate": "approximate",
    "training": "use_batch_statistics",
    "train": "dropout left on",
    "other": "scale",
    "batch_first": "batch_first",
    "bidirectional": "bidirectional",
    "output_size": "size",
    "is_causal": "attention mask",
}
DRAWS = ("bernoulli", "dropout", "rand", "rand_like")


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All that is known of both runs.

    Attributes:
        matches: the matched steps, in order.
        theirs: torch's run.
        fed: the Cell's run on torch's values.
        weights: the weights of both.
    """

    matches: Sequence[Match]
    theirs: Trace
    fed: Trace
    weights: Weights


def explain_step(scene: Scene, index: int, row: Row) -> Finding:
    """Say why a step gives something else on equal inputs."""
    one = scene.matches[index]
    mine, other, _ = one.both
    for kind, text, evidence in _reasons(scene, one, mine, other, row):
        return Finding(mine.label, other.label, kind, text, evidence)
    return Finding(mine.label, other.label, "unknown", f"{other.kind} gives something else than torch's {mine.kind}")


def explain_gap(scene: Scene, index: int, row: Row, arriving: tuple[torch.Tensor, torch.Tensor] | None) -> Finding:
    """Say why a step gets something else although all matched steps before gave the same."""
    one = scene.matches[index] if index < len(scene.matches) else None
    label = one.torch.label if one and one.torch else "(the output)"
    own = one.cell.label if one and one.cell else "(the output)"
    lacking, added = _unmatched_before(scene, index)
    if (
        one
        and one.cell is not None
        and one.torch is not None
        and one.torch.layer is None
        and (issue := _issue_in(scene, one.cell.path))
    ):
        return Finding(label, own, issue[0], issue[1])
    if one and one.torch and one.cell and one.torch.layer is None and (order := _order(one.torch, one.cell)):
        return Finding(label, own, "order of inputs", f"{one.torch.kind} gets its inputs in another order: {order}")
    if lacking and not added:
        names = _listing(lacking)
        kind = "missing layer"
        place = next((step for step in lacking if step.layer is not None), lacking[-1])
        return Finding(place.label, "", kind, f"the Cell has nothing for torch's {names}", [f"seen at {label}"])
    if added and not lacking:
        names = _listing(added)
        if any(name in DRAWS for step in added for name in _all_names(step)):
            text = f"the Cell draws random numbers in {names}; torch does not in inference"
            return Finding(label, added[-1].label, "dropout left on", text, where="before")
        return Finding(added[-1].label, added[-1].label, "extra layer", f"torch has nothing for the Cell's {names}")
    if added and lacking:
        ours, theirs = (", ".join(step.kind for step in steps) for steps in (added, lacking))
        text = f"torch computes {theirs} where the Cell computes {ours}"
        return Finding(lacking[-1].label, added[-1].label, "other operator", text, [f"seen at {label}"])
    if arriving is not None and (found := _other_source(scene, arriving)):
        return Finding(label, own, "wiring", found, where="before")
    text, evidence = _moves(scene, one)
    return Finding(label, own, "layout", text, evidence, where="before")


def _reasons(scene: Scene, one: Match, mine: Step, other: Step, row: Row) -> Iterator[tuple[str, str, list[str]]]:
    """Give (kind, text, evidence) of all that may be the reason, likeliest first."""
    if issue := _weight_issue(scene, mine, other):
        yield issue
    always = [found for found in row.settings if found.matters == "always"]
    for found in always:
        hint = f" ({found.trap})" if found.trap else ""
        yield found.name, f"{found}{hint}", [str(rest) for rest in always[1:]]
    if any(name in DRAWS for name in _all_names(other)) and not any(name in DRAWS for name in _all_names(mine)):
        yield "dropout left on", f"{other.kind} draws random numbers; torch's {mine.kind} does not in inference", []
    if mine.outputs and other.outputs and mine.outputs[0].dtype != other.outputs[0].dtype:
        kinds = [str(step.outputs[0].dtype).removeprefix("torch.") for step in (mine, other)]
        yield "dtype", f"torch computes in {kinds[0]}, the Cell in {kinds[1]}", []
    wanted = [*mine.operations, *(one.last.operations if one.last else [])]
    yield from _operators(wanted, other.operations)
    yield from _numbers(mine, other)


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
        kind = "bias" if lacking[0].endswith("bias") else "missing weight"
        return kind, f"the Cell has no parameter for {', '.join(lacking)}", []
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


def _issue_in(scene: Scene, path: str) -> tuple[str, str] | None:
    """Find a wrong weight that a network part holds itself."""
    for pair in scene.weights.pairs:
        if pair.issue and pair.cell.rpartition(".")[0] == path:
            return pair.kind, pair.issue
    return None


def _is_under(name: str, path: str) -> bool:
    return not path or name.startswith(f"{path}.")


def _operators(theirs: Sequence[Operation], ours: Sequence[Operation]) -> Iterator[tuple[str, str, list[str]]]:
    """Compare what ran: first the operators, then their arguments."""
    wanted = [one for one in theirs if one.name not in MOVES]
    done = [one for one in ours if one.name not in MOVES]
    names = [one.name for one in wanted], [one.name for one in done]
    if names[0] != names[1]:
        kind = "other operator"
        changed = {*names[0], *names[1]} - ({*names[0]} & {*names[1]})
        if changed and changed <= ACTIVATIONS:
            kind = "activation"
        elif changed and all(name.startswith(POOLS) for name in changed):
            kind = "pooling"
        elif not names[1]:
            kind = "missing layer"
        if changed == {"constant_pad_nd"}:
            kind = "padding"
        text = f"torch computes {', '.join(names[0]) or 'nothing'}, the Cell {', '.join(names[1]) or 'nothing'}"
        yield kind, text, []
    for one, other in zip(wanted, done, strict=False):
        if one.name != other.name:
            continue
        for name in one.arguments:
            if name in other.arguments and not _same(one.arguments[name], other.arguments[name]):
                text = (
                    f"{one.name} runs with {name}={one.arguments[name]} in torch, {other.arguments[name]} in the Cell"
                )
                yield ARGUMENTS.get(name, name), text, []
    moved = [[(one.name, one.arguments) for one in side if one.name in MOVES] for side in (theirs, ours)]
    if moved[0] != moved[1]:
        yield "layout", f"torch moves data by {_listed(moved[0])}, the Cell by {_listed(moved[1])}", []


def _numbers(mine: Step, other: Step) -> Iterator[tuple[str, str, list[str]]]:
    """Look at the values themselves."""
    if not (mine.outputs and other.outputs) or mine.outputs[0].shape != other.outputs[0].shape:
        return
    expected, actual = mine.outputs[0].double(), other.outputs[0].double()
    if actual.isnan().any() and not expected.isnan().any():
        yield "NaN", "the Cell gives NaN where torch does not", []
        return
    size = expected.square().sum()
    factor = ((actual * expected).sum() / size).item() if size else 0.0
    if factor and torch.allclose(actual, factor * expected, rtol=1e-4, atol=1e-6 * expected.abs().max().item()):
        yield "scale", f"the Cell's output is torch's times {factor:.4g}", []
    for axes in ((-1, -2), (1, 2), (0, 1)):
        if expected.dim() < 2 or expected.dim() <= max(axes):
            continue
        turned = expected.transpose(*axes)
        if turned.shape == expected.shape and measure(actual, turned.contiguous()).is_noise:
            yield "layout", f"the Cell's output is torch's with axes {axes} exchanged", []


def _listing(steps: Sequence[Step]) -> str:
    return ", ".join(step.label if step.layer is None else f"{step.label} ({step.kind})" for step in steps)


def _order(mine: Step, other: Step) -> list[int]:
    """Say in which other order the same tensors come in; nothing where they do not."""
    found = [
        next((i for i, b in enumerate(other.inputs) if b.shape == a.shape and torch.equal(a, b)), -1)
        for a in mine.inputs
    ]
    return found if len(mine.inputs) == len(other.inputs) and sorted(found) == list(range(len(found))) != found else []


def _unmatched_before(scene: Scene, index: int) -> tuple[list[Step], list[Step]]:
    """Give torch's and the Cell's steps without counterpart just before a row, those that compute something."""
    lacking: list[Step] = []
    added: list[Step] = []
    for one in reversed(scene.matches[:index]):
        if one.by == "merged":
            continue
        if one.torch is not None and one.cell is not None:
            if (lacking or added) and (one.torch.computes or one.cell.computes):
                break
            continue
        if one.torch is not None and one.torch.computes:
            lacking.insert(0, one.torch)
        elif one.cell is not None and (one.cell.computes or any(name in DRAWS for name in _all_names(one.cell))):
            added.insert(0, one.cell)
    return lacking, added


def _other_source(scene: Scene, arriving: tuple[torch.Tensor, torch.Tensor]) -> str:
    """Find the step whose output arrived instead of the right one."""
    own, wanted = arriving
    sources = {}
    for name, tensor in (("got", own), ("wanted", wanted)):
        for step in scene.theirs.steps:
            if any(out.shape == tensor.shape and torch.equal(out, tensor.to(out.dtype)) for out in step.outputs):
                sources[name] = step.label
                break
    if "got" in sources and sources["got"] != sources.get("wanted"):
        return f"it gets the output of {sources['got']}" + (
            f" instead of that of {sources['wanted']}" if "wanted" in sources else ""
        )
    return ""


def _moves(scene: Scene, one: Match | None) -> tuple[str, list[str]]:
    """Compare what only moved data just before a step."""
    numbers = (
        one.torch.number if one and one.torch else len(scene.theirs.steps),
        one.cell.number if one and one.cell else len(scene.fed.steps),
    )
    sides = [
        [(move.name, move.arguments) for number, move in trace.moves if number == at]
        for trace, at in zip((scene.theirs, scene.fed), numbers, strict=True)
    ]
    text = f"torch moves data by {_listed(sides[0])}, the Cell by {_listed(sides[1])}"
    if sides[0] == sides[1]:
        text = "what arrives is not what torch's layer gets; a constant, an input or an axis differs"
    return text, []


def _listed(moves: Sequence[tuple[str, dict]]) -> str:
    return (
        ", ".join(
            f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})" for name, arguments in moves
        )
        or "nothing"
    )


def _all_names(step: Step) -> list[str]:
    return [one.name for one in step.operations]


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(one) == list(other)
    return bool(one == other)
