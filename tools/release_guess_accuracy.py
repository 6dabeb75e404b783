"""Print how often the release of a project is guessed, of projects whose release is known.

python tools/release_guess_accuracy.py FOLDER

FOLDER holds a folder for each project and `units.tsv`, a line for each: its folder, and after a tab the releases that
it is for, with blanks between them. Every .py file of a project counts as its script's. Three shares are printed, of
the right series, a wrong one, and no guess where the newest is not right: as `msbridge run` guesses; by names alone;
and where a release that the project states counts as right, too.
"""

import sys
import warnings
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from msbridge.dropin.release_guess import series_of, weigh
from msbridge.dropin.release_guess.sources import names_in, sources_of
from msbridge.dropin.release_guess.statements import Statement, find_statements_in_folder


def outcome(names: set[str], said: list[Statement], releases: Collection[str]) -> str:
    """Return "right", "wrong" or "none"."""
    found = weigh(names, said).guess
    series = {series_of(release) for release in releases}
    if series_of(found.release if found else None) in series:
        return "right"
    return "wrong" if found and series_of(found.release) != series_of() else "none"


def main(folder: Path) -> None:
    """Print the shares."""
    warnings.simplefilter("ignore")  # of the scripts' own syntax
    counts: dict[str, Counter[str]] = {"as it is": Counter(), "names alone": Counter(), "a statement counts": Counter()}
    for line in (folder / "units.tsv").read_text(encoding="utf-8").splitlines():
        unit, releases = line.split("\t")[0], line.split("\t")[1].split()
        names = names_in(sources_of(sorted((folder / unit).rglob("*.py"))))
        if not any(name.startswith("mindspore") for name in names):
            continue
        said = find_statements_in_folder(folder / unit)
        own = [one.release for one in said if not one.is_least]
        counts["as it is"][outcome(names, said, releases)] += 1
        counts["names alone"][outcome(names, [], releases)] += 1
        counts["a statement counts"][outcome(names, said, {*releases, *own})] += 1
    for what, found in counts.items():
        total = sum(found.values())
        shares = ", ".join(f"{name} {found[name] / total:.1%}" for name in ("right", "wrong", "none"))
        print(f"{what}: {shares} of {total}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
