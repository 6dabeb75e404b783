"""Write docs/releases.md, what changed between releases of MindSpore and what msbridge does, from the tables.

python tools/releases_page.py
"""

import gzip
import importlib
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "releases.md"
NAMES = ROOT / "tests" / "oracle" / "names"
RECORDED = ("1.0.0", "2.0.0", "2.7.0", "2.10.0")
sys.path.append(str(NAMES))

from arguments import arguments, found  # noqa: E402

from msbridge.core.releases import overrides, release  # noqa: E402
from msbridge.core.releases.signature_overrides import earlier_names  # noqa: E402
from msbridge.dropin.era import Era  # noqa: E402
from msbridge.dropin.postmortem.changed_results import Change  # noqa: E402
from msbridge.mappings import table  # noqa: E402

LEFT_OUT = {
    "mindspore._checkparam.check_bool": "MindSpore's own modules give it by position",
    "mindspore.parallel._utils._to_full_tensor": "the number of processes is that of the launcher",
    "mindspore.nn.layer.normalization._BatchNorm": "scripts import the base for `isinstance`",
}
"""Why arguments of a name that are gone are not taken under any release."""

_DATA = ("", ".transforms", ".vision", ".transforms.c_transforms", ".transforms.py_transforms", ".vision.c_transforms")
_KINDS = ("operations", "functional", "operations._grad_ops", "operations._sequence_ops", "operations._scalar_ops")
PUBLIC = (
    *("mindspore", "mindspore.nn", "mindspore.ops", "mindspore.train", *(f"mindspore.dataset{each}" for each in _DATA)),
    *("mindspore.dataset.vision.py_transforms", "mindspore.mindrecord", "mindspore.nn.probability.distribution"),
    *(f"mindspore.ops.{each}" for each in _KINDS),
    *("mindspore.train.serialization", "mindspore.context", "mindspore.common.dtype"),
)
"""Where scripts find names; the page calls a thing by the first that has it."""

HEAD = """# What changed between releases, and which one msbridge follows

Written by `python tools/releases_page.py` from the tables in `mappings/`, the rooms' rows of earlier parts and the
recorded arguments of 1.0.0, 2.0.0, 2.7.0 and 2.10.0; tests compare, and evaluate every expression under both releases.

## How to choose

`msbridge run --release 1.10 train.py`, `MSBRIDGE_RELEASE=1.10`, or `msbridge.install("1.10")`. Without that,
`msbridge run` guesses: a release that requirement files, setup.py, a README or the script's comments state, where the
names in use fit it; else names and arguments that only one era accepts; else the newest. `msbridge doctor train.py`
tells the guess and its evidence. Old names and arguments are served beside the new ones whatever is followed; only
what cannot be both depends on the release.

A name that some release had can be imported and used under every release, and `from ... import *` hands out what 2.10's
does and what other releases' did. `hasattr(mindspore, "ms_function")` and `getattr` answer as the release that is
followed: 2.10 does not have it. A feature test so finds the newest way, which works. What no release has, such as
`mindspore.nn.Softplus`, does not exist. What a star hands out is in `mappings/module_names.tsv`. `__all__` and `dir` of
a public module are those of 2.10. What 2.10 has and msbridge has not can be imported, and says so where it is used.

| era from | what is new in it |
|---|---|
"""


def changes() -> Mapping[str, Change]:
    """Return the rows of changes.toml."""
    rows: Mapping[str, Change] = table("changes.toml", Change)
    return rows


def parts() -> list[overrides.Earlier]:
    """Return the rows of earlier parts of all rooms."""
    later = (
        "nn.probability.distribution",
        "ops.training.gradient_primitives",
        "ops.framework.python_values.scalars",
        "ops.framework.python_values.sequences",
    )
    for path in (*PUBLIC, *(f"msbridge.{room}" for room in ("nn", "ops", "dataset", "train", *later))):
        importlib.import_module(path)
    return sorted(overrides.every(), key=lambda row: (release.parse(row.until), row.place))


def page() -> str:
    """Return the page."""
    eras = "".join(f"| {row.first} | {row.what} |\n" for row in table("eras.toml", Era).values())
    return f"{HEAD}{eras}{_results()}{_places()}{_defaults()}{_arguments()}"


def since() -> dict[str, str]:
    """Return the first release that has today's form, by place."""
    return {row.place: row.until for row in parts()}


def _results() -> str:
    known = since()
    rows = sorted(changes().values(), key=lambda row: (release.parse(known[row.place]), row.expression))
    lines = (f"| {known[row.place]} | `{row.expression}` | `{row.was}` | `{row.now}` |\n" for row in rows)
    return (
        "\n## Results\n\nEach form is given under `--release` of its time.\n\n"
        "| since | expression | before | now |\n|---|---|---|---|\n" + "".join(lines)
    )


def _places() -> str:
    lines = []
    for until, rows in groupby(parts(), key=lambda row: row.until):
        release.set_release(release.before(until))
        lines.append(f"| {until} | {'; '.join(sorted({row.seen or f'`{public(row.place)}`' for row in rows}))} |\n")
    release.set_release(None)
    return (
        "\n## All that is put in place\n\nWhere an earlier release is followed, these are as they were before the "
        "release of the row.\n\n| since | what |\n|---|---|\n" + "".join(lines)
    )


def public(place: str) -> str:
    """Return the name by which scripts know a place, in the release that is followed; a class for its construction.

    Raises:
        LookupError: there is none; then the row says what users notice.
    """
    words = place.split(".")
    length = next(end for end in range(len(words), 0, -1) if ".".join(["msbridge", *words[:end]]) in sys.modules)
    holder, member = words[length], ".".join(words[length + 1 :])
    value = getattr(sys.modules[".".join(["msbridge", *words[:length]])], holder)
    offering = [path for path in PUBLIC if getattr(importlib.import_module(path), holder, None) is value]
    if not offering or any(part.startswith("_") and not part.endswith("__") for part in (holder, member)):
        raise LookupError(f"{place} is not public: its row needs `seen`")
    public = f"{offering[0]}.{holder}".removeprefix("mindspore.")
    if member in ("__repr__", "__str__", "extend_repr"):
        return f"repr({public})"
    return public if member in ("", "__init__", "__new__", "construct") else f"{public}.{member}"


def _defaults() -> str:
    lines = []
    for name, row in release._defaults().items():
        values = [("1.0", row["default"]), *((each["since"], each["default"]) for each in row["changed"])]
        lines.append(f"| `{name}` | " + "; ".join(f"{first}: `{value!r}`" for first, value in values) + " |\n")
    return "\n## Defaults\n\n| what | from release: value |\n|---|---|\n" + "".join(lines)


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
        return "absent"
    listed = arguments(value) or []
    words = {each for each, _ in listed}
    if not gone:
        return "today's"
    until, names = earlier_names(name.removeprefix("mindspore."), value)
    if until and gone <= names.keys():
        return f"`--release {release.before(until)}` and earlier take them; else today's"
    gone = {word for word in gone if not word.startswith("*")}
    missing = sorted(gone - words) if not any(word.startswith("*") for word in words) else []
    if not missing:
        return "both"
    if taker := next((each for each in ("2.0", "1.0") if set(missing) <= _words_under(each, name)), None):
        return f"`--release {taker}` takes {', '.join(missing)}; else today's"
    return f"today's; not {', '.join(missing)}: {LEFT_OUT[name]}"


def _words_under(followed: str, name: str) -> set[str]:
    """Return the arguments of a name while a release is followed."""
    release.set_release(followed)
    try:
        return set(inspect.signature(found(name)).parameters)
    except (TypeError, ValueError):
        return set()
    finally:
        release.set_release(None)


if __name__ == "__main__":
    import msbridge

    msbridge.install()
    PAGE.write_text(page(), encoding="utf-8")
