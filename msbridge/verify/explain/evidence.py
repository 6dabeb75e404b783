"""Evidence: all that is known of both runs (`Scene`), and the step that is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msbridge.verify.explain.findings import Finding
from msbridge.verify.explain.lookup import Outputs
from msbridge.verify.judge.status import Row
from msbridge.verify.pair.forced_runs import Runs
from msbridge.verify.pair.match import Match, arriving
from msbridge.verify.pair.weights import Weights
from msbridge.verify.record.equality import Both, is_close, same
from msbridge.verify.record.trace import Operation, Step


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All that is known of both runs."""

    runs: Runs  # what was recorded
    weights: Weights  # of both networks
    wrong: Mapping[str, Finding]  # the Cell's name of a weight that is not torch's → what is wrong with it
    known: Outputs  # torch's outputs, found by their values

    def step(self, index: int, row: Row) -> "StepCase":
        """Return a match as a case, with the Cell's step as it ran on torch's values."""
        one = self.runs.matches[index]
        cell = None if one.cell is None else self.runs.teacher_forced_step(one.cell)
        return StepCase(self, index, row, Match(one.torch, cell, one.by, one.last))

    def moves_before(self, step: Step | None, of_cell: bool) -> list[Operation]:
        """Return the operations that only moved or made data just before a step of the Cell or of torch, or the end."""
        trace = self.runs.fed if of_cell else self.runs.theirs
        at = step.number if step is not None else len(trace.steps)
        return [move for number, move in trace.moves if number == at]


@dataclass(frozen=True, slots=True, eq=False)
class StepCase:
    """A row that has to be explained."""

    scene: Scene  # both runs
    index: int  # of the row
    row: Row  # what was measured
    match: Match  # torch's step, and the Cell's as it ran on torch's values

    @property
    def mine(self) -> Step:
        """Torch's step."""
        return self.match.both[0]

    @property
    def other(self) -> Step:
        """The Cell's step."""
        return self.match.both[1]

    @property
    def operations(self) -> Sequence[Operation]:
        """The operators that torch ran to return what the Cell's step must return."""
        last = self.match.last
        return [*self.mine.operations, *(last.operations if last else ())]

    @property
    def first_unequal(self) -> Both | None:
        """The first input that differs, the Cell's and torch's."""
        if self.match.torch is None or self.match.cell is None:
            return None
        pairs = arriving(self.other.inputs, self.mine.inputs)
        unequal = [pair for pair in pairs if not same(*pair)]
        return next((pair for pair in unequal if not is_close(*pair)), unequal[0] if unequal else None)
