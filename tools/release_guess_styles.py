"""Write which names scripts of 1.x, or of 2.x, use much more often: the column `style` of mappings/release_names.tsv.

    python tools/release_guess_styles.py FOLDER

FOLDER is as in release_guess_accuracy.py; only the third of the units that the guess is tuned on is read. A name is
of a style where the logarithm of the odds is beyond LIMIT, and MIN_PROJECTS projects have it; several releases of a
project count as the root of their number. LIMIT was chosen by four folds of another part.
"""

import math
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from release_guess_accuracy import Reading, is_known, read
from release_guess_corpus import read_units

from msbridge.dropin.release_guess import series_of

TABLE = Path(__file__).parent.parent / "mappings" / "release_names.tsv"
LIMIT, MIN_PROJECTS = 2.5, 6
KEPT = 2.0  # a name that was of 2.x stays so up to there, or where too few projects have it
PRIOR = 0.3


def learn(readings: Iterable[Reading]) -> dict[str, float]:
    """Return the logarithms of the odds that a unit with a name is for 1.x."""
    units = [(each, series) for each in readings if (series := _series(each))]
    counts = Counter((series, each.name) for each, series in units)
    totals: defaultdict[str, float] = defaultdict(float)
    found: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    projects: defaultdict[str, set[str]] = defaultdict(set)
    for each, series in units:
        weight = 1 / math.sqrt(counts[series, each.name])
        totals[series] += weight
        for name in each.names:
            if name.startswith("mindspore.") and "(#" not in name:
                found[name][series] += weight
                projects[name].add(each.name)
    shares = {
        series: {name: (found[name][series] + PRIOR) / (totals[series] + 2 * PRIOR) for name in found}
        for series in ("1.x", "2.x")
    }
    return {
        name: math.log(shares["1.x"][name] / shares["2.x"][name])
        for name in found
        if len(projects[name]) >= MIN_PROJECTS
    }


def restyle(lines: Iterable[str], odds: dict[str, float]) -> list[str]:
    """Return the rows of the table with new styles; those that tell nothing any more are left out."""
    rows = {cells[0]: [*cells, "", "", ""][:4] for line in lines if (cells := line.split("\t"))}
    for name, row in rows.items():
        is_kept = row[3] == "2.x" and odds.get(name, -math.inf) <= -KEPT
        row[3] = "2.x" if is_kept else ""
    for name, value in odds.items():
        if abs(value) > LIMIT:
            rows.setdefault(name, [name, "", "", ""])[3] = "1.x" if value > 0 else "2.x"
    return ["\t".join(rows[name]).rstrip("\t") for name in sorted(rows) if any(rows[name][1:])]


def _series(reading: Reading) -> str:
    """Return "1.x" or "2.x"; "" where a unit is for both."""
    is_first = {series_of(release) == "1.0" for release in reading.releases}
    return "" if len(is_first) > 1 else "1.x" if is_first == {True} else "2.x"


def main(folder: Path) -> None:
    """Write the table."""
    warnings.simplefilter("ignore")  # of the scripts' own syntax
    readings = [found for unit in read_units(folder) if not unit.is_held_out and (found := read(unit))]
    head, _, rows = TABLE.read_text(encoding="utf-8").partition("style\n")
    lines = restyle(rows.splitlines(), learn(filter(is_known, readings)))
    TABLE.write_text(head + "style\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
