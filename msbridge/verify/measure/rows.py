"""Rows: a matched step measured in its free and its fed run, and judged."""

import contextlib
import math
from collections.abc import Mapping, Sequence

import torch

from msbridge.verify.measure.difference import Difference, compare_tensors, same
from msbridge.verify.measure.relations import laid_as
from msbridge.verify.measure.settings import disagreements
from msbridge.verify.pair.match import Match
from msbridge.verify.record.trace import Step, Trace
from msbridge.verify.report.comparison import Row

Both = tuple[torch.Tensor, torch.Tensor]  # the Cell's and torch's


def row_of(one: Match) -> Row:
    """Make the row of a match, with names and settings but no differences yet."""
    mine, other = one.torch, one.cell
    row = Row(
        mine.label if mine else "", other.label if other else "", mine.kind if mine else "", other.kind if other else ""
    )
    row.by = one.by if mine and other else ""
    row.seconds = mine.seconds if mine else 0.0, other.seconds if other else 0.0
    row.is_layer = any(step is not None and step.layer is not None for step in (mine, other))
    if mine and other:
        row.settings = disagreements(mine, other)
    return row


def all_equal(matches: Sequence[Match], free: Trace, theirs: Trace) -> bool:
    """Whether a Cell that ran on its own gave the same bits as torch, in every matched step and in the end."""
    if free.error is not None or len(free.outputs) != len(theirs.outputs):
        return False
    pairs = [pair for one in matches if one.torch and one.cell for pair in _outputs(one, free)]
    return all(same(*pair) for pair in [*zip(free.outputs, theirs.outputs, strict=True), *pairs])


def equal(one: Match) -> Difference | None:
    """Give the difference of a step whose outputs are equal; None where it has none."""
    for first in one.both[1].outputs[:1]:
        kind = str(first.dtype).removeprefix("torch.")
        return Difference(tuple(first.shape), kind, kind, is_equal=True)
    return None


def fill(one: Match, row: Row, free: Trace, fed: Trace, wide: Mapping[int, Step]) -> None:
    """Fill the differences of a row: the worst of its tensors counts."""
    mine, other, end = one.both
    far = wide[end.number].outputs if end.number in wide else []
    arriving = fed.steps[other.number].inputs if other.number < len(fed.steps) else []
    row.arriving = _worst(arriving_pairs(arriving, mine.inputs), [])
    pairs = _outputs(one, fed)
    near: list[torch.Tensor] = []
    if one.last is None and mine.again is not None and not all(same(*pair) for pair in pairs):
        with contextlib.suppress(Exception):  # a layer without float64 is judged by its rounding unit
            near = mine.again([_doubled(part, own) for part, own in _padded(mine.inputs, arriving)])
    if near and row.arriving is not None and row.arriving.is_coarser:  # torch on the same rounded inputs
        pairs = [(own, ref.to(wanted.dtype)) for (own, wanted), ref in zip(pairs, near, strict=False)]
    row.fed = _worst(pairs, near or (far if one.last else []))
    is_right = row.fed is not None and row.fed.is_equal  # then what differs in the free run came from before
    row.free = _worst(_outputs(one, free), far, is_rough=is_right)


def _outputs(one: Match, trace: Trace) -> list[Both]:
    """Pair the Cell's outputs of a step with torch's that can be compared with them."""
    _, other, end = one.both
    own = trace.steps[other.number].outputs if other.number < len(trace.steps) else []
    return [_levelled(mine, wanted) for mine, wanted in zip(own, end.outputs, strict=False)]


def _levelled(own: torch.Tensor, wanted: torch.Tensor) -> Both:
    """Give two tensors of as many elements the same shape, and two masks the same form."""
    if own.dtype is torch.bool and wanted.is_floating_point() and set(wanted.unique().tolist()) <= {0.0, -math.inf}:
        wanted = wanted.isinf()
    return laid_as(own, wanted), wanted


def _padded(theirs: Sequence[torch.Tensor], ours: Sequence[torch.Tensor]) -> list[Both]:
    """Pair torch's inputs with the Cell's, and with themselves where the Cell has not as many."""
    return [(one, ours[index] if len(ours) == len(theirs) else one) for index, one in enumerate(theirs)]


def _doubled(part: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Give torch's input in float64, rounded as the Cell's was."""
    if not part.is_floating_point():
        return part.clone()
    return part.to(own.dtype).double() if own.is_floating_point() else part.double()


def arriving_pairs(own: Sequence[torch.Tensor], wanted: Sequence[torch.Tensor]) -> list[Both]:
    """Pair what a step of the Cell gets with what torch's gets; the order of two does not count here."""
    pairs = [_levelled(a, b) for a, b in zip(own, wanted, strict=False)]
    if len(own) == len(wanted) == 2 and not same(*pairs[0]):
        turned = [_levelled(a, b) for a, b in zip(own, reversed(wanted), strict=False)]
        if all(same(*pair) for pair in turned):
            return turned
    return pairs


def _worst(pairs: Sequence[Both], references: Sequence[torch.Tensor], is_rough: bool = False) -> Difference | None:
    found = [
        compare_tensors(own, wanted, references[index] if index < len(references) else None, is_rough)
        for index, (own, wanted) in enumerate(pairs)
    ]
    return max(found, key=lambda one: (bool(one.problem), not one.is_noise, one.noise_ratio), default=None)


def judge(one: Match, row: Row, other_precision: bool) -> None:
    """Set the status of a row from its differences."""
    if one.torch is None or one.cell is None:
        idle = one.by == "merged" or not any(step.computes for step in (one.torch, one.cell) if step is not None)
        row.status = "idle" if idle else "missing" if one.torch is not None else "extra"
    elif row.fed is None and one.end is not None and one.end.outputs:
        row.status = "failed"
    elif row.arriving is not None and not arrives(row.arriving) and not _makes_up(one, row):
        row.status = "input differs"
    elif row.fed is not None and (not row.fed.is_noise or (row.fed.is_coarser and not other_precision)):
        row.status = "differs"
    elif row.free is not None and not row.free.is_noise:
        row.status = "inherited"
    elif row.free is not None and row.fed is not None and not (row.free.is_equal and row.fed.is_equal):
        row.status = "noise"


def _makes_up(one: Match, row: Row) -> bool:
    """Whether an operator gives the right thing of other inputs: 1 - x and -(x - 1)."""
    return (one.both[1].layer is None or one.by == "values") and row.fed is not None and row.fed.is_noise


def arrives(arriving: Difference) -> bool:
    """Whether an input is right up to the rounding of what stands unmatched before it."""
    return arriving.is_equal or (not arriving.problem and arriving.noise_ratio <= 20 and arriving.peak_ratio <= 80)
