"""Joined layers: where a rule splits or joins weights, several layers together answer to one (a fused q/k/v)."""

from collections.abc import Sequence

import torch

from msbridge.verify.judge.status import Row, plain_status
from msbridge.verify.measure.difference import compare_tensors
from msbridge.verify.pair.forced_runs import Runs
from msbridge.verify.pair.weights import Join
from msbridge.verify.record.trace import Step, Trace


def judge_joined(rows: Sequence[Row], runs: Runs, joins: Sequence[Join], far: Trace | None) -> list[Row]:
    """Replace the rows of layers that answer to each other only together by one row for each such group.

    Args:
        rows: of the single layers.
        runs: of both networks.
        joins: (paths of torch's layers, paths of the Cell's) that answer to each other only together.
        far: torch's run in float64.
    """
    judged = list(rows)
    for paths, own_paths in joins:
        for call in range(len(runs.theirs.steps)):
            mine, ours = _steps(runs.theirs, paths, call), _steps(runs.free, own_paths, call)
            if not mine or not ours:
                break
            if (row := _joint_row(mine, ours, runs.fed, far)) is not None:
                judged = _put(judged, row, {step.label for step in mine}, {step.label for step in ours})
    return judged


def _joint_row(mine: Sequence[Step], ours: Sequence[Step], fed: Trace, far: Trace | None) -> Row | None:
    wanted = _together(mine, len(ours))
    outcomes = [_together(steps, len(mine)) for steps in (ours, [fed.steps[step.number] for step in ours])]
    if wanted is None or any(one is None or one.shape != wanted.shape for one in outcomes):
        return None
    wide = _together([far.steps[step.number] for step in mine], len(ours)) if far else None
    differences = [compare_tensors(one, wanted, wide) for one in outcomes if one is not None]
    return Row(
        ", ".join(step.label for step in mine),
        ", ".join(step.label for step in ours),
        mine[0].kind,
        ours[0].kind,
        by="rule",
        status=plain_status(*differences),
        free=differences[0],
        fed=differences[1],
        seconds=(sum(step.seconds for step in mine), sum(step.seconds for step in ours)),
        paths=(tuple(step.path for step in mine), tuple(step.path for step in ours)),
    )


def _put(rows: Sequence[Row], row: Row, mine: set[str], ours: set[str]) -> list[Row]:
    """Put a row where the first of some unmatched ones is, and take those away."""
    replaced = [one for one in rows if (one.torch in mine and not one.cell) or (one.cell in ours and not one.torch)]
    place = next((number for number, one in enumerate(rows) if one in replaced), len(rows))
    return [*rows[:place], row, *(one for one in rows[place:] if one not in replaced)]


def _steps(trace: Trace, paths: Sequence[str], call: int) -> list[Step]:
    """Return the steps in which some layers are called for the nth time; none unless all are."""
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
