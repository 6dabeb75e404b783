"""Recorded layers: measured and judged against what was recorded of another network elsewhere."""

import math
from collections.abc import Mapping

import torch

from msbridge.verify.judge.status import Row, Status, plain_status
from msbridge.verify.measure.difference import Difference, compare_tensors
from msbridge.verify.record.archive import OUTPUT, Arrays, layers_of, read_series
from msbridge.verify.record.trace import Step, Trace

# Another engine computes a layer in another way: the real MindSpore's Softmax on a CPU was seen 10 times as far from
# float64 as torch's (2 units in the last place); a fault is thousands.
OTHER_ENGINE = 4.0


def judge_recorded(
    is_torch: bool, arrays: Arrays, runs: tuple[Trace, Trace, Trace | None], feed: Mapping[int, Step]
) -> list[Row]:
    """Judge all recorded layers: by themselves where they were fed, else by whether an earlier one explains them.

    Args:
        is_torch: whether the network that runs here is the torch module.
        arrays: what was recorded.
        runs: the network's free run, its run on the recorded inputs, and its run in float64.
        feed: number of a step → what was recorded of it.
    """
    free, fed, wide = runs
    judged: list[Row] = []
    is_parted = False
    for depth, step in enumerate(layers_of(free)):
        if step.label not in arrays:
            continue
        far = wide.steps[step.number].outputs[0] if wide else None
        difference = _compare(is_torch, step.outputs[0], arrays[step.label], far).allowing(_noise_factor(depth))
        fed_step, wanted = fed.steps[step.number], feed.get(step.number)
        fed_difference = _measure_fed(is_torch, fed_step, wanted) if wanted is not None and fed_step.is_fed else None
        is_first = fed_difference is None and not difference.is_noise and not is_parted
        status: Status = "differs" if is_first else plain_status(difference, fed_difference)
        seconds = (step.seconds, 0.0) if is_torch else (0.0, step.seconds)
        names = (step.label, step.label, step.kind, step.kind)
        judged.append(
            Row(*names, "name", status, difference, fed_difference, seconds=seconds, paths=((step.path,), (step.path,)))
        )
        is_parted = is_parted or not difference.is_noise
    return judged


def measure_recorded_outputs(is_torch: bool, arrays: Arrays, run: Trace, wide: Trace | None) -> list[Difference]:
    """Compare what the network returns in the end with what was recorded."""
    allowed = _noise_factor(len(layers_of(run)))
    return [
        _compare(is_torch, mine, other, wide.outputs[index] if wide else None).allowing(allowed)
        for index, (mine, other) in enumerate(zip(run.outputs, read_series(arrays, OUTPUT), strict=False))
    ]


def _noise_factor(depth: int) -> float:
    """Return the factor of noise allowed behind so many layers that ran free: errors add up."""
    return math.sqrt(1 + depth)


def _measure_fed(is_torch: bool, fed: Step, recorded: Step) -> Difference:
    far = None
    if fed.again is not None:
        far = fed.again([one.double() if one.is_floating_point() else one for one in recorded.inputs])[0]
    return _compare(is_torch, fed.outputs[0], recorded.outputs[0], far).allowing(OTHER_ENGINE)


def _compare(is_torch: bool, own: torch.Tensor, recorded: torch.Tensor, far: torch.Tensor | None) -> Difference:
    """Compare with the record in place of the Cell, or of torch."""
    return compare_tensors(recorded, own, far) if is_torch else compare_tensors(own, recorded, far)
