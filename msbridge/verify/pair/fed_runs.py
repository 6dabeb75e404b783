"""Fed runs: both networks recorded, their steps matched, and the Cell once more on torch's values."""

from collections.abc import Sequence
from dataclasses import dataclass

from msbridge.verify.measure.relations import laid_as
from msbridge.verify.measure.rows import all_equal, equal, fill, judge, row_of
from msbridge.verify.pair.match import Match, match
from msbridge.verify.record.arguments import Arguments
from msbridge.verify.record.running import Runner, stopped
from msbridge.verify.record.trace import Network, Step, Trace
from msbridge.verify.report.comparison import Comparison, Row

ROUNDS = 8  # how often a Cell that stops with an error is led past it


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """What was recorded of both networks.

    Attributes:
        theirs: torch's run.
        free: the Cell's run on its own.
        fed: the Cell's run on torch's values.
        matches: which steps answer to each other.
        is_equal: whether every step of the Cell gave torch's bits on its own.
    """

    theirs: Trace
    free: Trace
    fed: Trace
    matches: list[Match]
    is_equal: bool

    def rows(self, far: Trace | None, other_precision: bool) -> list[Row]:
        """Measure and judge every match, against torch's run in float64 where there is one."""
        rows = [row_of(one) for one in self.matches]
        wide = {step.number: step for step in far.steps} if far else {}
        for one, row in zip(self.matches, rows, strict=True):
            if one.torch is not None and one.cell is not None:
                if self.is_equal:
                    row.free = row.fed = row.arriving = equal(one)
                else:
                    fill(one, row, self.free, self.fed, wide)
            judge(one, row, other_precision)
        return rows


def run_both(found: Comparison, module: Network, cell: Network, given: Arguments, seed: int) -> Runs:
    """Record both networks, match their steps, and run the Cell on torch's values.

    Raises:
        Exception: what torch's module raised.
    """
    run = Runner(found, given, seed)
    theirs = run("torch", module)
    if theirs.error is not None:
        raise stopped(module, theirs, given)
    free = run("cell", cell)
    owners, joins = found.weights.layers, found.weights.joins
    apart = {path for mine, _ in joins for path in mine}, {path for _, ours in joins for path in ours}
    matches = match(theirs.steps, free.steps, owners, apart)
    is_equal = all_equal(matches, free, theirs)  # then every layer got torch's inputs as it was
    if not is_equal and any(_is_alone(one) for one in matches):  # right layers tell which operators are the same
        probe = run("fed", cell, _feed([one for one in matches if one.by == "weights"], free.error is None))
        matches = match(theirs.steps, probe.steps, owners, apart, by_value=True)
    fed = free if is_equal else run("fed", cell, _feed(matches, free.error is None))
    if fed.error is not None and free.error is None:  # what was handed on does not fit: some steps are of other sizes
        fed = run("fed", cell, _feed([one for one in matches if _is_as_large(one)], True))
    for _ in range(ROUNDS):  # past an error, the fed run goes further than the free one
        if free.error is None or len(fed.steps) <= sum(one.cell is not None for one in matches):
            break
        matches = match(theirs.steps, fed.steps, owners, apart, by_value=True)
        fed = run("fed", cell, _feed(matches))
    return Runs(theirs, free, fed, matches, is_equal)


def _is_alone(one: Match) -> bool:
    """Whether a step that computes something has no counterpart."""
    step = one.torch if one.cell is None else one.cell if one.torch is None else None
    return step is not None and one.by != "merged" and bool(step.computes)


def _is_as_large(one: Match) -> bool:
    """Whether both steps give as many elements."""
    sides = [step.outputs if step is not None else [] for step in (one.cell, one.end)]
    return [part.numel() for part in sides[0]] == [part.numel() for part in sides[1]]


def _feed(matches: Sequence[Match], is_whole: bool = False) -> dict[int, Step]:
    """Say what each step of the Cell gets and hands on instead of its own.

    Args:
        matches: which step answers to which.
        is_whole: whether the Cell runs to its end on its own: then what it hands on keeps the shape that it has there.
    """
    feed = {}
    for one in matches:
        if one.torch is not None and one.cell is not None and one.end is not None:
            outputs = list(one.end.outputs)
            if is_whole and len(outputs) == len(one.cell.outputs):
                outputs = [laid_as(*pair) for pair in zip(outputs, one.cell.outputs, strict=True)]
            feed[one.cell.number] = Step(one.torch.number, "", "", inputs=one.torch.inputs, outputs=outputs)
    return feed
