"""Measure how often the release of a project is guessed right, of public projects whose release is known.

    python tools/release_guess_accuracy.py FOLDER [--write] [--list]

FOLDER has the git directories of the repositories of release_guess_units.tsv, `owner+name/repo`;
release_guess_corpus.py says what a unit is. Every .py file of a unit counts as its script's. The half of the units that
the guess is tuned on and the other one are counted apart. `--list` prints the units that are not right, of only the
tuned half; `--write` writes the table into docs/release_guess.md. A unit whose own statements contradict its list is
left out: its release is not known.

A guess is *right* where its series is that of a release of the unit; *wrong* is an earlier series that is not; the rest
is *undecided*: the newest release is followed. A unit's calls *read alike* where the release that is followed reads all
calls whose meaning depends on the release as one of the unit's releases does, or one that it states itself.
"""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from release_guess_corpus import Unit, code_of_notebook, read_units

import msbridge
from msbridge.core.releases.release import parse
from msbridge.dropin.release_guess import series_of, weigh
from msbridge.dropin.release_guess.call_forms import changes_of
from msbridge.dropin.release_guess.open_calls import calls_of
from msbridge.dropin.release_guess.sources import Source, names_in, sources_of
from msbridge.dropin.release_guess.stated_releases import Statement, find_statements_in_folder

PAGE = Path(__file__).parent.parent / "docs" / "release_guess.md"
BEGIN, END = "<!-- written by tools/release_guess_accuracy.py -->", "<!-- end -->"
Release = tuple[int, int]


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
        changes: the releases that changed the meaning of a call of its.
    """

    name: str
    where: str
    is_held_out: bool
    releases: frozenset[str]
    names: frozenset[str]
    said: tuple[Statement, ...]
    changes: frozenset[Release]

    def outcome(self) -> str:
        """Return "right", "wrong" or "undecided"."""
        found = weigh(self.names, self.said)
        if series_of(found.followed) in {series_of(release) for release in self.releases}:
            return "right"
        return "wrong" if series_of(found.followed) != series_of() else "undecided"

    def reads_alike(self, before: Release = (99, 0)) -> bool | None:
        """Whether the release that is followed reads all calls as one of the unit's does; None where all read alike.

        Only changes before a release are looked at.
        """
        changes = {each for each in self.changes if each < before}
        if not changes:
            return None
        followed = parse(weigh(self.names, self.said).followed)
        releases = {*self.releases, *(each.release for each in self.said if not each.is_least)}
        wanted = ({each for each in changes if each <= parse(release)} for release in releases)
        return {each for each in changes if each <= followed} in [*wanted]


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
        changes = frozenset(_changes(sources))
    return Reading(unit.name, unit.where, unit.is_held_out, frozenset(unit.releases), names, said, changes)


def _changes(sources: Iterable[Source]) -> Iterator[Release]:
    for source in sources:
        for name, call in calls_of(source):
            msbridge.hand_out()  # Tensors have their methods from then on
            for change in changes_of(name):
                if change.difference(call):
                    yield parse(change.row.since)


def table(readings: list[Reading]) -> Iterator[str]:
    """Yield the lines of the tables."""
    yield "| units | | right | wrong | undecided | calls read alike | within 1.x |"
    yield "|---|---|---|---|---|---|---|"
    for half, is_held_out in (("tuned", False), ("held out", True)):
        own = [each for each in readings if each.is_held_out is is_held_out]
        yield _line(f"{half}: all", own)
        for first, title in (("1.0", "1.0 – 1.10"), ("2.0", "2.0 – 2.2"), ("2.3", "2.3 – 2.10")):
            yield _line(f"{half}: {title}", [each for each in own if first in map(series_of, each.releases)])
    for release in sorted({one for each in readings for one in each.releases}, key=parse):
        yield _line(f"all: {release}", [each for each in readings if release in each.releases])


def _line(title: str, readings: list[Reading]) -> str:
    counts = Counter(each.outcome() for each in readings)
    shares = [_share(counts[kind], len(readings)) for kind in ("right", "wrong", "undecided")]
    alike = [one for each in readings if (one := each.reads_alike()) is not None]
    in_first = (each for each in readings if "1.0" in map(series_of, each.releases))
    within = [one for each in in_first if (one := each.reads_alike((2, 0))) is not None]
    cells = [_share(sum(each), len(each)) + f" of {len(each)}" if each else "" for each in (alike, within)]
    return f"| {title} | {len(readings)} | {' | '.join([*shares, *cells])} |"


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
        if not each.is_held_out and (each.outcome() != "right" or each.reads_alike() is False):
            guessed = weigh(each.names, each.said)
            print(each.outcome(), each.where, sorted(each.releases), guessed, sep="\t", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", action="store_true")
    main(parser.parse_args())
