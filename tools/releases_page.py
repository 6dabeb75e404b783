"""Write docs/releases.md, what changed between releases of MindSpore and what msbridge does, from the tables.

python tools/releases_page.py
"""

import gzip
import inspect
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "releases.md"
DIFFERING = ROOT / "tests" / "oracle" / "differing.toml"
NAMES = ROOT / "tests" / "oracle" / "names"
RECORDED = ("1.0.0", "2.0.0", "2.7.0", "2.10.0")
sys.path.append(str(NAMES))

from arguments import arguments, found  # noqa: E402

from msbridge.core.releases import release  # noqa: E402
from msbridge.core.releases.arguments import map_renamed_arguments  # noqa: E402
from msbridge.core.releases.public_modules import MOVED  # noqa: E402
from msbridge.core.releases.rows import Row, every  # noqa: E402
from msbridge.dropin.release_guess import Series  # noqa: E402
from msbridge.dropin.release_guess.call_forms import changes_of  # noqa: E402
from msbridge.mappings import table  # noqa: E402

LEFT_OUT = {
    "mindspore._checkparam.check_bool": "MindSpore's own modules pass it by position",
    "mindspore.parallel._utils._to_full_tensor": "the number of processes is that of the launcher",
    "mindspore.nn.layer.normalization._BatchNorm": "scripts import the base for `isinstance`",
}
"""Why arguments of a name that are gone are not taken under any release."""

SEEN = {
    "": "arguments, of which `run` says at the line where they go",
    "every call": "each call reads otherwise: `run` says so at its line",
    "values": "some values and dtypes, which a call's text does not show: one line of `run` counts them",
    "rare": "values that scripts seldom have: out of range, empty, NaN; private names",
    "refusals": "one form refuses what the other takes: no call is read in two ways",
    "text": "printed forms, names, attributes",
    "memory": "what shares memory with what",
    "gone": "nothing: today has no such name",
}
"""Where the form before a change is seen, by the rows' `seen`."""

LIMITS = {
    "Float64 in single precision, errors of functions": r"single precision|error of 1e|32 bits|numbers for what is not",
    "zeros, memory that nobody wrote": r"zeros|memory|not written|read as|unsigned|beyond|has 1\)",
    "rows, columns or sizes wrong": r"split|column|size|rows|counts|get_dataset_size|places",
    "an error, or what it lacks": r"refuses|error|ValueError|no operator takes|no form|raises|refused",
    "other rules of a kernel": r"kernel",
    "its numpy, Pillow, protobuf or Python": r"numpy|Pillow|protobuf|[Pp]ython",
    "other": "",
}
"""Kinds of a release's own defects, and the words of their reasons; the first that fits."""

HEAD = """# What changed between releases, and which one msbridge follows

Written by `python tools/releases_page.py` from the rows of `mappings/releases/` and the recorded arguments of
1.0.0, 2.0.0, 2.7.0 and 2.10.0; tests compare, and evaluate every expression under both releases.

The evidence for a row is one of these: recorded cases of a release that use the name, recorded arguments, the
expression itself, or only the source. "asked" means that the release was run (`tools/release_dates.py`). If a release
that is not recorded changed something, the evidence is its source.

## How to choose

Use `msbridge run --release 1.10 train.py`, `MSBRIDGE_RELEASE=1.10`, or `msbridge.install("1.10")`. Otherwise
`msbridge run` guesses: first a release that requirement files, setup.py or a README state, or a comment that says
nothing else, if the names in use fit it; then names and arguments that only one series accepts, within 1.x the last
release that has them all ([how often it is right](release_guess.md)); then the newest release.
`msbridge doctor train.py` reports the guess and its evidence. If the guess decides how a call is read, both say so at
its line:
`train.py:12: ops.split(x, 1, 3): axis=1, output_num=3 before 2.0, split_size_or_sections=1, axis=3 since; read as in
2.10 (guessed)`. This comes from the rows below: arguments, values that a call leaves out, and forms that are seen in
every call. Calls that only some values or dtypes read differently, such as `ops.prod` of whole numbers, share one line
of `run`; `doctor` lists them. Silent are the forms whose row in "Redefined" says why, and operators such as
`/`, which nearly every script has. There is no message if you or the project state the release, or if all releases
that fit the script agree. Old names and arguments work beside the new ones in every release; only contradictions depend
on the release.

A name of any release can be imported and used under every release, and `from ... import *` imports the names of 2.10
and those of other releases (`mappings/module_names.tsv`). `hasattr(mindspore, "ms_function")` and `getattr` answer for
the release that is followed: 2.10 does not have this name. So a feature test finds the newest way, which works. A name
that no release has, such as `mindspore.nn.Softplus`, does not exist. `__all__` and `dir` of a public module are those
of 2.10. A name that 2.10 has and msbridge lacks can be imported, and raises an error when it is used.

| Series from | What is new |
|---|---|
"""


def page() -> str:
    """Return the page."""
    series = "".join(f"| {row.first} | {row.what} |\n" for row in table("release_series.toml", Series).values())
    return f"{HEAD}{series}{_results()}{_overrides()}{_limits()}{_renamed()}{_moved()}{_defaults()}{_arguments()}"


def by_release(rows: Iterable[Row]) -> list[Row]:
    """Return rows in the order of the releases that changed something."""
    return sorted(rows, key=lambda row: (release.parse(row.since), row.name, row.expression))


def results() -> list[Row]:
    """Return the rows with an expression."""
    return by_release(row for row in every() if row.expression)


def _results() -> str:
    lines = (f"| {row.since} | `{row.expression}` | `{row.was}` | `{row.now}` |\n" for row in results())
    return (
        "\n## Results\n\nEach form is given under `--release` of its time.\n\n"
        "| since | expression | before | now |\n|---|---|---|---|\n" + "".join(lines)
    )


def _overrides() -> str:
    rows = by_release(row for row in every() if row.legacy and not row.expression)
    lines = (f"| {row.since} | `{row.name}` | {row.was} | {row.seen} | {row.evidence} |\n" for row in rows)
    kinds = "".join(f"| {kind} | {what} | {sum(row.seen == kind for row in rows)} |\n" for kind, what in SEEN.items())
    return (
        "\n## Redefined\n\nFunctions and classes. Under `--release` of an earlier one, these do what is said.\n\n"
        f"| seen in | what a script sees of it | rows |\n|---|---|---|\n{kinds}\n"
        "| since | name | before | seen in | evidence |\n|---|---|---|---|---|\n" + "".join(lines)
    )


def _limits() -> str:
    """Return the table of the recorded cases that a release's own defects make differ, and of the others, by kind."""
    known = tomllib.loads(DIFFERING.read_text(encoding="utf-8"))
    lines = []
    for version in sorted(known, key=lambda each: release.parse(each)):
        counts = Counter[str]()
        for row in known[version]:
            is_defect = row.get("is_defect", False)
            kind = next(kind for kind, words in LIMITS.items() if re.search(words, row["reason"]))
            counts[kind if is_defect else ""] += len(row["cases"])
        lines.append(f"| {version} | {' | '.join(str(counts[kind]) for kind in [*LIMITS, ''])} |\n")
    return (
        "\n## The limit\n\nRecorded cases that msbridge answers differently from the release "
        "(`tests/oracle/differing.toml`, each with its\nevidence; `python -m tests.oracle.shares` counts the shares). "
        "A release's own defects are not followed: wrong numbers,\nlost rows and errors that its documentation does "
        "not promise. They are why 99 % of all cases is missed for 1.1.1 to 1.7.0.\n\n"
        f"| release | {' | '.join(LIMITS)} | not a defect |\n|---|{'---|' * (len(LIMITS) + 1)}\n" + "".join(lines)
    )


def _renamed() -> str:
    lines = (
        f"| {row.since} | `{row.name}` | {', '.join(names)} | {row.evidence} |\n"
        for row in by_release(row for row in every() if row.arguments is not None)
        if (names := [f"`{old}` → `{new}`" for old, new in _names_since(row) if new and old != new])
    )
    return (
        "\n## Renamed\n\nArguments that mean the same under another name; the old name is that of earlier releases.\n\n"
        "| since | name | arguments | evidence |\n|---|---|---|---|\n" + "".join(lines)
    )


def _names_since(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the names of arguments before and since a change, but those of which the defaults are of other kinds."""
    change = next(each for each in changes_of(row.name) if each.row == row)
    for old, new in change.names.items():
        forms = (change.before, old), (change.since, new)
        kinds = {type(form.parameters[name].default) for form, name in forms if form and name in form.parameters}
        if len(kinds - {type, type(None), type(...)}) <= 1:
            yield old, new


def _moved() -> str:
    lines = (f"| `mindspore.{old}` | `mindspore.{new}` |\n" for old, new in sorted(MOVED.items()))
    return (
        "\n## Moved\n\nModules whose names are the same objects elsewhere; scripts may import either.\n\n"
        "| module | today |\n|---|---|\n" + "".join(lines)
    )


def _defaults() -> str:
    lines = []
    for name, rows in groupby((row for row in every() if row.is_default), key=lambda row: row.name):
        changes = list(rows)
        values = [("1.0", changes[0].was), *((row.since, row.now) for row in changes)]
        shown = "; ".join(f"{first}: `{value!r}`" for first, value in values)
        lines.append(f"| `{name}` | {shown} | {', '.join(dict.fromkeys(row.evidence for row in changes))} |\n")
    head = "\n## Defaults\n\n| what | from release: value | evidence |\n|---|---|---|\n"
    return head + "".join(sorted(lines))


def _arguments() -> str:
    lines = [f"| `{name}` | {'; '.join(steps)} | {here} |\n" for name, steps, here in changed_arguments()]
    return (
        "\n## Arguments\n\nOf the names that public scripts use. `-a`: gone, `+a`: new, `a=`: another default; in the "
        "release that is named, or one between it and the recorded one before.\n\n"
        "| name | changes | msbridge takes |\n|---|---|---|\n" + "".join(lines)
    )


def changed_arguments() -> Iterator[tuple[str, list[str], str]]:
    """Yield each name whose arguments changed, what changed, and which of the old arguments msbridge takes."""
    known = {each: recorded(each) for each in RECORDED}
    said = set()
    for name in sorted({name for each in known.values() for name in each}, key=lambda name: (len(name), name)):
        steps = list(_steps([(each, known[each].get(name)) for each in RECORDED]))
        key = (name.rpartition(".")[2], tuple(steps))
        if steps and key not in said:
            said.add(key)
            yield name, steps, _taken(name, {word for step in steps for word in _gone(step)})


@cache
def recorded(each: str) -> dict[str, list[list[str]] | None]:
    """Return the arguments with their defaults in a release, by name."""
    found: dict[str, list[list[str]] | None] = json.loads(
        gzip.decompress((NAMES / f"arguments-{each}.json.gz").read_bytes())
    )
    return found


def _steps(of_releases: list[tuple[str, list[list[str]] | None]]) -> Iterator[str]:
    """Yield what changed from a release to the next one that has the name, with a signature of its own."""
    known = [
        (each, {one[0]: one[1] for one in listed}) for each, listed in of_releases if listed and not _is_open(listed)
    ]
    for (_, before), (each, after) in pairwise(known):
        words = [f"-{word}" for word in before if word not in after] + [
            f"+{word}" for word in after if word not in before
        ]
        words += [f"{word}={after[word]}" for word in after if word in before and before[word] != after[word]]
        if words:
            yield f"{each}: `{' '.join(words)}`"


def _is_open(listed: list[list[str]]) -> bool:
    return any(name == "*args" for name, _ in listed)


def _gone(step: str) -> list[str]:
    return [word[1:] for word in step.partition(": ")[2].strip("`").split(" ") if word.startswith("-")]


def _taken(name: str, gone: set[str]) -> str:
    value: Any = found(name)
    if value is None:
        value = _under("1.10", lambda: found(name))  # an attribute only while a release that has it is followed
    if value is None:
        return "absent"
    listed = arguments(value) or []
    words = {each for each, _ in listed}
    if not gone:
        return "today's"
    for row in _rows(name.removeprefix("mindspore.")):
        if gone <= map_renamed_arguments(row, value).keys():
            return f"`--release {release.before(row.since)}` and earlier take them; else today's"
    gone = {word for word in gone if not word.startswith("*")}
    missing = sorted(gone - words) if not any(word.startswith("*") for word in words) else []
    if not missing:
        return "both"
    if taker := next((each for each in ("2.0", "1.0") if set(missing) <= _words_under(each)[name]), None):
        return f"`--release {taker}` takes {', '.join(missing)}; else today's"
    return f"today's; not {', '.join(missing)}: {LEFT_OUT[name]}"


def _rows(name: str) -> list[Row]:
    """Return the rows of a name that release 2 changed."""
    return [row for row in every() if row.name == name and release.parse(row.since) > (2, 0)]


@cache
def _words_under(followed: str) -> dict[str, set[str]]:
    """Return the arguments of every recorded name while a release is followed, which is chosen once for all of them."""
    names = {name for each in RECORDED for name in recorded(each)}
    return _under(followed, lambda: {name: _words(name) for name in names})


def _words(name: str) -> set[str]:
    try:
        return set(inspect.signature(found(name)).parameters)
    except (TypeError, ValueError):
        return set()


def _under(followed: str, ask: Callable[[], Any]) -> Any:
    """Ask while a release is followed."""
    release.set_release(followed)
    try:
        return ask()
    finally:
        release.set_release(None)


if __name__ == "__main__":
    import msbridge

    msbridge.install()
    PAGE.write_text(page(), encoding="utf-8")
