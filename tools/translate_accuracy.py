"""Measure how much of public networks `msbridge translate` translates, and whether they compute the same afterwards.

    python tools/translate_accuracy.py FOLDER [--held] [--only NAME]... [--oracle PYTHON] [--rows FILE] [--write]

FOLDER has `site`, into which `pip install --target` put torchvision, timm and transformers, and `papers`, with the
files of the repositories of translate_corpus.tsv, `owner+name/…`. Every third network of a project, by name, is the
one that the translation is worked on with; the others are only counted (`--held` measures them too). `--oracle` is a
Python with the real MindSpore 2.10.0. `--rows` keeps the outcomes in a file, which may be filled project by project;
`--write` writes the table of what is in it into docs/translate_accuracy.md.

A network is translated with all files of its project that it needs. Lines are left *by hand* where they are marked, in
functions that the network runs, and in its own file outside of functions. It is *equal* where outputs and gradients
are as torch's to 1e-5 of a tensor's greatest value, with torch's weights moved off their first values; it differs
*silently* where they are not, and no line is marked.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from translate_corpus import Unit, read_units

PAGE = Path(__file__).parent.parent / "docs" / "translate_accuracy.md"
BEGIN, END = "<!-- written by tools/translate_accuracy.py -->", "<!-- end -->"
CLOSE = 1e-5
FEW = 3  # lines by hand that are few
UNKNOWN = ("crash", "torch")  # stages of which nothing is known of the translation
BATCH = 8  # networks whose weights are on the disk at once
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a network.

    Attributes:
        family: the network's project.
        is_held_out: whether it is of the two thirds that nobody tunes on.
        by_hand: how many lines are left by hand.
        runs: whether it runs here.
        is_equal: whether outputs and gradients are as torch's, here.
        is_equal_there: likewise, in the real MindSpore.
        stage: how far it came here.
        error: what ended it.
    """

    family: str
    is_held_out: bool
    by_hand: int
    runs: bool
    is_equal: bool
    is_equal_there: bool
    stage: str
    error: str

    @property
    def is_silent(self) -> bool:
        """Whether it differs although nothing is marked."""
        return self.runs and not self.by_hand and not self.is_equal

    @property
    def described(self) -> str:
        """What became of it, in a line."""
        state = "equal" if self.is_equal else "DIFFERS" if self.runs else self.stage
        there = "equal there" if self.is_equal_there else "not there"
        return f"{self.by_hand} by hand, {state}, {there}; {self.error[:160]}"


def batches(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield networks that are imported from the same place, a few at a time."""
    for _, group in itertools.groupby(units, key=lambda one: (one.family, one.where)):
        some = [*group]
        yield from (some[start : start + BATCH] for start in range(0, len(some), BATCH))


def row_of(unit: Unit, answer: Answer) -> Row:
    """Return what an answer of translate_unit.py says."""
    there = answer.get("oracle", {})
    return Row(
        unit.family,
        unit.is_held_out,
        len(answer.get("by hand", ())),
        "apart" in answer,
        _is_equal(answer),
        _is_equal(there),
        answer.get("stage", "crash"),
        answer.get("error") or there.get("error", ""),
    )


def _is_equal(answer: Answer) -> bool:
    return answer.get("apart", 1.0) <= CLOSE and answer.get("gradients apart", 1.0) <= CLOSE


def measure(units: Sequence[Unit], folder: Path, out: Path, oracle: str | None) -> dict[str, Answer]:
    """Translate and compare networks of one project; return the answers by name."""
    here = Path(__file__).parent
    labels = [one.label for one in units]
    with tempfile.TemporaryDirectory() as cases:
        answers = _answers([sys.executable, here / "translate_unit.py", folder, out, cases, *labels])
        while oracle and any(Path(cases).glob("*.json")):  # a crash ends the process, and the next one continues
            for name, answer in _answers([oracle, here / "translate_oracle.py", out, cases]).items():
                answers[name]["oracle"] = answer
    return answers


def _answers(words: Sequence[object]) -> dict[str, Answer]:
    """Run a command, and return the lines of JSON that it prints, by name."""
    environment = {**os.environ, "GLOG_v": "3"}
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env=environment)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"name"')]
    if not found:
        print(done.stderr[-2000:], file=sys.stderr)
    return {one.pop("name"): one for one in found}


def lines_of(out: Path) -> dict[str, float]:
    """Return how many lines of the translated files are of each kind, and how many seconds that took."""
    sums = Counter[str]()
    for path in out.rglob("*.json"):
        known = json.loads(path.read_text())
        sums.update(kind for _, kind, _ in known["lines"])
        sums["seconds"] += known["seconds"]
    return dict(sums)


def table(rows: Sequence[Row]) -> list[str]:
    """Return the table of the projects."""
    lines = [
        "| networks of | | without a hand | ≤ 3 lines by hand | run here | equal here | equal in MindSpore 2.10.0 "
        "| silently different |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for family in [*sorted({one.family for one in rows}), "all"]:
        of = [one for one in rows if family in (one.family, "all")]
        counts = (
            sum(not one.by_hand and one.stage not in UNKNOWN for one in of),
            sum(one.by_hand <= FEW and one.stage not in UNKNOWN for one in of),
            sum(one.runs for one in of),
            sum(one.is_equal for one in of),
            sum(one.is_equal_there for one in of),
        )
        parts = " | ".join(f"{count} ({100 * count / len(of):.0f} %)" for count in counts)
        lines.append(f"| {family} | {len(of)} | {parts} | {sum(one.is_silent for one in of)} |")
    return lines


def described_lines(lines: Mapping[str, Mapping[str, float]]) -> str:
    """Return what became of the lines of all projects, in a sentence."""
    sums = Counter[str]()
    for one in lines.values():
        sums.update(one)
    seconds = sums.pop("seconds", 0)
    total = max(sum(sums.values()), 1)
    shares = (f"{100 * sums[kind] / total:.1f} % {kind}" for kind in ("same", "renamed", "rewritten", "by hand"))
    speed = total / max(seconds, 1e-9)
    return f"Of {total:,.0f} lines of source {', '.join(shares)}; {speed:,.0f} lines per second of a processor."


def write_page(tables: Sequence[str], lines: str) -> None:
    """Write the tables into the page."""
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join([*tables, "", lines, ""]) + f"\n{END}{after}")


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--oracle")
    parser.add_argument("--out", type=Path, help="keep the translations here")
    parser.add_argument("--json", type=Path, help="write every answer of the third that may be looked at")
    parser.add_argument("--rows", type=Path, help="keep the outcomes here")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    kept = json.loads(options.rows.read_text()) if options.rows and options.rows.exists() else {"rows": {}, "lines": {}}
    with tempfile.TemporaryDirectory() as scratch:
        _measure_all(options, options.out or Path(scratch), kept)
    rows = [Row(**one) for one in kept["rows"].values()]
    tables = []
    for is_held, name in (
        (True, "The two thirds that were held out:"),
        (False, "The third that it was worked on with:"),
    ):
        part = [one for one in rows if one.is_held_out is is_held]
        tables += ["", name, "", *table(part)] if part else []
    lines = described_lines(kept["lines"])
    print("\n".join([*tables, "", lines]))
    if options.write:
        write_page(tables, lines)


def _measure_all(options: argparse.Namespace, out: Path, kept: dict[str, Any]) -> None:
    """Measure the networks that are asked for, a few at a time, and keep what became of them."""
    units = [one for one in read_units() if options.held or not one.is_held_out]
    if options.only:
        units = [one for one in units if any(one.label.startswith(name) for name in options.only)]
    answers: dict[str, Answer] = {}
    for some in batches(units):
        folder = out / (some[0].where.replace("/", "+") or some[0].family)
        said = measure(some, options.folder, folder, options.oracle)
        for unit in some:
            row = row_of(unit, said.get(unit.label, {}))
            kept["rows"][unit.label] = asdict(row) | ({"error": ""} if unit.is_held_out else {})
            if not unit.is_held_out:
                answers[unit.label] = said.get(unit.label, {})
                print(f"{unit.label}: {row.described}", flush=True)
        kept["lines"][folder.name] = lines_of(folder)
        if options.json:
            options.json.write_text(json.dumps(answers, indent=1))
        if options.rows:
            options.rows.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
