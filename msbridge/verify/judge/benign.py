"""Acquittal: rows whose difference comes to nothing in what follows are not at fault.

A Cell may compute the same in another way: other operators lead to the same values, or a mask has another constant.
"""

from collections.abc import Sequence
from dataclasses import replace

from msbridge.verify.judge.propagation import includes_next, is_absorbed, users_of
from msbridge.verify.judge.status import Row
from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.pair.forced_runs import Runs
from msbridge.verify.pair.match import Match
from msbridge.verify.record.equality import arrange_like

FLOATING = ("float", "bfloat", "complex")  # beginnings of dtypes; equal indices may hide what is wrong
MAX_STEPS_FOLLOWED = 8  # steps without a counterpart through which a difference is followed


def acquit(rows: Sequence[Row], runs: Runs, outputs: Sequence[Difference]) -> list[Row]:
    """Take back what was suspected of rows whose difference makes no difference in the end.

    Args:
        rows: one for each match of the runs.
        runs: of both networks.
        outputs: the differences of the networks' outputs.
    """
    if runs.free.error is not None or not outputs:
        return list(rows)
    is_right = _is_right(runs, outputs)
    return [
        replace(row, status="noise", acquitted=row.status) if _is_innocent(rows, number, runs, is_right) else row
        for number, row in enumerate(rows)
    ]


def _is_innocent(rows: Sequence[Row], number: int, runs: Runs, is_right: bool) -> bool:
    row, matched = rows[number], runs.matches[number]
    if row.status not in ("differs", "input differs") or matched.torch is None or matched.cell is None:
        return False
    is_operator = matched.cell.layer is None
    if is_operator and (_is_right_here(row) or _ends_soon(rows, runs, matched)):  # a factor taken out of a sum, say
        return True
    if row.status == "input differs":
        is_same_here = row.free is None or row.free.is_noise or not row.free.is_comparable
        return _is_right_here(row) or (is_same_here and _comes_to_nothing(rows, number, is_right))
    if matched.cell.layer is not None:
        return is_right and includes_next(runs.theirs, matched.both[2], runs.teacher_forced_step(matched.cell).outputs)
    if is_right and _layers_agree(rows, number):
        return True
    return is_absorbed(runs.theirs, matched.both[2], runs.teacher_forced_step(matched.cell).outputs)


def _is_right(runs: Runs, outputs: Sequence[Difference]) -> bool:
    """Whether the Cell returns torch's outputs when it runs on its own, perhaps in another layout."""
    pairs = zip(runs.free.outputs, runs.theirs.outputs, strict=False)
    return all(
        one.is_noise or (own.shape != wanted.shape and compare_tensors(arrange_like(own, wanted), wanted).is_noise)
        for one, (own, wanted) in zip(outputs, pairs, strict=False)
    )


def _is_right_here(row: Row) -> bool:
    """Whether the Cell returns the right numbers here when it runs on its own, if not on torch's inputs."""
    one = row.free
    if one is None or not one.is_comparable or one.is_coarser:  # a coarser dtype has more noise
        return False
    return one.is_noise and one.dtype.startswith(FLOATING)


def _ends_soon(rows: Sequence[Row], runs: Runs, one: Match) -> bool:
    """Whether everything that torch makes of a step's outputs is right in the Cell when it runs on its own."""
    places = {match.torch.number: number for number, match in enumerate(runs.matches) if match.torch is not None}
    waiting, seen = [one.torch], 0
    while waiting:
        step = waiting.pop()
        following = list(users_of(runs.theirs, step)) if step is not None else []
        if not following or (seen := seen + 1) > MAX_STEPS_FOLLOWED:
            return False
        for user in following:
            row = rows[places[user.number]] if user.number in places else None
            if row is not None and row.free is not None and row.free.is_comparable and not _is_right_here(row):
                return False
            if row is None or not _is_right_here(row):  # the Cell has no such step
                waiting.append(user)
    return True


def _comes_to_nothing(rows: Sequence[Row], number: int, is_right: bool) -> bool:
    """Whether the rows behind one, up to the next fault, are right when the Cell runs on its own."""
    seen = False
    for row in rows[number + 1 :]:
        if row.status in ("differs", "failed"):
            return seen
        if row.free is not None and not row.free.is_noise:
            return False
        seen = seen or (row.free is not None and row.is_layer)
    return is_right


def _layers_agree(rows: Sequence[Row], number: int) -> bool:
    return all(row.free is None or row.free.is_noise for row in rows[number + 1 :] if row.is_layer)
