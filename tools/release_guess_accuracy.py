"""Measure how often the release of a project is guessed right, of public projects whose release is known.

    python tools/release_guess_accuracy.py FOLDER [--write] [--list]

FOLDER has the git directories of the repositories of release_guess_units.tsv, `owner+name/repo`;
release_guess_corpus.py says what a unit is. Every .py file of a unit counts as its script's. The third of the units
that the guess is tuned on and the others are counted apart. `--list` prints the units that are not right, of only the
tuned third; `--write` writes the table into docs/release_guess.md. A unit whose own statements contradict its list is
left out: its release is not known.

A guess is *right* where its series is that of a release of the unit; *wrong* is an earlier series that is not; the rest
is *undecided*: the newest release is followed. The guess is on the *right side* of a change where the release that is
followed and one of the unit's releases, or one that it states itself, both have it or both lack it. A change *touches*
a unit that calls its name, and *matters* where both forms take the call and read it differently, or only one takes it.
What a change *repairs* is a defect that no script means: the guess prefers to have it repaired, even if the unit's
release did not, so such changes are left out of those that matter, and counted with them in a column of their own.
"""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from release_guess_corpus import Unit, code_of_notebook, read_units

import msbridge
from msbridge.core.releases.release import parse
from msbridge.dropin.release_guess import call_forms, series_of, weigh
from msbridge.dropin.release_guess.open_calls import calls_of
from msbridge.dropin.release_guess.sources import Source, names_in, sources_of
from msbridge.dropin.release_guess.stated_releases import Statement, find_statements_in_folder

PAGE = Path(__file__).parent.parent / "docs" / "release_guess.md"
BEGIN, END = "<!-- written by tools/release_guess_accuracy.py -->", "<!-- end -->"
SERIES = (("1.0", "1.0 – 1.10"), ("2.0", "2.0 – 2.2"), ("2.3", "2.3 – 2.10"))
MATTERING, WITH_REPAIRS, TOUCHED = map(attrgetter, ("mattering", "with_repairs", "touched"))
Change = tuple[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a unit's files say.

    Attributes:
        name: the unit's.
        where: its repository, commit and path.
        is_held_out: whether it is of the half that the guess is not tuned on.
        releases: those that it is for.
        names: of MindSpore, as its files write them.
        said: what it says of itself.
        touched: the changes of names that it calls: the name, and the first release with the new form.
        with_repairs: those of them that change the meaning of a call.
        mattering: those of them that repair no defect.
        followed: the release that is followed.
    """

    name: str
    where: str
    is_held_out: bool
    releases: frozenset[str]
    names: frozenset[str]
    said: tuple[Statement, ...]
    touched: frozenset[Change]
    with_repairs: frozenset[Change]
    mattering: frozenset[Change]
    followed: str

    def outcome(self) -> str:
        """Return "right", "wrong" or "undecided"."""
        if series_of(self.followed) in {series_of(release) for release in self.releases}:
            return "right"
        return "wrong" if series_of(self.followed) != series_of() else "undecided"

    def sides(self, changes: Iterable[Change]) -> list[bool]:
        """Return of each change whether the release that is followed is on the right side of it."""
        followed = parse(self.followed)
        stated = (each.release for each in self.said if not each.is_least)
        releases = [parse(release) for release in (*self.releases, *stated)]
        return [any((since <= each) is (since <= followed) for each in releases) for _, since in changes]


def is_known(reading: Reading) -> bool:
    """Whether what a unit says of itself does not contradict the releases that it is listed for."""
    said = {series_of(each.release) for each in reading.said if not each.is_least}
    return not said or bool(said & set(map(series_of, reading.releases)))


def read(unit: Unit) -> Reading | None:
    """Read a unit; None where it does not use MindSpore."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        unit.write(folder)
        for notebook in folder.glob("*.ipynb"):
            notebook.with_suffix(".py").write_text(code_of_notebook(notebook.read_bytes()), encoding="utf-8")
        sources = [*sources_of(sorted(folder.rglob("*.py")))]
        names = frozenset(names_in(sources))
        if not any(name.startswith("mindspore.") for name in names):
            return None
        said = tuple(find_statements_in_folder(folder))
        touched, mattering, repairs = set[Change](), set[Change](), set[Change]()
        for name_called, change, matters in _changes(sources):
            found = (name_called, parse(change.row.since))
            touched.add(found)
            mattering |= {found} if matters else set()
            repairs |= {found} if change.row.repairs else set()
    return Reading(
        unit.name,
        unit.where,
        unit.is_held_out,
        releases=frozenset(unit.releases),
        names=names,
        said=said,
        touched=frozenset(touched),
        with_repairs=frozenset(mattering),
        mattering=frozenset(mattering - repairs),
        followed=weigh(names, said).followed,
    )


def _changes(sources: Iterable[Source]) -> Iterator[tuple[str, call_forms.Change, bool]]:
    """Yield the names that are called, their changes, and whether one matters for the call."""
    for source in sources:
        for name, call in calls_of(source):
            msbridge.hand_out()  # Tensors have their methods from then on
            for change in call_forms.changes_of(name):
                if not change.row.in_error:
                    yield name, change, bool(change.difference(call)) or change.is_one_sided(call)


def table(readings: list[Reading]) -> Iterator[str]:
    """Yield the lines of the tables."""
    shares = "changes that matter | in 1.x | with repairs, in 1.x | changes that touch | in 1.x"
    yield f"| units | | right | wrong | undecided | {shares} |"
    yield "|---|" + "---|" * 9
    for part, is_held_out in (("tuned", False), ("held out", True)):
        own = [each for each in readings if each.is_held_out is is_held_out]
        yield _line(f"{part}: all", own)
        for first, title in SERIES:
            yield _line(f"{part}: {title}", [each for each in own if first in map(series_of, each.releases)])
    for release in sorted({one for each in own for one in each.releases}, key=parse):
        yield _line(f"held out: {release}", [each for each in own if release in each.releases])


def _line(title: str, readings: list[Reading]) -> str:
    counts = Counter(each.outcome() for each in readings)
    shares = [_share(counts[kind], len(readings)) for kind in ("right", "wrong", "undecided")]
    first = [each for each in readings if "1.0" in map(series_of, each.releases)]
    for changes in (MATTERING, WITH_REPAIRS, TOUCHED):
        if changes is not WITH_REPAIRS:
            shares += [_right_sides([each.sides(changes(each)) for each in readings])]
        shares += [_right_sides([each.sides(one for one in changes(each) if one[1] < (2, 0)) for each in first])]
    return f"| {title} | {len(readings)} | {' | '.join(shares)} |"


def _right_sides(sides: list[list[bool]]) -> str:
    """Return the share of the changes on the right side, and of the units that have all on the right side."""
    changes = [one for each in sides for one in each]
    units = [all(each) for each in sides if each]
    return f"{_share(sum(changes), len(changes))}; {_share(sum(units), len(units))} of {len(units)}" if units else ""


def _share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else ""


def main(arguments: argparse.Namespace) -> None:
    """Print the tables, or write them."""
    warnings.simplefilter("ignore")  # of the scripts' own syntax
    found = (read(unit) for unit in read_units(arguments.folder))
    readings = [each for each in found if each and is_known(each)]
    lines = [*table(readings)]
    print("\n".join(lines))
    if arguments.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        text = "\n".join([BEGIN, "", *lines, "", END])
        PAGE.write_text(before + text + rest.partition(END)[2], encoding="utf-8")
    for each in readings if arguments.list else ():
        if not each.is_held_out and (each.outcome() != "right" or not all(each.sides(each.mattering))):
            guessed = weigh(each.names, each.said)
            print(each.outcome(), each.where, sorted(each.releases), guessed, sep="\t", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", action="store_true")
    main(parser.parse_args())
