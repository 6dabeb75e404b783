"""Rows: which of the measured steps are at fault. Only this room sets the status of a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from msbridge.verify.measure.difference import Difference
from msbridge.verify.measure.settings import Disagreement
from msbridge.verify.measure.step_differences import Measured

Status = Literal["equal", "noise", "inherited", "differs", "input differs", "failed", "missing", "extra", "idle"]
FAULTS = ("differs", "input differs", "failed")


@dataclass(frozen=True, slots=True)
class Row:
    """A layer, or an operator between layers, on both sides.

    Attributes:
        torch: where it is in the torch module; "" when only the Cell has it.
        cell: where it is in the Cell; "" when only torch has it.
        torch_kind: the class or operator there.
        cell_kind: the class or operator here.
        by: how the two were matched: "weights", "order", "values", "rule" or "name".
        status: "equal" to the bit, "noise" within rounding, "inherited" from an earlier layer, "differs" on equal
            inputs, "input differs" although all before agreed, "failed", "missing" in the Cell, "extra" in the Cell,
            "idle" where one side has a layer that does nothing.
        free: the difference when each network runs on its own.
        fed: the difference when the Cell's layer gets torch's input.
        arriving: the difference of that input, when all layers before returned torch's outputs.
        settings: what the two were built with, where it differs.
        is_layer: whether it is a layer (and no operator between layers).
        seconds: how long torch's layer and the Cell's took while they were recorded; 0 for operators.
        paths: of torch's layers and of the Cell's; none of operators.
        acquitted: the status that it would have if its difference did not come to nothing in what follows.
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
    settings: tuple[Disagreement, ...] = ()
    is_layer: bool = True
    seconds: tuple[float, float] = (0.0, 0.0)
    paths: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    acquitted: Status | None = None

    @property
    def name(self) -> str:
        """The label of the row."""
        return self.torch or self.cell


def judge_rows(measured: Sequence[Measured], other_precision: bool) -> list[Row]:
    """Judge every measured step.

    Args:
        measured: the matches with their differences.
        other_precision: whether a layer may compute in another floating dtype than torch's.
    """
    return [_row(one, _status(one, other_precision)) for one in measured]


def plain_status(free: Difference | None, fed: Difference | None) -> Status:
    """Return the status of a layer by its differences only."""
    if fed is not None and not fed.is_noise:
        return "differs"
    if free is not None and not free.is_noise:
        return "inherited"
    return "equal" if all(one.is_equal for one in (free, fed) if one is not None) else "noise"


def arrives(arriving: Difference) -> bool:
    """Whether an input is right up to the rounding of what is unmatched before it."""
    is_near = arriving.is_comparable and arriving.noise_ratio <= 20 and arriving.peak_ratio <= 80
    return arriving.is_equal or is_near


def _status(measured: Measured, other_precision: bool) -> Status:
    matched = measured.match
    if matched.torch is None or matched.cell is None:
        if matched.by == "merged" or not any(
            step.computes for step in (matched.torch, matched.cell) if step is not None
        ):
            return "idle"
        return "missing" if matched.torch is not None else "extra"
    if measured.fed is None and matched.both[2].outputs:
        return "failed"
    if measured.arriving is not None and not arrives(measured.arriving) and not _makes_up(measured):
        return "input differs"
    if measured.fed is not None and measured.fed.is_coarser and not other_precision:
        return "differs"
    return plain_status(measured.free, measured.fed)


def _makes_up(measured: Measured) -> bool:
    """Whether an operator computes the right thing of other inputs: 1 - x and -(x - 1)."""
    one = measured.match
    return (one.both[1].layer is None or one.by == "values") and measured.fed is not None and measured.fed.is_noise


def _row(measured: Measured, status: Status) -> Row:
    mine, other = measured.match.torch, measured.match.cell
    layers = [step if step is not None and step.layer is not None else None for step in (mine, other)]
    return Row(
        torch=mine.label if mine else "",
        cell=other.label if other else "",
        torch_kind=mine.kind if mine else "",
        cell_kind=other.kind if other else "",
        by=measured.match.by if mine and other else "",
        status=status,
        free=measured.free,
        fed=measured.fed,
        arriving=measured.arriving,
        settings=measured.settings,
        is_layer=any(layers),
        seconds=(mine.seconds if mine else 0.0, other.seconds if other else 0.0),
        paths=((layers[0].path,) if layers[0] else (), (layers[1].path,) if layers[1] else ()),
    )
