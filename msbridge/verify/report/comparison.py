"""The outcome of a comparison: rows, findings, verdict."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from msbridge.verify.measure.difference import Difference
from msbridge.verify.measure.settings import Disagreement
from msbridge.verify.pair.weights import Weights

Status = Literal["equal", "noise", "inherited", "differs", "input differs", "failed", "missing", "extra", "idle"]
FAULTS = ("differs", "input differs", "failed")


@dataclass(slots=True)
class Row:
    """A layer, or an operator between layers, on both sides.

    Attributes:
        torch: where it is in the torch module; "" when the Cell alone has it.
        cell: where it is in the Cell; "" when torch alone has it.
        torch_kind: the class or operator there.
        cell_kind: the class or operator here.
        by: how the two were matched: "weights", "order" or "values".
        status: "equal" to the bit, "noise" within rounding, "inherited" from an earlier layer, "differs" on equal
            inputs, "input differs" although all before agreed, "failed", "missing" in the Cell, "extra" in the Cell,
            "idle" where one side has a layer that does nothing.
        free: the difference when each network runs on its own.
        fed: the difference when the Cell's layer gets torch's input.
        arriving: the difference of that input, when all layers before gave torch's outputs.
        settings: what the two were built with, where it differs.
        is_layer: whether it is a layer (and no operator between layers).
        seconds: how long torch's layer and the Cell's took while they were recorded; 0 for operators.
    """

    torch: str
    cell: str
    torch_kind: str = ""
    cell_kind: str = ""
    by: str = ""
    status: Status = "equal"
    free: Difference | None = None
    fed: Difference | None = None
    arriving: Difference | None = None
    settings: list[Disagreement] = field(default_factory=list)
    is_layer: bool = True
    seconds: tuple[float, float] = (0.0, 0.0)

    @property
    def name(self) -> str:
        """What the row is called."""
        return self.torch or self.cell


@dataclass(slots=True)
class Finding:
    """A place where the two networks do not compute the same, and the most likely reason.

    Attributes:
        layer: torch's name of the place; the Cell's where torch has no such thing.
        cell: the Cell's name of it.
        kind: the reason in a word or two, such as "eps" or "missing layer".
        text: the reason in a sentence.
        evidence: what was seen.
        where: "in" the layer or "before" it.
        others: torch's names of further places of which the same is to be said.
    """

    layer: str
    cell: str
    kind: str
    text: str
    evidence: list[str] = field(default_factory=list)
    where: Literal["in", "before"] = "in"
    others: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        place = self.layer if self.layer == self.cell or not self.cell else f"{self.layer} ({self.cell} in the Cell)"
        return f"{'' if self.where == 'in' else 'before '}{place}: {self.text}"


@dataclass(slots=True)
class Comparison:
    """A torch module and a Cell, side by side.

    Attributes:
        torch: class of the torch module.
        cell: class of the Cell.
        rows: layers and operators, in the order of torch's calls.
        outputs: differences of the networks' outputs.
        findings: faults in the order of the calls, each with its likely cause.
        notes: what differs without changing these outputs.
        weights: what was converted or checked.
        structure: for "torch" and "cell": (path, class, whether it or something in it was matched) of every part.
        gradients: name of a tensor → difference of its gradient.
        training: what N steps of training gave: differences by name.
        inputs: what the networks were given, in words.
        environment: versions and flags.
        seconds: what took how long; "torch forward" and "cell forward" without recording.
        sizes: "torch" and "cell" → how many values their parameters hold.
        command: how to repeat it.
    """

    torch: str
    cell: str
    rows: list[Row] = field(default_factory=list)
    outputs: list[Difference] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    weights: Weights = field(default_factory=Weights)
    structure: dict[str, list[tuple[str, str, bool]]] = field(default_factory=dict)
    gradients: dict[str, Difference] = field(default_factory=dict)
    training: dict[str, Difference] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
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

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        if self.first is not None:
            return f"The networks part {'at' if self.first.where == 'in' else ''} {self.first}".replace("  ", " ")
        if not self.is_same:
            groups = {"the gradient of": self.gradients, "after training,": self.training}
            bad = [
                f"{what} {name}" for what, group in groups.items() for name, one in group.items() if not one.is_noise
            ]
            return f"All layers agree, but {bad[0]} does not."
        compared = sum(row.by != "" for row in self.rows)
        equal = sum(row.status == "equal" for row in self.rows if row.by)
        return f"All {compared} matched layers and operators agree, {equal} of them to the bit."

    @property
    def measured(self) -> str:
        """What was measured at the first fault; "" where nothing could be."""
        for number, row in enumerate(self.rows):
            one = row.arriving if row.status == "input differs" else row.fed or row.free
            if row.status not in FAULTS or self.first is None or row.name != self.first.layer:
                continue
            if one is None or one.problem:
                return ""
            agreeing = sum(before.status in ("equal", "noise") for before in self.rows[:number])
            what = "what it gets" if row.status == "input differs" else "on torch's own input it"
            return (
                f"{what} differs by up to {one.max_abs:.3g} at {list(one.index)}: Cell {one.actual:.7g}, "
                f"torch {one.expected:.7g}; {one.noise_ratio:.3g} times the rounding"
                f"{f'; {agreeing} before it agree' if agreeing else ''}"
            )
        return ""

    def print(self, all_rows: bool = False) -> None:
        """Print a summary to the terminal: the verdict, what was found, and the rows around it (or all)."""
        from msbridge.verify.report.terminal import show

        show(self, all_rows=all_rows)

    def as_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "measured": self.measured,
            "torch": self.torch,
            "cell": self.cell,
            "findings": [asdict(one) for one in self.findings],
            "notes": [asdict(one) for one in self.notes],
            "outputs": [one.as_dict() for one in self.outputs],
            "rows": [_row(one) for one in self.rows],
            "weights": {
                "pairs": [
                    {"torch": one.torch, "cell": one.cell, "by": one.by, "issue": one.issue}
                    for one in self.weights.pairs
                ],
                "only_torch": self.weights.only_torch,
                "only_cell": self.weights.only_cell,
            },
            "structure": self.structure,
            "gradients": _differences(self.gradients),
            "training": _differences(self.training),
            "inputs": self.inputs,
            "environment": self.environment,
            "seconds": self.seconds,
            "sizes": self.sizes,
            "command": self.command,
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """Give everything as JSON; write it to `path` too, if one is given."""
        text = json.dumps(self.as_dict(), ensure_ascii=False, indent=1)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    def to_html(self, path: str | Path) -> None:
        """Write the report as one HTML file that needs nothing else."""
        from msbridge.verify.report.html import write

        write(self, Path(path))

    def to_csv(self, path: str | Path) -> None:
        """Write the rows as a table, one line for each layer or operator."""
        from msbridge.verify.report.csv import write

        write(self, Path(path))

    def to_junit(self, path: str | Path) -> None:
        """Write the rows as test cases, for systems that show JUnit's XML."""
        from msbridge.verify.report.junit import write

        write(self, Path(path))


def _row(row: Row) -> dict[str, Any]:
    return {
        "torch": row.torch,
        "cell": row.cell,
        "torch_kind": row.torch_kind,
        "cell_kind": row.cell_kind,
        "by": row.by,
        "status": row.status,
        "free": row.free and row.free.as_dict(),
        "fed": row.fed and row.fed.as_dict(),
        "arriving": row.arriving and row.arriving.as_dict(),
        "settings": [str(one) for one in row.settings],
        "is_layer": row.is_layer,
        "seconds": row.seconds,
    }


def _differences(group: Mapping[str, Difference]) -> dict[str, Any]:
    return {name: one.as_dict() for name, one in group.items()}
