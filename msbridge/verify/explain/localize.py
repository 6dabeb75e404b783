"""Localization: the steps without a counterpart that made what arrives at a step."""

from collections.abc import Iterable

import torch

from msbridge.verify.explain.evidence import Scene
from msbridge.verify.pair.match import Match, arriving
from msbridge.verify.record.equality import Both, is_close, place_of
from msbridge.verify.record.trace import Step

LOOKUPS = frozenset({"gather", "index", "index_select", "scatter", "sort"})


def to_blame(scene: Scene, index: int, matched: Match | None) -> tuple[list[Step], list[Step]]:
    """Return torch's and the Cell's steps without counterpart that made what arrives at a step."""
    pairs = _unequal_inputs(scene, matched)
    sides = []
    for side, data in enumerate(zip(*pairs, strict=True) if pairs else ((), ())):
        number = (
            (matched.cell.number if side == 0 else matched.torch.number)
            if matched and matched.torch and matched.cell
            else None
        )
        chain, is_whole = _chain(scene, side, data, number)
        sides.append(chain if chain or is_whole else _find_unmatched_before(scene, index)[1 - side])
    added, lacking = sides
    return _telling(lacking, [step for step in added if not _is_known(scene, step)])


def _telling(lacking: list[Step], added: list[Step]) -> tuple[list[Step], list[Step]]:
    """Leave out what only looks things up, where something computes."""
    sides = [[step for step in side if not LOOKUPS.issuperset(step.computes)] for side in (lacking, added)]
    return (sides[0], sides[1]) if any(sides) else (lacking, added)


def _is_known(scene: Scene, step: Step) -> bool:
    """Whether a step of the Cell only returns what some step of torch returns too."""
    return bool(step.outputs) and all(scene.known.have(own) for own in step.outputs)


def _unequal_inputs(scene: Scene, matched: Match | None) -> list[Both]:
    if matched is None:
        pairs = list(zip(scene.runs.fed.outputs, scene.runs.theirs.outputs, strict=False))
    elif matched.torch is None or matched.cell is None:
        return []
    else:
        pairs = arriving(matched.cell.inputs, matched.torch.inputs)
    return [(own, wanted) for own, wanted in pairs if not is_close(own, wanted)]


def _chain(scene: Scene, side: int, data: Iterable[torch.Tensor], end: int | None) -> tuple[list[Step], bool]:
    """Follow tensors back to the steps without counterpart that made them, up to matched ones.

    Returns:
        The steps, in order, and whether every tensor's origin was found (copies in between hide it).
    """
    makers, known = _makers(scene, side)
    followed: dict[int, Step] = {}
    is_whole = True
    waiting = [(tensor, end if end is not None else 1 << 60) for tensor in data]
    while waiting:
        tensor, limit = waiting.pop()
        place = place_of(tensor)
        before = [(step, is_extra) for step, is_extra in makers.get(place, ()) if step.number < limit]
        if not before:
            is_whole = is_whole and place in known
            continue
        step, is_extra = before[-1]
        if is_extra and step.number not in followed:
            followed[step.number] = step
            waiting += [(part, step.number) for part in step.inputs]
    steps = [followed[number] for number in sorted(followed)]
    return [step for step in steps if step.computes or step.is_random], is_whole


def _makers(scene: Scene, side: int) -> tuple[dict[int, list[tuple[Step, bool]]], set[int]]:
    """Return, by memory, the steps of the Cell (side 0) or of torch that wrote there, and which are unmatched."""
    makers: dict[int, list[tuple[Step, bool]]] = {}
    known: set[int] = set()
    for matched in sorted(scene.runs.matches, key=lambda one: _number(one, side)):
        step, is_extra = (matched.cell, matched.torch is None) if side == 0 else (matched.torch, matched.cell is None)
        if step is None or (side == 0 and step.number >= len(scene.runs.fed.steps)):  # behind where the Cell stops
            continue
        if side == 0:
            step = scene.runs.fed.steps[step.number]
        is_extra = is_extra and matched.by != "merged"
        outputs = [
            *step.outputs,
            *(matched.end.outputs if side == 0 and matched.end is not None and not is_extra else ()),
        ]
        for tensor in outputs:
            makers.setdefault(place_of(tensor), []).append((step, is_extra))
        if not is_extra:
            known.update(place_of(tensor) for tensor in outputs)
    return makers, known


def _number(one: Match, side: int) -> int:
    step = one.cell if side == 0 else one.torch
    return step.number if step is not None else -1


def _find_unmatched_before(scene: Scene, index: int) -> tuple[list[Step], list[Step]]:
    """Return torch's and the Cell's steps without counterpart just before a row, those that compute something."""
    lacking: list[Step] = []
    added: list[Step] = []
    for matched in reversed(scene.runs.matches[:index]):
        if matched.by == "merged":
            continue
        if matched.torch is not None and matched.cell is not None:
            if (lacking or added) and (matched.torch.computes or matched.cell.computes):
                break
            continue
        if matched.torch is not None and matched.torch.computes:
            lacking.insert(0, matched.torch)
        elif matched.cell is not None and (matched.cell.computes or matched.cell.is_random):
            added.insert(0, matched.cell)
    return lacking, added
