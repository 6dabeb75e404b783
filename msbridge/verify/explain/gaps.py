"""Gaps: why a step gets something else although all matched steps before it gave the same."""

from collections.abc import Iterable, Sequence

import torch

from msbridge.verify.explain.causes import (
    DRAWS,
    Scene,
    family_of_change,
    issue_in,
    names_of,
    order_of_inputs,
    shown_moves,
)
from msbridge.verify.measure.relations import is_close, relation
from msbridge.verify.measure.rows import arriving_pairs
from msbridge.verify.pair.match import Match
from msbridge.verify.record.trace import Operation, Step
from msbridge.verify.report.comparison import Finding

NEAR = 8  # so many steps around a gap are searched for the one that stands elsewhere
MAKERS = frozenset({"arange", "full", "full_like", "new_full", "new_ones", "new_zeros", "ones", "ones_like"})
LOOKUPS = frozenset({"gather", "index", "index_select", "scatter", "sort"})
MAKES_ZEROS = frozenset({"zeros", "zeros_like"})
Both = tuple[torch.Tensor, torch.Tensor]  # the Cell's and torch's


def explain_gap(scene: Scene, index: int, arriving: Both | None) -> Finding:
    """Say why a step gets something else although all matched steps before gave the same.

    Args:
        scene: both runs.
        index: of the match; behind the last one for the networks' outputs.
        arriving: the first input that differs.
    """
    one = scene.matches[index] if index < len(scene.matches) else None
    label = one.torch.label if one and one.torch else "(the output)"
    own = one.cell.label if one and one.cell else "(the output)"
    if one and one.cell and one.torch and one.torch.layer is None:
        if issue := issue_in(scene, one.cell.path):
            return Finding(label, own, issue[0], issue[1])
        if order := order_of_inputs(one.torch, one.cell):
            return Finding(label, own, "order of inputs", f"{one.torch.kind} gets its inputs in another order: {order}")
    if one is None and arriving is not None and (order := _order_of_outputs(scene)):
        return Finding(label, own, "order of outputs", f"the Cell gives its outputs in another order: {order}")
    if step := _never_run(scene, one):
        text = f"the Cell never runs {scene.weights.layers[step.path]}, which has the weights of torch's {step.label}"
        return Finding(step.label, "", "missing layer", text, [f"seen at {label}"])
    if crossing := _crossing(scene, one):
        return Finding(label, own, "order of layers", crossing, where="before")
    said = _related(arriving)
    moves = shown_moves(_moves_before(scene, 0, one)), shown_moves(_moves_before(scene, 1, one))
    if said and said[0] == "layout":  # all values are there: no operator is to blame
        evidence = [f"torch moves data by {moves[0]}, the Cell by {moves[1]}"] if moves[0] != moves[1] else []
        return Finding(label, own, *said, evidence, where="before")
    lacking, added = _to_blame(scene, index, one)
    if found := _elsewhere(scene, index, lacking, added):
        return found
    is_plain = arriving is not None and not arriving[1].is_floating_point()
    if is_plain and bool(lacking) == bool(added) and said:
        return Finding(label, own, *said, where="before")
    if lacking and not added:
        place = next((step for step in lacking if step.layer is not None), lacking[-1])
        text = f"the Cell has nothing for torch's {_listing(lacking)}"
        return Finding(place.label, "", "missing layer", text, [f"seen at {label}"])
    if added and not lacking and one and one.torch and one.cell and _is_another(one):
        come = [name for step in (*added, one.cell) for name in step.computes]
        text = f"torch computes {', '.join(one.torch.computes)}, the Cell {', '.join(come)}"
        return Finding(label, own, family_of_change(one.torch.computes, come), text)
    if added and not lacking:
        if any(name in DRAWS for step in added for name in names_of(step)):
            text = f"the Cell draws random numbers in {_listing(added)}; torch does not in inference"
            return Finding(label, added[-1].label, "dropout left on", text, where="before")
        text = f"torch has nothing for the Cell's {_listing(added)}"
        return Finding(added[-1].label, added[-1].label, "extra layer", text)
    if added and lacking:
        ours, theirs = (", ".join(step.kind for step in steps) for steps in (added, lacking))
        kind = family_of_change(*([name for step in steps for name in step.computes] for steps in (lacking, added)))
        text = f"torch computes {theirs} where the Cell computes {ours}"
        return Finding(lacking[-1].label, added[-1].label, kind, text, [f"seen at {label}"])
    if arriving is not None and (text := _other_source(scene, arriving)):
        return Finding(label, own, "wiring", text, where="before")
    kind, text, evidence = _moves(scene, one, arriving, said)
    return Finding(label, own, kind, text, evidence, where="before")


def _never_run(scene: Scene, one: Match | None) -> Step | None:
    """Find the last layer with weights that torch runs before a step and the Cell, which has it, does not at all."""
    run = {step.path for step in scene.fed.steps}
    end = one.torch.number if one is not None and one.torch is not None else len(scene.theirs.steps)
    owners = scene.weights.layers
    absent = [step for step in scene.theirs.steps[:end] if step.path in owners and owners[step.path] not in run]
    is_run = {id(other.torch) for other in scene.matches if other.cell is not None}
    return next((step for step in reversed(absent) if step.layer is not None and id(step) not in is_run), None)


def _crossing(scene: Scene, one: Match | None) -> str:
    """Say which layer the Cell runs before a step that torch runs behind it; layers side by side do not count."""
    if one is None or one.by != "weights" or one.torch is None or one.cell is None:
        return ""
    for other in scene.matches:
        if other.by != "weights" or other.torch is None or other.cell is None:
            continue
        if other.torch.number > one.torch.number and other.cell.number < one.cell.number:
            places = {_place(tensor) for tensor in one.torch.inputs}
            if not any(_place(tensor) in places for tensor in other.torch.inputs):
                return f"the Cell runs {other.cell.label} before it, torch behind it"
    return ""


def _is_another(one: Match) -> bool:
    """Whether a step was matched with one of another name for want of a better."""
    return one.by == "order" and one.both[0].computes != one.both[1].computes


def _to_blame(scene: Scene, index: int, one: Match | None) -> tuple[list[Step], list[Step]]:
    """Give torch's and the Cell's steps without counterpart that made what arrives at a step."""
    pairs = _unequal_inputs(scene, one)
    sides = []
    for side, data in enumerate(zip(*pairs, strict=True) if pairs else ((), ())):
        number = (one.cell.number if side == 0 else one.torch.number) if one and one.torch and one.cell else None
        chain, is_whole = _chain(scene, side, data, number)
        sides.append(chain if chain or is_whole else _unmatched_before(scene, index)[1 - side])
    added, lacking = sides
    return _telling(lacking, [step for step in added if not _is_known(scene, step)])


def _telling(lacking: list[Step], added: list[Step]) -> tuple[list[Step], list[Step]]:
    """Leave out what only looks things up, where something computes."""
    sides = [[step for step in side if not LOOKUPS.issuperset(step.computes)] for side in (lacking, added)]
    return (sides[0], sides[1]) if any(sides) else (lacking, added)


def _is_known(scene: Scene, step: Step) -> bool:
    """Whether a step of the Cell only gives what some step of torch gives too."""
    return bool(step.outputs) and all(scene.known.have(own) for own in step.outputs)


def _unequal_inputs(scene: Scene, one: Match | None) -> list[Both]:
    if one is None:
        pairs = list(zip(scene.fed.outputs, scene.theirs.outputs, strict=False))
    elif one.torch is None or one.cell is None:
        return []
    else:
        pairs = arriving_pairs(one.cell.inputs, one.torch.inputs)
    return [(own, wanted) for own, wanted in pairs if not is_close(own, wanted)]


def _chain(scene: Scene, side: int, data: Iterable[torch.Tensor], end: int | None) -> tuple[list[Step], bool]:
    """Follow tensors back to the steps without counterpart that made them, up to matched ones.

    Returns:
        The steps, in order, and whether every tensor's origin was found (copies in between hide it).
    """
    makers, known = _makers(scene, side)
    found: dict[int, Step] = {}
    is_whole = True
    waiting = [(tensor, end if end is not None else 1 << 60) for tensor in data]
    while waiting:
        tensor, limit = waiting.pop()
        place = _place(tensor)
        before = [(step, alone) for step, alone in makers.get(place, ()) if step.number < limit]
        if not before:
            is_whole = is_whole and place in known
            continue
        step, alone = before[-1]
        if alone and step.number not in found:
            found[step.number] = step
            waiting += [(part, step.number) for part in step.inputs]
    steps = [found[number] for number in sorted(found)]
    return [step for step in steps if step.computes or any(name in DRAWS for name in names_of(step))], is_whole


def _makers(scene: Scene, side: int) -> tuple[dict[int, list[tuple[Step, bool]]], set[int]]:
    """Give, by memory, the steps of the Cell (side 0) or of torch that wrote there, and whether they are unmatched."""
    makers: dict[int, list[tuple[Step, bool]]] = {}
    known: set[int] = set()
    for one in sorted(scene.matches, key=lambda one: _number(one, side)):
        step, alone = (one.cell, one.torch is None) if side == 0 else (one.torch, one.cell is None)
        if step is None or (side == 0 and step.number >= len(scene.fed.steps)):  # behind where the Cell stops
            continue
        if side == 0 and step.number < len(scene.fed.steps):
            step = scene.fed.steps[step.number]
        alone = alone and one.by != "merged"
        outputs = [*step.outputs, *(one.end.outputs if side == 0 and one.end is not None and not alone else ())]
        for tensor in outputs:
            makers.setdefault(_place(tensor), []).append((step, alone))
        if not alone:
            known.update(_place(tensor) for tensor in outputs)
    return makers, known


def _number(one: Match, side: int) -> int:
    step = one.cell if side == 0 else one.torch
    return step.number if step is not None else -1


def _place(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout is torch.strided else id(tensor)


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
        elif one.cell is not None and (one.cell.computes or any(name in DRAWS for name in names_of(one.cell))):
            added.insert(0, one.cell)
    return lacking, added


def _elsewhere(scene: Scene, index: int, lacking: Sequence[Step], added: Sequence[Step]) -> Finding | None:
    """Find a step that both have, but in another order."""
    after = scene.matches[index : index + NEAR]
    for step in lacking:
        later = [one.cell for one in after if one.cell is not None and one.torch is None]
        if found := next((other for other in later if _is_alike(step, other)), None):
            text = f"torch computes {step.label} before this, the Cell after it ({found.label})"
            return Finding(step.label, found.label, "order of layers", text)
    for step in added:
        later = [one.torch for one in after if one.torch is not None and one.cell is None and one.by != "merged"]
        if found := next((other for other in later if _is_alike(other, step)), None):
            text = f"the Cell computes {step.label} before this, torch after it ({found.label})"
            return Finding(found.label, step.label, "order of layers", text)
    return None


def _is_alike(mine: Step, other: Step) -> bool:
    return bool(mine.computes) and mine.computes == other.computes and mine.shape == other.shape


def _order_of_outputs(scene: Scene) -> list[int]:
    """Say which of torch's outputs the Cell gives in each place; nothing where that is no other order."""
    found = [
        next((number for number, wanted in enumerate(scene.theirs.outputs) if is_close(own, wanted)), -1)
        for own in scene.fed.outputs
    ]
    return found if len(found) > 1 and sorted(found) == list(range(len(found))) != found else []


def _other_source(scene: Scene, arriving: Both) -> str:
    """Find the step whose output arrived instead of the right one."""
    own, wanted = arriving
    sources = {}
    for name, tensor in (("got", own), ("wanted", wanted)):
        for step in scene.theirs.steps:
            if any(out.shape == tensor.shape and torch.equal(out, tensor.to(out.dtype)) for out in step.outputs):
                sources[name] = step.label
                break
    if "got" not in sources:
        for step in scene.theirs.steps:
            for place, part in enumerate(step.inputs):
                if part.numel() > 1 and part.shape == own.shape and is_close(own, part):
                    return f"it gets what torch gives to {step.label} (input {place + 1})"
    if "got" in sources and sources["got"] != sources.get("wanted"):
        return f"it gets the output of {sources['got']}" + (
            f" instead of that of {sources['wanted']}" if "wanted" in sources else ""
        )
    return ""


def _moves_before(scene: Scene, side: int, one: Match | None) -> list[Operation]:
    """Give what only moved or made data just before a step of torch (side 0) or of the Cell."""
    trace = scene.fed if side else scene.theirs
    step = (one.cell if side else one.torch) if one else None
    at = step.number if step is not None else len(trace.steps)
    return [move for number, move in trace.moves if number == at]


def _moves(
    scene: Scene, one: Match | None, arriving: Both | None, said: tuple[str, str] | None
) -> tuple[str, str, list[str]]:
    """Compare what only moved or made data just before a step, and what arrives with what should."""
    theirs, ours = (_moves_before(scene, side, one) for side in (0, 1))
    if shown_moves(theirs) == shown_moves(ours):
        if said:
            return *said, []
        return "unknown", "what arrives is not what torch's layer gets; a constant, an input or an axis differs", []
    text = f"torch moves data by {shown_moves(theirs)}, the Cell by {shown_moves(ours)}"
    if arriving and (kind := _made(theirs, ours, arriving)):
        return kind, text, [said[1]] if said else []
    if said and said[0] != "layout":
        return *said, [text]
    return "layout", text, [said[1]] if said else []


def _made(theirs: Sequence[Operation], ours: Sequence[Operation], arriving: Both) -> str:
    """Name what moves of data cannot be blamed for: a coarser dtype, values made out of nothing."""
    own, wanted = arriving
    names = {move.name for move in ours} - {move.name for move in theirs}
    coarse = [move.arguments.get("dtype") for move in ours if move.name == "_to_copy"]
    if any(torch.equal(own, wanted.to(dtype).to(own.dtype)) for dtype in coarse if dtype in COARSE):
        return "dtype"
    return "constant" if names & (MAKERS | MAKES_ZEROS) else ""


COARSE = (torch.float16, torch.bfloat16)


def _related(arriving: Both | None) -> tuple[str, str] | None:
    """Say what arrives, seen from what should."""
    if arriving is None or (said := relation(*arriving)) is None:
        return None
    return said[0], f"what arrives is not what torch's gets: {said[1]}"


def _listing(steps: Sequence[Step]) -> str:
    return ", ".join(step.label if step.layer is None else f"{step.label} ({step.kind})" for step in steps)
