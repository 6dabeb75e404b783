"""Joined layers: where a rule splits or joins weights, several layers together answer to one (a fused q/k/v)."""

from collections.abc import Sequence

import torch

from msbridge.verify.measure.difference import compare_tensors
from msbridge.verify.record.trace import Step, Trace
from msbridge.verify.report.comparison import FAULTS, Comparison, Finding, Row


def judge_joined(found: Comparison, theirs: Trace, free: Trace, fed: Trace, far: Trace | None) -> None:
    """Replace the rows of layers that answer to each other only together by one row for each such group.

    Args:
        found: the comparison; its rows, findings and structure are changed.
        theirs: torch's run.
        free: the Cell's run on its own.
        fed: the Cell's run on torch's values.
        far: torch's run in float64.
    """
    for paths, own_paths in found.weights.joins:
        for call in range(len(theirs.steps)):
            mine, ours = _steps(theirs, paths, call), _steps(free, own_paths, call)
            if not mine or not ours:
                break
            _judge_group(found, mine, ours, fed, far)
        for side, names in (("torch", paths), ("cell", own_paths)):
            found.structure[side] = [(path, kind, ok or path in names) for path, kind, ok in found.structure[side]]


def _judge_group(found: Comparison, mine: list[Step], ours: list[Step], fed: Trace, far: Trace | None) -> None:
    wanted = _together(mine, len(ours))
    outcomes = [_together(steps, len(mine)) for steps in (ours, [fed.steps[step.number] for step in ours])]
    if wanted is None or any(one is None or one.shape != wanted.shape for one in outcomes):
        return
    wide = _together([far.steps[step.number] for step in mine], len(ours)) if far else None
    row = Row(
        ", ".join(step.label for step in mine), ", ".join(step.label for step in ours),
        mine[0].kind, ours[0].kind, by="rule",
    )  # fmt: skip
    row.seconds = sum(step.seconds for step in mine), sum(step.seconds for step in ours)
    row.free, row.fed = (compare_tensors(one, wanted, wide) for one in outcomes if one is not None)
    if not row.fed.is_noise:
        row.status = "differs"
    elif not row.free.is_noise:
        row.status = "inherited"
    elif not (row.free.is_equal and row.fed.is_equal):
        row.status = "noise"
    place = _replace_rows(found.rows, row, {step.label for step in mine}, {step.label for step in ours})
    if row.status in FAULTS:
        text = f"together they differ by up to {row.fed.max_abs:.3g} from torch's"
        before = {one.name for one in found.rows[:place]}
        found.findings.insert(
            sum(one.layer in before for one in found.findings), Finding(row.torch, row.cell, "joined layers", text)
        )


def _replace_rows(rows: list[Row], row: Row, mine: set[str], ours: set[str]) -> int:
    """Put a row where the first of some unmatched ones stands, and take those away; give its place."""
    alone = [one for one in rows if (one.torch in mine and not one.cell) or (one.cell in ours and not one.torch)]
    place = next((number for number, one in enumerate(rows) if one in alone), len(rows))
    rows[:] = [*rows[:place], row, *(one for one in rows[place:] if one not in alone)]
    return place


def _steps(trace: Trace, paths: Sequence[str], call: int) -> list[Step]:
    """Give the steps in which some layers are called for the nth time; none unless all are."""
    found = {step.path: step for step in trace.steps if step.layer is not None and step.call == call and step.outputs}
    return [found[path] for path in paths] if all(path in found for path in paths) else []


def _together(steps: Sequence[Step], parts: int) -> torch.Tensor | None:
    """Join first outputs along the axis of the features: the last, or the second of a convolution."""
    data = [step.outputs[0] for step in steps if step.outputs]
    if len(data) != len(steps):
        return None
    if len(data) == 1:
        return data[0]
    axis = 1 if "Conv" in steps[0].kind else -1
    shapes = {(*one.shape[:axis], *one.shape[axis:][1:]) for one in data}
    return torch.cat(data, axis) if parts == 1 and len(shapes) == 1 else None
