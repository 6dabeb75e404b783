"""Matching: which step of the Cell answers to which step of the torch module."""

import bisect
import itertools
import math
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import torch

from msbridge.converters.names.parameter_table import layers
from msbridge.core.runtime.defining_modules import is_own
from msbridge.verify.record.equality import Both, align_shapes, is_close, place_of, same
from msbridge.verify.record.operators import ACTIVATIONS, BINARY, POOLS, PRODUCTS, RESIZES
from msbridge.verify.record.trace import Step, Trace

SAME = 4.0  # what equal values count for, beside a similarity of at most 3.5


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A step of the torch module and the step of the Cell that answers to it; one of them may be missing.

    Attributes:
        torch: torch's step.
        cell: the Cell's.
        by: how they were found to belong together: "weights", "order", "values" when they compute the same in other
            ways; "" when one is missing.
        last: torch's step whose output is the Cell's, where the Cell's layer does the work of several (Dense with an
            activation).
    """

    torch: Step | None
    cell: Step | None
    by: str = ""
    last: Step | None = None

    @property
    def both(self) -> tuple[Step, Step, Step]:
        """Torch's step, the Cell's, and torch's step whose output the Cell's must return.

        Raises:
            ValueError: one is missing.
        """
        if self.torch is None or self.cell is None:
            raise ValueError("the match has one side only.")
        return self.torch, self.cell, self.last or self.torch

    @property
    def end(self) -> Step | None:
        """Torch's step whose output the Cell's step must return."""
        return self.last or self.torch


def outputs(one: Match, trace: Trace) -> list[Both]:
    """Pair the Cell's outputs of a matched step in a run with torch's that can be compared with them."""
    _, other, end = one.both
    own = trace.steps[other.number].outputs if other.number < len(trace.steps) else []
    return [align_shapes(mine, wanted) for mine, wanted in zip(own, end.outputs, strict=False)]


def arriving(ours: Sequence[torch.Tensor], wanted: Sequence[torch.Tensor]) -> list[Both]:
    """Pair what a step of the Cell gets with what torch's gets; the order of two does not count here."""
    pairs = [align_shapes(a, b) for a, b in zip(ours, wanted, strict=False)]
    if len(ours) == len(wanted) == 2 and not same(*pairs[0]):
        turned = [align_shapes(a, b) for a, b in zip(ours, reversed(wanted), strict=False)]
        if all(same(*pair) for pair in turned):
            return turned
    return pairs


def match(
    theirs: Sequence[Step],
    ours: Sequence[Step],
    owners: Mapping[str, str],
    apart: tuple[Set[str], Set[str]] = (frozenset(), frozenset()),
    by_value: bool = False,
) -> list[Match]:
    """Match the steps of two runs, in the order of torch's.

    Args:
        theirs: torch's steps.
        ours: the Cell's.
        owners: path of a torch layer → path of the Cell's layer with the same weights.
        apart: paths of torch's and of the Cell's layers that no single layer of the other side answers to.
        by_value: whether steps of the same answer to each other before others of any kind: for a run of
            the Cell whose layers with weights got torch's inputs.
    """
    marks = {id(step): _mark(step) for step in (*theirs, *ours)} if by_value else {}
    anchors = _anchors(theirs, ours, owners)
    chain = _rising(anchors)
    pairs = dict(anchors)
    taken = set(pairs.values())
    held = {number for t, c in anchors for number in _find_covered_steps(theirs, ours[c], t, pairs)}
    borders = [(-1, -1), *chain, (len(theirs), len(ours))]
    by_order: dict[int, int] = {}
    by_values: dict[int, int] = {}
    for (t0, c0), (t1, c1) in itertools.pairwise(borders):
        left = [number for number in range(t0 + 1, t1) if number not in pairs and number not in held]
        left = [number for number in left if theirs[number].path not in apart[0]]
        right = [number for number in range(c0 + 1, c1) if number not in taken and ours[number].path not in apart[1]]
        for i, j, is_other in _align([theirs[n] for n in left], [ours[n] for n in right], marks):
            (by_values if is_other else by_order)[left[i]] = right[j]
    groups = {"weights": pairs, "order": by_order, "values": by_values}
    matches = [Match(theirs[t], ours[c], by) for by, group in groups.items() for t, c in group.items()]
    used = {one.torch.number for one in matches if one.torch}, {one.cell.number for one in matches if one.cell}
    unmatched = [Match(step, None) for step in theirs if step.number not in used[0]]
    unmatched += [Match(None, step) for step in ours if step.number not in used[1]]
    return _merge(_sort(matches, unmatched))


def similar(mine: Step, other: Step) -> float:
    """Return the similarity of two steps without weights; 0 when they do not correspond."""
    same_shape = mine.shape == other.shape
    name = mine.path.rpartition(".")[2]
    bonus = 0.5 if mine.layer is not None and other.layer is not None and name == other.path.rpartition(".")[2] else 0.0
    if mine.computes != other.computes or not mine.computes:
        if answers(mine, other) and (mine.computes or other.computes):
            return (2.0 if same_shape or other.shape is None else 1.6) + bonus
        kin = _family(mine) is not None and _family(mine) == _family(other)
        return (1.5 if kin else 1.0) + bonus if same_shape and (kin or bonus) else 0.0
    if same_shape:
        alike = mine.layer is not None or other.layer is not None or len(mine.inputs) == len(other.inputs)
        return (3.0 if alike else 2.0) + bonus
    both = mine.shape is not None and other.shape is not None and len(mine.shape) == len(other.shape)
    return 1.6 + bonus if both or other.shape is None else 0.8


def is_of_library(step: Step) -> bool:
    """Whether a step is a layer that torch or msbridge brings."""
    kind = type(step.layer)
    return step.layer is not None and (is_own(kind) or kind.__module__.startswith("torch.nn."))


def answers(mine: Step, other: Step) -> bool:
    """Whether the Cell's class is the one that answers to torch's."""
    if mine.layer is None or other.layer is None:
        return False
    row = layers().get(f"torch.nn.{mine.kind}")
    wanted = row.cell.rpartition(".")[2] if row else mine.kind
    return other.kind in (wanted, mine.kind)


def _family(step: Step) -> str | None:
    """Name the kind of work a step does, so that a wrong choice within it is seen as such."""
    names = step.computes
    if not names:
        return None
    if len(names) == 1 and names[0] in ACTIVATIONS:
        return "activation"
    if len(names) <= 2 and any(name.startswith(POOLS) for name in names):
        return "pooling"
    if any(name.startswith(RESIZES) for name in names):
        return "resize"
    if len(names) == 1 and names[0] in BINARY:
        return "arithmetic" if step.layer is None else None
    return "product" if len(names) == 1 and names[0] in PRODUCTS else None


def _anchors(theirs: Sequence[Step], ours: Sequence[Step], owners: Mapping[str, str]) -> list[tuple[int, int]]:
    calls = {(step.path, step.call): step.number for step in ours if step.layer is not None}
    anchors = []
    for step in theirs:
        if step.layer is not None and step.path in owners:
            number = calls.pop((owners[step.path], step.call), None)
            if number is not None:
                anchors.append((step.number, number))
    return anchors


def _find_covered_steps(theirs: Sequence[Step], other: Step, number: int, taken: Container[int]) -> list[int]:
    """Return those of torch's steps behind one whose work the Cell's layer does too (Dense with an activation)."""
    done, wanted = theirs[number].computes, other.computes
    for follower in theirs[number + 1 :] if len(wanted) > len(done) else ():
        done += follower.computes
        if follower.number in taken or done != wanted[: len(done)]:
            break
        if done == wanted:
            return list(range(number + 1, follower.number + 1))
    return []


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs in which both sides rise."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, number) in enumerate(pairs):
        place = bisect.bisect_left(tails, number)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            ends.append(index)
        else:
            tails[place], ends[place] = number, index
    chain = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _align(
    left: Sequence[Step], right: Sequence[Step], marks: Mapping[int, float | None]
) -> list[tuple[int, int, bool]]:
    """Align two short sequences of steps so that the sum of their similarities is greatest.

    Returns:
        Numbers of steps that answer to each other, and whether only their values say so.
    """
    if not left or not right:
        return []
    alike = [[similar(mine, other) for other in right] for mine in left]
    same = [[_gave_the_same(mine, other, marks) for other in right] for mine in left]
    score = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            both = alike[i][j] + SAME * same[i][j]
            score[i][j] = max(score[i + 1][j], score[i][j + 1], score[i + 1][j + 1] + both if both else 0.0)
    aligned, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        both = alike[i][j] + SAME * same[i][j]
        if both and score[i][j] == score[i + 1][j + 1] + both:
            aligned.append((i, j, not alike[i][j]))
            i, j = i + 1, j + 1
        elif score[i][j] == score[i + 1][j]:
            i += 1
        else:
            j += 1
    other_ways = {
        i for (i, j, _), (i1, j1, _) in itertools.pairwise(aligned)
        if same[i1][j1] and not same[i][j] and left[i].computes != right[j].computes and _reads(left[i1], left[i])
    }  # steps on the way to the same values by another formula  # fmt: skip
    return [one for one in aligned if one[0] not in other_ways]


def _reads(user: Step, giver: Step) -> bool:
    return bool({place_of(one) for one in user.inputs} & {place_of(one) for one in giver.outputs})


def _mark(step: Step) -> float | None:
    """Return a number that steps with the same output share, nearly; None for steps that compute nothing."""
    if not step.outputs or not step.computes or step.outputs[0].is_complex():
        return None
    return step.outputs[0].double().abs().nan_to_num(1.0, 1.0, 1.0).sum().item()


def _gave_the_same(mine: Step, other: Step, marks: Mapping[int, float | None]) -> bool:
    first, two = marks.get(id(mine)), marks.get(id(other))
    if first is None or two is None:
        return False
    wanted, ours = mine.outputs[0], other.outputs[0]
    coarse = max([torch.finfo(part.dtype).eps for part in (wanted, ours) if part.is_floating_point()], default=0.0)
    if not math.isclose(first, two, rel_tol=max(1e-3, 4 * coarse), abs_tol=1e-30):
        return False
    same_kind = (wanted.dtype is torch.bool) == (ours.dtype is torch.bool)
    return same_kind and wanted.numel() == ours.numel() and is_close(ours.reshape(wanted.shape), wanted)


def _sort(matches: list[Match], unmatched: list[Match]) -> list[Match]:
    """Put steps without a counterpart between those around them."""
    matches.sort(key=lambda one: one.torch.number if one.torch else -1)
    keyed = [((one.torch.number, 1, 0), one) for one in matches if one.torch]
    by_cell = sorted((one.cell.number, one.torch.number) for one in matches if one.cell and one.torch)
    numbers = [cell for cell, _ in by_cell]
    for match in unmatched:
        if match.torch is not None:
            keyed.append(((match.torch.number, 1, 0), match))
        elif match.cell is not None:
            place = bisect.bisect_left(numbers, match.cell.number)
            after = by_cell[place - 1][1] if place else -1
            keyed.append(((after, 2, match.cell.number), match))
    keyed.sort(key=lambda pair: pair[0])
    return [one for _, one in keyed]


def _merge(matches: Sequence[Match]) -> list[Match]:
    """Let a Cell's layer answer to several of torch's steps where it does the work of all of them."""
    merged = list(matches)
    for index, match in enumerate(matches):
        if match.torch is None or match.cell is None or len(match.cell.computes) <= len(match.torch.computes):
            continue
        done = match.torch.computes
        for behind, follower in enumerate(matches[index + 1 :], index + 1):
            if follower.cell is not None or follower.torch is None:
                break
            done += follower.torch.computes
            if done == match.cell.computes:
                merged[index] = replace(match, last=follower.torch)
                merged[behind] = replace(follower, by="merged")
                break
    return merged
