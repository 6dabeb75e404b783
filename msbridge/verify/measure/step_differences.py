"""Rows: every matched step, measured in its free and its fed run."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.measure.settings import Disagreement, disagreements
from msbridge.verify.pair.forced_runs import Runs
from msbridge.verify.pair.match import Match, arriving, outputs
from msbridge.verify.record.equality import Both, same
from msbridge.verify.record.trace import Step, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A match with its differences."""

    match: Match  # the steps
    settings: tuple[Disagreement, ...] = ()  # what the two layers were built with, where it differs
    free: Difference | None = None  # the difference when each network runs on its own
    fed: Difference | None = None  # the difference when the Cell's layer gets torch's input
    arriving: Difference | None = None  # the difference of that input, when all layers before returned torch's outputs


def measure_rows(runs: Runs, far: Trace | None) -> list[Measured]:
    """Measure every match, against torch's run in float64 where there is one."""
    wide = {step.number: step for step in far.steps} if far else {}
    return [_measure_match(one, runs, wide) for one in runs.matches]


def measure_outputs(runs: Runs, far: Trace | None) -> tuple[Difference, ...]:
    """Compare what both networks return in the end when each runs on its own."""
    return tuple(
        compare_tensors(own, wanted, far.outputs[index] if far else None)
        for index, (own, wanted) in enumerate(zip(runs.free.outputs, runs.theirs.outputs, strict=False))
    )


def _measure_match(matched: Match, runs: Runs, wide: Mapping[int, Step]) -> Measured:
    if matched.torch is None or matched.cell is None:
        return Measured(matched)
    settings = tuple(disagreements(matched.torch, matched.cell))
    differences = (_equal(matched),) * 3 if runs.is_equal else _differences(matched, runs, wide)
    return Measured(matched, settings, *differences)


def _equal(one: Match) -> Difference | None:
    """Return the difference of a step whose outputs are equal; None where it has none."""
    for first in one.both[1].outputs[:1]:
        kind = str(first.dtype).removeprefix("torch.")
        return Difference(tuple(first.shape), kind, kind, is_equal=True)
    return None


def _differences(
    matched: Match, runs: Runs, wide: Mapping[int, Step]
) -> tuple[Difference | None, Difference | None, Difference | None]:
    """Return the free, the fed and the arriving difference: the worst of a step's tensors counts."""
    mine, other, end = matched.both
    far = wide[end.number].outputs if end.number in wide else ()
    given = runs.fed.steps[other.number].inputs if other.number < len(runs.fed.steps) else ()
    coming = _worst(arriving(given, mine.inputs))
    pairs = outputs(matched, runs.fed)
    near: Sequence[torch.Tensor] = ()
    if matched.last is None and mine.again is not None and not all(same(*pair) for pair in pairs):
        with contextlib.suppress(Exception):  # a layer without float64 is judged by its rounding unit
            near = mine.again([_to_double(part, own) for part, own in _pair_inputs(mine.inputs, given)])
    if near and coming is not None and coming.is_coarser:  # torch on the same rounded inputs
        pairs = [(own, ref.to(wanted.dtype)) for (own, wanted), ref in zip(pairs, near, strict=False)]
    fed = _worst(pairs, near or (far if matched.last else ()))
    is_right = fed is not None and fed.is_equal  # then what differs in the free run came from before
    return _worst(outputs(matched, runs.free), far, is_rough=is_right), fed, coming


def _pair_inputs(theirs: Sequence[torch.Tensor], ours: Sequence[torch.Tensor]) -> list[Both]:
    """Pair torch's inputs with the Cell's, and with themselves where the Cell has not as many."""
    return [(one, ours[index] if len(ours) == len(theirs) else one) for index, one in enumerate(theirs)]


def _to_double(part: torch.Tensor, ours: torch.Tensor) -> torch.Tensor:
    """Return torch's input in float64, rounded as the Cell's was."""
    if not part.is_floating_point():
        return part.clone()
    return part.to(ours.dtype).double() if ours.is_floating_point() else part.double()


def _worst(pairs: Sequence[Both], references: Sequence[torch.Tensor] = (), is_rough: bool = False) -> Difference | None:
    differences = [
        compare_tensors(own, wanted, references[index] if index < len(references) else None, is_rough)
        for index, (own, wanted) in enumerate(pairs)
    ]
    return max(differences, key=lambda one: (not one.is_comparable, not one.is_noise, one.noise_ratio), default=None)
