"""The report of a comparison as one HTML file."""

from collections import Counter
from pathlib import Path
from typing import Any

from msbridge.converters.files.atomic_write import write_text
from msbridge.core.html.page import embed_json, render_page
from msbridge.verify.judge.status import FAULTS
from msbridge.verify.measure.difference import PEAK_RATIO, RATIO, Difference
from msbridge.verify.report.numbers import HEAD, MAX_NAME_LENGTH, amount, ratio, short
from msbridge.verify.report.plain import plain_difference, plain_row
from msbridge.verify.report.plot import plot
from msbridge.verify.report.result import Result
from msbridge.verify.report.sentences import (
    described,
    fix_of,
    format_measurement,
    problem,
    sentence,
    verdict_sentence,
)
from msbridge.verify.report.terminal import times

TEMPLATE = Path(__file__).with_name("report.html")
SIDES = (("torch", "torch"), ("cell", "Cell"))
MAX_OPEN_FINDINGS = 8  # the others are folded away
DEFAULTS = plain_difference(Difference())


def write(found: Result, path: Path) -> None:
    """Write the report to a file; the target appears when it is complete."""
    write_text(path, render(found))


def render(result: Result) -> str:
    """Return the report's HTML."""
    faulty = _faulty(result)
    groups = {
        "Outputs": {str(number): one for number, one in enumerate(result.outputs)},
        "Gradients": result.gradients,
        "After training": result.training,
    }
    return render_page(
        TEMPLATE,
        found=result,
        verdict_sentence=verdict_sentence(result),
        measured_first=format_measurement(result),
        counts=Counter(row.status for row in result.rows),
        ways=Counter(one.by for one in result.weights.pairs),
        groups={title: group for title, group in groups.items() if group},
        structure=[(title, result.structure.get(side, []), faulty[side]) for side, title in SIDES],
        times=times(result),
        plot=plot(result.rows),
        data=embed_json(_compact({"rows": [plain_row(one) for one in result.rows], "defaults": DEFAULTS})),
        described=described,
        fix_of=fix_of,
        sentence_of=sentence,
        problem=problem,
        amount=amount,
        ratio_of=ratio,
        short=short,
        longest=MAX_NAME_LENGTH,
        head=HEAD,
        findings_shown=MAX_OPEN_FINDINGS,
        ratio=RATIO,
        peak_ratio=PEAK_RATIO,
    )


def _faulty(found: Result) -> dict[str, set[str]]:
    """Return the paths of the layers that are at fault, for "torch" and "cell"."""
    bad = [row for row in found.rows if row.status in FAULTS]
    return {side: {path for row in bad for path in row.paths[number]} for number, (side, _) in enumerate(SIDES)}


def _compact(value: Any) -> Any:
    """Round numbers, and leave out of differences what is as usual: a network may have thousands of layers."""
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, dict):
        usual = DEFAULTS if value.keys() == DEFAULTS.keys() and value != DEFAULTS else {}
        return {key: _compact(item) for key, item in value.items() if key not in usual or item != usual[key]}
    return [_compact(item) for item in value] if isinstance(value, list | tuple) else value
