"""Conclusions: rows become findings, each with its likely cause, and notes."""

from collections.abc import Sequence
from dataclasses import replace

from msbridge.verify.explain.causes import Scene, explain_step, family_of_change
from msbridge.verify.explain.gaps import Both, explain_gap
from msbridge.verify.judge.absorbed import is_absorbed
from msbridge.verify.measure.difference import compare_tensors, same
from msbridge.verify.measure.relations import is_close, laid_as, relation
from msbridge.verify.measure.rows import arrives, arriving_pairs
from msbridge.verify.pair.match import Match, answers, is_of_library
from msbridge.verify.record.trace import Step, Trace
from msbridge.verify.report.comparison import FAULTS, Comparison, Finding, Row

NO_EFFECT = "it makes no difference to what follows on these inputs"
MOVED = 8  # pairs that the order of calls made which are listed
BEYOND = 100.0  # times the noise that is allowed: no sum of roundings is so large


def _lacking(found: Comparison) -> list[Finding]:
    """Name the biases that rules make, the Cell's layers do not have, and no difference has led to."""
    said = " ".join(one.text for one in found.findings)
    lost = []
    for name, own in found.weights.lacking:
        if name not in said:
            place, other = (one.rpartition(".")[0] for one in (name, own))
            text = f"the Cell has no parameter {own} for {name} (has_bias=True makes one)"
            lost.append(Finding(place, other, "bias", text))
    return lost


def conclude(found: Comparison, scene: Scene, free: Trace, far: Trace | None) -> None:
    """Turn rows into findings and notes."""
    _acquit(found, scene, free)
    for index, row in enumerate(found.rows):
        one = scene.matches[index]
        if row.status == "failed":
            found.findings.append(_explain_failure(scene, index, row, free))
        elif row.status == "input differs":
            found.findings.append(explain_gap(_fed_scene(scene, index), index, _first_unequal(one, scene.fed)))
            if (
                row.fed is not None
                and not row.fed.is_noise
                and one.cell is not None
                and _fed_step(one.cell, scene.fed).fed
            ):
                found.findings.append(explain_step(_fed_scene(scene, index), index, row))
        elif row.status == "differs":
            found.findings.append(explain_step(_fed_scene(scene, index), index, row))
    _conclude_outputs(found, scene, free, far)
    found.findings[:0] = _lacking(found)
    quiet = [pair for pair in zip(scene.matches, found.rows, strict=True) if pair[1].status not in FAULTS]
    if free.error is None:
        found.notes += _quiet_classes(scene, found.rows)
    for one, row in quiet:
        sizes = [[part.numel() for part in step.inputs] for step in (one.torch, one.cell) if step is not None]
        is_elsewhere = sizes[0] != sizes[-1]  # an own operator pads, say
        for each in row.settings if not is_elsewhere else ():
            hint = f" ({each.trap})" if each.trap else ""
            when = "in training" if each.matters == "training" else "little on these inputs"
            found.notes.append(Finding(row.torch, row.cell, each.name, f"{each}{hint}; it shows {when}"))
    for pair in found.weights.pairs:
        if pair.issue and not any(pair.issue in (one.text, *one.evidence) for one in found.findings):
            place, own = (name.rpartition(".")[0] or name for name in (pair.torch, pair.cell))
            found.findings.append(Finding(place, own, pair.kind, pair.issue, ["it does not show on these inputs"]))
    for pair in found.weights.pairs:
        if pair.trained[0] != pair.trained[1]:
            side = "torch trains it, the Cell does not" if pair.trained[0] else "the Cell trains it, torch does not"
            found.notes.append(Finding(pair.torch, pair.cell, "requires_grad", f"{side}; it shows in training"))
    if moved := found.weights.moved:
        text = (
            f"{len(moved)} tensors of equal shapes are paired in the order in which their layers run, not in that "
            "of their definition; msbridge convert --by-order cannot know it: take the weights that this comparison "
            "leaves in the Cell, or write rules"
        )
        shown = [f"{theirs} is {own}" for theirs, own in moved]
        found.notes.append(Finding(moved[0][0], moved[0][1], "order of calls", text, shown[:MOVED]))
    for name in found.weights.only_torch:
        found.notes.append(Finding(name, "", "unmatched weight", "only torch has it"))
    for name in found.weights.only_cell:
        found.notes.append(Finding(name, "", "unmatched weight", "only the Cell has it; it keeps its own values"))


def _quiet_classes(scene: Scene, rows: Sequence[Row]) -> list[Finding]:
    """Note layers of other classes whose outputs happen to agree, and dropout that one side alone has."""
    notes = []
    for one, row in zip(scene.matches, rows, strict=True):
        if row.status in FAULTS:
            continue
        if one.torch is not None and one.cell is not None:
            is_other = one.last is None and all(is_of_library(step) for step in (one.torch, one.cell))
            if is_other and one.torch.computes != one.cell.computes and not answers(one.torch, one.cell):
                text = f"torch has {one.torch.kind}, the Cell {one.cell.kind}; it makes no difference on these inputs"
                kind = family_of_change(one.torch.computes, one.cell.computes)
                notes.append(Finding(row.torch, row.cell, kind, text))
        elif "Dropout" in (row.torch_kind or row.cell_kind) and one.by != "merged":
            kind, side = ("missing layer", "torch") if one.torch is not None else ("extra layer", "the Cell")
            notes.append(Finding(row.name, row.cell, kind, f"only {side} has this dropout; it shows in training"))
    return notes


def _acquit(found: Comparison, scene: Scene, free: Trace) -> None:
    """Take back what was suspected of rows whose difference comes to nothing in what follows.

    A Cell may compute the same in another way: other operators lead to the same values, or a mask has another constant.
    """
    if free.error is not None or not found.outputs:
        return
    is_right = _is_right(found, scene, free)
    for index, row in enumerate(found.rows):
        one = scene.matches[index]
        is_operator = one.cell is not None and one.cell.layer is None and one.torch is not None
        if row.status == "input differs":
            is_same_here = row.free is None or row.free.is_noise or bool(row.free.problem)
            if is_same_here and _comes_to_nothing(found.rows, index, is_right):
                row.status = "noise"
                why = explain_gap(_fed_scene(scene, index), index, _first_unequal(one, scene.fed))
                found.notes.append(replace(why, text=f"{why.text}; {NO_EFFECT}"))
        elif row.status == "differs" and is_operator:
            step, own = one.both[2], _fed_step(one.both[1], scene.fed).outputs
            if (is_right and _layers_agree(found.rows, index)) or is_absorbed(scene.theirs, step, own):
                row.status = "noise"
                why = explain_step(_fed_scene(scene, index), index, row)
                found.notes.append(replace(why, text=f"{why.text}; {NO_EFFECT}"))


def _is_right(found: Comparison, scene: Scene, free: Trace) -> bool:
    """Whether the Cell gives torch's outputs when it runs on its own, perhaps in another layout."""
    pairs = zip(free.outputs, scene.theirs.outputs, strict=False)
    return all(
        one.is_noise or (own.shape != wanted.shape and compare_tensors(laid_as(own, wanted), wanted).is_noise)
        for one, (own, wanted) in zip(found.outputs, pairs, strict=False)
    )


def _comes_to_nothing(rows: Sequence[Row], index: int, is_right: bool) -> bool:
    """Whether the rows behind one, up to the next fault, are right when the Cell runs on its own."""
    seen = False
    for row in rows[index + 1 :]:
        if row.status in ("differs", "failed"):
            return seen
        if row.free is not None and not row.free.is_noise:
            return False
        seen = seen or (row.free is not None and row.is_layer)
    return is_right


def _layers_agree(rows: Sequence[Row], index: int) -> bool:
    return all(row.free is None or row.free.is_noise for row in rows[index + 1 :] if row.is_layer)


def _explain_failure(scene: Scene, index: int, row: Row, free: Trace) -> Finding:
    """Say why the Cell stops with an error, or gives nothing."""
    error = free.error or scene.fed.error
    text = f"the Cell stops here: {type(error).__name__}: {error}" if error else "the Cell gives no tensor here"
    if row.settings:
        return Finding(row.torch, row.cell, row.settings[0].name, text, [str(each) for each in row.settings])
    one = scene.matches[index]
    if one.torch is not None and one.cell is not None and one.cell.layer is None:
        for own, wanted in zip(_fed_step(one.cell, scene.fed).inputs, one.torch.inputs, strict=False):
            if own.shape != wanted.shape:
                said = relation(own, wanted)
                shapes = f"it gets {tuple(own.shape)} where torch gets {tuple(wanted.shape)}"
                return Finding(row.torch, row.cell, "layout", f"{said[1]}; {shapes}" if said else shapes, [text])
    if row.arriving is not None and not arrives(row.arriving):
        found = explain_gap(_fed_scene(scene, index), index, _first_unequal(scene.matches[index], scene.fed))
        found.evidence.append(text)
        return found
    return Finding(row.torch, row.cell, "error", text)


def _conclude_outputs(found: Comparison, scene: Scene, free: Trace, far: Trace | None) -> None:
    """Compare what the networks give in the end, when every matched step gave torch's values."""
    fed = scene.fed
    if (error := free.error or fed.error) is not None:
        place = " / ".join(part for part in (free.pending or fed.pending) if part) or "(the network)"
        text = f"the Cell stops: {type(error).__name__}: {error}"
        if found.findings:
            found.findings[0].evidence.append(f"{place}: {text}")
        else:
            found.findings.append(Finding(place, place, "error", text))
        return
    for index, (own, wanted) in enumerate(zip(fed.outputs, scene.theirs.outputs, strict=False)):
        difference = compare_tensors(own, wanted, far.outputs[index] if far else None)
        if difference.problem or not arrives(difference):
            found.findings.append(explain_gap(scene, len(scene.matches), (own, wanted)))
            return
    if len(fed.outputs) != len(scene.theirs.outputs):
        text = f"the Cell gives {len(fed.outputs)} tensors, torch {len(scene.theirs.outputs)}"
        found.notes.append(Finding("(the output)", "(the output)", "outputs", text))
    loud = [one for one in found.outputs if not one.is_noise]
    if loud and not found.findings:
        worst = max(loud, key=lambda one: one.noise_ratio)
        text = f"the networks end {worst.max_abs:.3g} apart ({worst.noise_ratio:.3g} times torch's noise)"
        rounds = any(row.fed is not None and row.fed.is_coarser for row in found.rows)
        is_far = worst.noise_ratio > BEYOND and not rounds and not _is_amplified(found, scene, free)
        if worst.problem or is_far:
            text += ", though every layer agrees on torch's inputs: does one write into its input, or keep a state?"
            found.findings.append(Finding("(the output)", "(the output)", "unknown", text))
        else:
            text += "; every layer agrees, so this is rounding that adds up"
            found.notes.append(Finding("(the output)", "(the output)", "noise", text))


def _is_amplified(found: Comparison, scene: Scene, free: Trace) -> bool:
    """Whether torch's own layer makes as much of the rounding errors that reach the first step with large ones."""
    for one, row in zip(scene.matches, found.rows, strict=True):
        if row.free is None or row.free.is_noise or one.torch is None or one.cell is None:
            continue
        own = free.steps[one.cell.number]
        pairs = arriving_pairs(own.inputs, one.torch.inputs)
        if (
            one.last is not None
            or one.torch.again is None
            or not all(compare_tensors(*pair).is_noise for pair in pairs)
        ):
            return False
        try:
            near = one.torch.again([a.double() if a.is_floating_point() else a for a, _ in pairs])
        except (RuntimeError, TypeError, ValueError):
            return False
        return all(compare_tensors(a, b.to(a.dtype), b).is_noise for a, b in zip(own.outputs, near, strict=False))
    return False


def _first_unequal(one: Match, fed: Trace) -> Both | None:
    if one.torch is None or one.cell is None:
        return None
    pairs = arriving_pairs(_fed_step(one.cell, fed).inputs, one.torch.inputs)
    unequal = [pair for pair in pairs if not same(*pair)]
    return next((pair for pair in unequal if not is_close(*pair)), unequal[0] if unequal else None)


def _fed_step(step: Step, fed: Trace) -> Step:
    """Give a step of the Cell as it ran on torch's values, or as it was where that run stopped before."""
    return fed.steps[step.number] if step.number < len(fed.steps) else step


def _fed_scene(scene: Scene, index: int) -> Scene:
    """Let causes look at the Cell's step as it ran on torch's values."""
    one = scene.matches[index]
    matches = list(scene.matches)
    if one.cell is not None:
        matches[index] = Match(one.torch, _fed_step(one.cell, scene.fed), one.by, one.last)
    return replace(scene, matches=matches)
