"""Write docs/acceptance.md, what public repositories do under `msbridge run`, from results.json and reasons.toml.

python tests/acceptance/page.py
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "acceptance.md"
sys.path.insert(0, str(HERE))

from run import Outcome, stored  # noqa: E402

HEAD = """# Public repositories, unmodified

`python tests/acceptance/run.py FOLDER` takes checkouts of public repositories, runs copies of their scripts
under `msbridge run`, and counts what passed: tests, networks built and trained for a step, scripts that end
well, losses that fall, checkpoints that are written. Data are tiny, in the formats of the real data sets;
nothing is downloaded. What runs is in `tests/acceptance/jobs.toml`; this page is written by `python
tests/acceptance/page.py` from the stored outcomes.

These outcomes are not of one run: seventeen networks of mindcv ran again after a mend and were merged by hand, and the
rows of ResNet-18, MobileNetV1 and SSD were copied from the output of an earlier state.

| where | what | passed | of | seconds |
|---|---|---:|---:|---:|
"""


def page(outcomes: Iterable[Outcome], reasons: dict[str, str]) -> str:
    """Return the page: a table of the jobs, and every failure with its reason.

    Args:
        outcomes: what became of the jobs.
        reasons: patterns of "place name case: what it said", and the reason of such failures.
    """
    rows = list(outcomes)
    passed, total = sum(row.passed for row in rows), sum(row.total for row in rows)
    table = "".join(f"| {row.at} | {row.name} | {row.passed} | {row.total} | {row.seconds:.0f} |\n" for row in rows)
    text = f"{HEAD}{table}| **all** | | {passed} | {total} | |\n\n## Failures\n\n"
    grouped: dict[str, list[str]] = {}
    for row in rows:
        for case, problem in row.failures.items():
            grouped.setdefault(f"{row.at}, {row.name}: {reason(row, case, problem, reasons)}", []).append(case)
    if not grouped:
        return text + "None.\n"
    return text + "".join(f"- {what}\n  ({len(cases)}: {listed(cases)})\n" for what, cases in sorted(grouped.items()))


def reason(row: Outcome, case: str, problem: str, reasons: dict[str, str]) -> str:
    """Return why a case failed: the reason that was found, or else what it said."""
    line = f"{row.at} {row.name} {case}: {problem}"
    known = next((text for pattern, text in reasons.items() if re.search(pattern, line)), "")
    said = problem.splitlines()[0][:160].replace("|", "\\|").replace("<", "&lt;")
    return known or f"not looked into yet: `{said}`"


def listed(cases: list[str]) -> str:
    """Return the first names of a list."""
    return ", ".join(f"`{case}`" for case in cases[:8]) + (", …" if len(cases) > 8 else "")


if __name__ == "__main__":
    known = tomllib.loads((HERE / "reasons.toml").read_text(encoding="utf-8"))
    PAGE.write_text(page(stored().values(), known), encoding="utf-8")
