"""Messages for missing names of MindSpore: why, where MindSpore has it; else the name that was meant."""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from msbridge.core.checks.suggestions import nearest, synonyms
from msbridge.mappings import columns, table

# Where a name that is looked for in the wrong room may be, as far as the rooms are imported.
ROOMS = ("", "nn", "ops", "train", "dataset", "dataset.vision", "dataset.transforms", "mint", "mint.nn", "numpy", "amp")
PROBLEMS = {
    "attribute": "module {parent!r} has no attribute {name!r}.",
    "import": "cannot import name {name!r} from {parent!r}.",
    "module": "No module named {path!r}.",
}


@dataclass(frozen=True, slots=True)
class Absent:
    """A row of absent.toml or of absent_groups.toml."""

    path: str  # a MindSpore name or module, and what lies below it is absent too; or the name of a group
    absent: str  # why
    instead: str = ""  # what to use


@dataclass(frozen=True, slots=True)
class Member:
    """A row of absent_names.tsv: a MindSpore name and the group that says why it is absent."""

    name: str
    group: str


def reason(path: str) -> Absent | None:
    """Return why the name or module `path` of MindSpore is not here; None where nothing is known of it."""
    rows: Mapping[str, Absent] = table("absent.toml", Absent)
    groups: Mapping[str, Absent] = table("absent_groups.toml", Absent)
    members = _groups()
    if path in members:
        return groups[members[path]]
    above = path
    while above:
        if above in rows:
            return rows[above]
        above = above.rpartition(".")[0]
    room, _, rest = path.removeprefix("mindspore.").partition(".")
    if not rest or room not in ("common", "nn", "ops", "train"):
        return None
    public = "mindspore." if room == "common" else f"mindspore.{room}."  # where inner modules' names are public
    group = members.get(public + rest.rpartition(".")[2])
    return groups[group] if group else None


@cache
def _groups() -> Mapping[str, str]:
    """Return the group of each name that is absent."""
    rows: tuple[Member, ...] = columns("absent_names.tsv", Member)
    return {row.name: row.group for row in rows}


def message(
    path: str, names: Iterable[str] = (), problem: str = "attribute", exists: Callable[[str], object] = bool
) -> str:
    """Return the error that `path` is not available.

    Args:
        path: the full MindSpore name, e.g. "mindspore.ops.foo".
        names: what its module does have, to find the nearest among.
        problem: what was tried: "attribute", "import" or "module".
        exists: says of one of `names` whether it can be had.

    Returns:
        Why the name is absent and what to use, where MindSpore has it; else what Python would say, and what was meant.
    """
    if known := explanation(path):
        return known
    parent, _, name = path.rpartition(".")
    said = PROBLEMS[problem].format(parent=parent, name=name, path=path)
    near = guess_meaning(path, names, exists)
    if near is None:
        return said
    if problem == "module" and not near.startswith("mindspore."):
        near = f"{parent}.{near}"
    return f"{said} {explanation(near) or f'Did you mean: {near!r}?'}"


def explanation(path: str) -> str | None:
    """Return why `path` is not here and what to use, or None where MindSpore is not known to have it."""
    row = reason(path)
    if row is None:
        return None
    advice = f" Use {row.instead}." if row.instead else ""
    return f"{path} is not available in msbridge: {row.absent}.{advice}"


def guess_meaning(path: str, names: Iterable[str], exists: Callable[[str], object] = bool) -> str | None:
    """Return the probable meaning of `path`: a name beside it, or the full path of one elsewhere, or absent.

    Args:
        path: the full MindSpore name that is not there.
        names: what its module has.
        exists: says of one of `names` whether it can be had.
    """
    parent, _, name = path.rpartition(".")
    within = parent.removeprefix("mindspore.")
    absent = {known.rpartition(".")[2] for known in _groups() if known.rpartition(".")[0] == parent}
    known = synonyms(name, within)
    if said := next((other for other in known if "." in other or exists(other)), None):
        return said
    alike = nearest(name, {*names, *absent}, limit=20)
    beside = next((other for other in alike if other in absent or exists(other)), None)
    if beside is None or beside.lower() != name.lower() or _is_class(beside) != _is_class(name):
        beside = _elsewhere(parent, name) or beside
    return f"{parent}.{beside}" if beside in absent else beside


def _is_class(name: str) -> bool:
    return name[:1].isupper()


def _elsewhere(parent: str, name: str) -> str | None:
    """Return the full path under which another room has `name`."""
    for room in ROOMS:
        path = f"mindspore.{room}" if room else "mindspore"
        module = sys.modules.get("msbridge" + path.removeprefix("mindspore"))
        if module is None or parent == path or name.startswith("_"):
            continue
        if hasattr(vars(module).get(name), "__path__"):
            continue
        if name in vars(module) or name in getattr(module, "__all__", ()):  # of a package that imports its files lazily
            return f"{path}.{name}"
    return None
