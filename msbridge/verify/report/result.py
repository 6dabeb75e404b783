"""Results of a comparison: rows, findings, verdict. The files of this room show it, each in its own form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msbridge.verify.explain.findings import Finding
from msbridge.verify.judge.status import Row
from msbridge.verify.measure.difference import Difference
from msbridge.verify.pair.weights import Weights
from msbridge.verify.record.arguments import Input


@dataclass(frozen=True, slots=True)
class Result:
    """A torch module and a Cell, side by side.

    Attributes:
        torch: class of the torch module.
        cell: class of the Cell.
        rows: layers and operators, in the order of torch's calls.
        outputs: differences of the networks' outputs.
        findings: faults in the order of the calls, each with its likely cause.
        notes: what differs without changing these outputs.
        weights: what was converted or checked.
        wrong_weights: the Cell's name of a weight that is not torch's → what is wrong with it.
        structure: for "torch" and "cell": (path, class, whether it or something in it was matched) of every part.
        gradients: name of a tensor → difference of its gradient.
        training: what N steps of training returned: differences by name.
        inputs: what the networks were given.
        environment: versions and flags.
        seconds: what took how long; "torch forward" and "cell forward" without recording.
        sizes: "torch" and "cell" → how many values their parameters hold.
        command: how to repeat it.
    """

    torch: str
    cell: str
    rows: Sequence[Row] = ()
    outputs: Sequence[Difference] = ()
    findings: Sequence[Finding] = ()
    notes: Sequence[Finding] = ()
    weights: Weights = field(default_factory=Weights)
    wrong_weights: Mapping[str, Finding] = field(default_factory=dict)
    structure: Mapping[str, Sequence[tuple[str, str, bool]]] = field(default_factory=dict)
    gradients: Mapping[str, Difference] = field(default_factory=dict)
    training: Mapping[str, Difference] = field(default_factory=dict)
    inputs: Sequence[Input] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    command: str = ""

    @property
    def first(self) -> Finding | None:
        """The first place where the networks part."""
        return self.findings[0] if self.findings else None

    @property
    def is_same(self) -> bool:
        """Whether both compute the same, up to rounding."""
        checked = [*self.gradients.values(), *self.training.values()]
        return not self.findings and all(one.is_noise for one in checked)

    @property
    def verdict(self) -> str:
        """One of "PASS", "PASS with notes" and "FAIL"."""
        if not self.is_same:
            return "FAIL"
        return "PASS with notes" if self.notes else "PASS"
