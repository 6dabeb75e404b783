"""Count the recorded cases of earlier releases that msbridge answers as they did.

    python tests/oracle/shares.py [RELEASE …]

Of all cases, and of those that differ from 2.10.0; and both without what a defect of the release makes differ
(`is_defect`). Where msbridge is known to differ is in `differing.toml`, which `test_releases.py` holds to
what happens. A case differs when its record is not that of 2.10.0. A release's own families have no such record:
msbridge evaluates them as it does for 2.10.0, and what is not the release's answer differs.
"""

import sys
import warnings
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import msbridge

msbridge.install()

from msbridge.core.context import context  # noqa: E402
from tests.oracle.case import load  # noqa: E402
from tests.oracle.families import OF_RELEASES  # noqa: E402
from tests.oracle.follower import problem_of  # noqa: E402
from tests.oracle.outcome import folder_of, read  # noqa: E402
from tests.oracle.test_releases import DIFFERING, RELEASES  # noqa: E402

GAP = {"gap": True}


class Share(NamedTuple):
    """How many cases there are, and how many of them msbridge answers otherwise."""

    cases: int
    missed: int

    def __str__(self) -> str:
        return f"{self.cases - self.missed} of {self.cases} ({1 - self.missed / max(self.cases, 1):.2%})"


def shares(release: str) -> tuple[Share, Share, Share, Share]:
    """Return the shares of all cases of a release, and of those that differ from 2.10.0; then both without defects."""
    cases = differing = missed = missed_differing = defects = defects_differing = 0
    for path in sorted(folder_of(release).glob("*.json.gz")):
        family = path.name.removesuffix(".json.gz")
        recorded = {name: one for name, one in read(path)[1].items() if one != GAP}
        other = _otherwise(family, recorded)
        known = {name for row in DIFFERING.get(release, ()) if row["family"] == family for name in row["cases"]}
        defective = {name for row in DIFFERING.get(release, ()) if row.get("is_defect") for name in row["cases"]}
        cases, differing = cases + len(recorded), differing + len(other)
        missed, missed_differing = missed + len(known), missed_differing + len(other & known)
        defects, defects_differing = (
            defects + len(known & defective),
            defects_differing + len(other & known & defective),
        )
    intended = Share(cases - defects, missed - defects)
    different = Share(differing, missed_differing)
    return (
        *(Share(cases, missed), different, intended),
        Share(differing - defects_differing, missed_differing - defects_differing),
    )


def _otherwise(family: str, recorded: dict) -> set[str]:
    """Return the names of the cases to which 2.10.0 has another answer."""
    if family not in OF_RELEASES:
        newest = read(folder_of("2.10.0") / f"{family}.json.gz")[1]
        return {name for name in recorded if recorded[name] != newest.get(name)}  # some are not asked any more
    module, cases = load(family)
    with context.preserve_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {case.name for case in cases if case.name in recorded and problem_of(case, module, recorded[case.name])}


if __name__ == "__main__":
    for release in sys.argv[1:] or RELEASES:
        every, different, intended, intended_different = shares(release)
        print(f"{release}: {every} of all; {different} of those that differ;", end=" ")
        print(f"without defects {intended}; {intended_different}")
