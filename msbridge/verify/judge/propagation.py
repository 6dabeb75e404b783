"""Absorbed differences: whether torch's own next steps return the same of what a step of the Cell returns.

A softmax does, of scores that were masked with another huge constant; a ReLU does, of what a ReLU returned.
"""

from collections.abc import Iterator, Sequence

import torch

from msbridge.verify.measure.difference import compare_tensors
from msbridge.verify.record.equality import place_of
from msbridge.verify.record.trace import Step, Trace

MAX_STEPS_BEHIND = 3  # steps behind it


def is_absorbed(theirs: Trace, step: Step, outputs: Sequence[torch.Tensor]) -> bool:
    """Whether what follows one of torch's steps returns the same when other outputs represent the step's own."""
    changed: list[tuple[Step, Sequence[torch.Tensor]]] = [(step, outputs)]
    for _ in range(MAX_STEPS_BEHIND):
        still: list[tuple[Step, Sequence[torch.Tensor]]] = []
        for giver, given in changed:
            readers = list(users_of(theirs, giver))
            if not readers or len(given) != len(giver.outputs):
                return False
            for user in readers:
                repeated = _run_again(user, giver, given)
                if repeated is None:
                    return False
                if not all(
                    compare_tensors(own, wanted, wanted.double()).is_noise
                    for own, wanted in zip(repeated, user.outputs, strict=True)
                ):
                    still.append((user, repeated))
        if not still:
            return True
        changed = still
    return False


def includes_next(theirs: Trace, step: Step, outputs: Sequence[torch.Tensor]) -> bool:
    """Whether outputs that represent those of one of torch's steps are what its next steps make of them already.

    A Dense(activation="relu") before another ReLU returns such outputs.
    """
    readers = list(users_of(theirs, step))
    return bool(readers) and all(_gives(user, outputs) for user in readers) and is_absorbed(theirs, step, outputs)


def _gives(step: Step, outputs: Sequence[torch.Tensor]) -> bool:
    """Whether a step's outputs are these, but for noise."""
    return len(step.outputs) == len(outputs) and all(
        own.shape == wanted.shape and compare_tensors(own, wanted, wanted.double()).is_noise
        for own, wanted in zip(outputs, step.outputs, strict=True)
    )


def users_of(theirs: Trace, giver: Step) -> Iterator[Step]:
    """Yield torch's steps that read a step's outputs; copies in between hide them."""
    places = {place_of(one) for one in giver.outputs}
    for step in theirs.steps[giver.number + 1 :]:
        if any(place_of(one) in places for one in step.inputs):
            yield step


def _run_again(user: Step, giver: Step, given: Sequence[torch.Tensor]) -> list[torch.Tensor] | None:
    """Run one of torch's operators on other outputs of the step before it."""
    if user.layer is not None or user.again is None:
        return None
    inputs = list(user.inputs)
    for wanted, other in zip(giver.outputs, given, strict=True):
        if other.numel() != wanted.numel():
            return None
        laid = torch.empty_strided(wanted.shape, wanted.stride(), dtype=wanted.dtype, device=wanted.device)
        laid.copy_(other.reshape(wanted.shape))
        for index, part in enumerate(user.inputs):
            if place_of(part) == place_of(wanted):
                offset = part.storage_offset() - wanted.storage_offset()
                inputs[index] = laid.as_strided(part.shape, part.stride(), offset)
    try:
        found = user.again(inputs)
    except (RuntimeError, TypeError, ValueError):
        return None
    return found if len(found) == len(user.outputs) else None
