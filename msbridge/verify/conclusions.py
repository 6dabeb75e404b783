"""Conclusions: rows become findings, each with its likely cause, and notes."""

import torch

from msbridge.verify.causes import Scene, explain_gap, explain_step
from msbridge.verify.comparison import FAULTS, Comparison, Finding, Row
from msbridge.verify.match import Match
from msbridge.verify.metrics import measure, same
from msbridge.verify.rows import arrives, arriving_pairs
from msbridge.verify.trace import Trace

BEYOND = 100.0  # times the noise that is allowed: no sum of roundings is so large


def conclude(found: Comparison, scene: Scene, free: Trace, far: Trace | None) -> None:
    """Turn rows into findings and notes."""
    for index, row in enumerate(found.rows):
        one = scene.matches[index]
        if row.status == "failed":
            error = free.error or scene.fed.error
            text = f"the Cell stops here: {type(error).__name__}: {error}" if error else "the Cell gives no tensor here"
            settings = [str(each) for each in row.settings]
            kind = row.settings[0].name if row.settings else "error"
            found.findings.append(Finding(row.torch, row.cell, kind, text, settings))
        elif row.status == "input differs":
            found.findings.append(explain_gap(scene, index, row, _first_unequal(one, scene.fed)))
            if (
                row.fed is not None
                and not row.fed.is_noise
                and one.cell is not None
                and scene.fed.steps[one.cell.number].fed
            ):
                found.findings.append(explain_step(_fed_scene(scene, index), index, row))
        elif row.status == "differs":
            found.findings.append(explain_step(_fed_scene(scene, index), index, row))
    _conclude_outputs(found, scene, free, far)
    quiet = [row for row in found.rows if row.status not in FAULTS]
    for row in quiet:
        for each in row.settings:
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
    for name in found.weights.only_torch:
        found.notes.append(Finding(name, "", "unmatched weight", "only torch has it"))
    for name in found.weights.only_cell:
        found.notes.append(Finding(name, "", "unmatched weight", "only the Cell has it; it keeps its own values"))


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
        difference = measure(own, wanted, far.outputs[index] if far else None)
        if difference.problem or not arrives(difference):
            row = Row("(the output)", "(the output)")
            found.findings.append(explain_gap(scene, len(scene.matches), row, (own, wanted)))
            return
    if len(fed.outputs) != len(scene.theirs.outputs):
        text = f"the Cell gives {len(fed.outputs)} tensors, torch {len(scene.theirs.outputs)}"
        found.notes.append(Finding("(the output)", "(the output)", "outputs", text))
    loud = [one for one in found.outputs if not one.is_noise]
    if loud and not found.findings:
        worst = max(loud, key=lambda one: one.noise_ratio)
        text = f"the networks end {worst.max_abs:.3g} apart ({worst.noise_ratio:.3g} times torch's noise)"
        rounds = any(row.fed is not None and row.fed.is_coarser for row in found.rows)
        if worst.problem or (worst.noise_ratio > BEYOND and not rounds):
            text += ", though every layer agrees on torch's inputs: does one write into its input, or keep a state?"
            found.findings.append(Finding("(the output)", "(the output)", "unknown", text))
        else:
            text += "; every layer agrees, so this is rounding that adds up"
            found.notes.append(Finding("(the output)", "(the output)", "noise", text))


def _first_unequal(one: Match, fed: Trace) -> tuple[torch.Tensor, torch.Tensor] | None:
    if one.torch is None or one.cell is None:
        return None
    for own, wanted in arriving_pairs(fed.steps[one.cell.number].inputs, one.torch.inputs):
        if not same(own, wanted):
            return own, wanted
    return None


def _fed_scene(scene: Scene, index: int) -> Scene:
    """Let causes look at the Cell's step as it ran on torch's values."""
    one = scene.matches[index]
    matches = list(scene.matches)
    matches[index] = Match(one.torch, scene.fed.steps[one.both[1].number], one.by, one.last)
    return Scene(matches, scene.theirs, scene.fed, scene.weights)
