"""Write docs/coverage.md: which names of MindSpore, of every release and of public scripts, msbridge has, and why not.

    python tools/coverage_page.py

Presence is not correctness: that the results are MindSpore's is for the tests.
"""

import gzip
import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest.mock import patch

from msbridge.core.releases.release import set_release
from msbridge.dropin.importing import missing_names
from msbridge.dropin.importing.install import install
from msbridge.dropin.importing.missing_names import reason
from msbridge.dropin.stand_ins import stands_in
from msbridge.mappings import columns

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "coverage.md"
RECORDS = ROOT / "tests" / "oracle" / "names"
NEWEST, *OLDER = ("2.10.0", "2.0.0", "1.0.0")
EVERY = ("1.0.0", "1.1.1", "1.3.0", "1.5.2", "1.7.0", "1.8.1", "1.10.0", "2.0.0", "2.10.0")
PUBLIC = {
    "": "amp boost communication context dataset experimental hal mindrecord mint nn numpy ops parallel profiler"
    " rewrite runtime scipy train utils",
    "common.": "api dtype initializer parameter",
    "communication.": "management",
    "compression.": "common quant",
    "dataset.": "audio config engine text transforms vision",
    "dataset.audio.": "transforms utils",
    "dataset.text.": "transforms utils",
    "dataset.transforms.": "c_transforms py_transforms transforms",
    "dataset.vision.": "c_transforms py_transforms transforms utils",
    "explainer.": "benchmark explanation",
    "nn.": "dynamic_lr layer learning_rate_schedule loss metrics optim probability sparse transformer wrap",
    "nn.probability.": "bijector bnn_layers distribution dpn infer toolbox transforms zhusuan",
    "ops.": "composite functional operations",
    "parallel.": "algo_parameter_config nn",
    "scipy.": "linalg optimize",
    "train.": "amp callback loss_scale_manager metrics model quant serialization summary",
}
"""The modules whose names the API pages of releases list, as their addresses or in `import` lines of their examples."""
UNSAID = "not built yet"
NEVER = f"none of {NEWEST}, {OLDER[0]} and {OLDER[1]} has it at this path"

HEAD = """# Coverage of MindSpore's API

This page lists which MindSpore names exist in msbridge, and why the others are missing. A name on this page can be
imported; the tests check that it is right. `python tools/coverage_page.py` writes the page from the names of the real
releases, found by introspection (`tests/oracle/names`), and of public scripts (`mappings/names.tsv`).
"""


@dataclass(frozen=True, slots=True)
class Name:
    """A row of names.tsv: a MindSpore name, and how often scripts of 2.x and of 1.x use it."""

    name: str
    uses_2x: int = 0
    uses_1x: int = 0

    @property
    def uses(self) -> int:
        """All uses together."""
        return self.uses_2x + self.uses_1x


@dataclass(frozen=True, slots=True)
class Release:
    """The public names of a real release.

    Attributes:
        rooms: dotted names by package, those of its modules included; a name that several modules publish counts once
            in each package.
        classes: dotted names by class.
    """

    rooms: Mapping[str, tuple[str, ...]]
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def everything(self) -> set[str]:
        """Return all names, of rooms and classes."""
        return {name for group in (*self.rooms.values(), *self.classes.values()) for name in group}


def release(version: str) -> Release:
    """Read the record of a release."""
    record = json.loads(gzip.decompress((RECORDS / f"{version}.json.gz").read_bytes()))
    packages = set(record["packages"])
    rooms: dict[str, dict[str, str]] = {}
    for module, names in record["modules"].items():
        room = module if module in packages else module.rpartition(".")[0]
        known = rooms.setdefault(room, {})
        for name in names:
            known.setdefault(name, f"{module}.{name}")
    classes = {path: tuple(f"{path}.{name}" for name in names) for path, names in record["classes"].items()}
    return Release({room: tuple(known.values()) for room, known in rooms.items() if known}, classes)


@cache
def resolves(name: str) -> bool:
    """Whether a script that writes the dotted `name` gets what it means; modules on the way are imported."""
    first, *rest = name.split(".")
    found, path = importlib.import_module(first), first
    for part in rest:
        path = f"{path}.{part}"
        try:
            found = attribute_of(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return _is_in_module(name)
    return not stands_in(found)


def attribute_of(found: object, name: str) -> object:
    """Return what a script gets that writes `found.name`; `getattr` finds no names of other releases than 2.10."""
    return eval(f"found.{name}", {"found": found})


def _is_in_module(name: str) -> bool:
    """Whether a module has a name that a function of its path hides, as `scipy.optimize.minimize.OptimizeResults`."""
    path, _, inner = name.rpartition(".")
    while path:
        try:
            return not stands_in(attribute_of(importlib.import_module(path), inner))
        except ImportError:
            path, _, outer = path.rpartition(".")
            inner = f"{outer}.{inner}"
        except AttributeError:
            return False
    return False


def public_names(version: str) -> list[str]:
    """Return the names in the public modules of a release: their `__all__`, or what they define."""
    modules = json.loads(gzip.decompress((RECORDS / f"{version}.json.gz").read_bytes()))["modules"]
    paths = ["mindspore", *(f"mindspore.{room}{name}" for room, names in PUBLIC.items() for name in names.split())]
    return [f"{path}.{name}" for path in paths for name in modules.get(path, ()) if not name.startswith("_")]


def shares_by_release() -> list[str]:
    """Return the section on public names, each release looked up while it is followed."""
    lines = ["## Public names, release by release", ""]
    lines.append(
        "Public is what the modules of a release's API pages publish: `mindspore`, `nn`, `ops`, `numpy`, `dataset`, "
        "`train`, and what these list below them (`PUBLIC` in the tool). `--release` is that of the row."
    )
    lines += ["", "| release | names | here | | absent |", "|---|---:|---:|---:|---|"]
    for version in EVERY:
        set_release(version)
        resolves.cache_clear()
        names = public_names(version)
        absent = [name for name in names if not resolves(name)]
        shown = ", ".join(f"`{name}`" for name in sorted({name.rpartition(".")[2] for name in absent}))
        share = 100 * (1 - len(absent) / len(names))
        lines.append(f"| {version} | {len(names)} | {len(names) - len(absent)} | {share:.1f} % | {shown} |")
    set_release(None)
    resolves.cache_clear()
    return lines


def page(releases: Mapping[str, Release], used: Iterable[Name], by_release: Callable[[], list[str]] = list) -> str:
    """Return the page: shares by room, then what is absent and why.

    Args:
        releases: by version, the newest first.
        used: the rows of names.tsv.
        by_release: returns the section on the public names of each release; it is asked last, as it follows releases.
    """
    newest, *older = releases
    now = releases[newest]
    gone = {version: _without(releases[version], now.everything()) for version in older}
    absent = sorted({name for one in (now, *gone.values()) for name in one.everything() if not resolves(name)})
    lines = ["", f"## Names of {newest}, of all its modules", *_shares(now)]
    for version, names in gone.items():
        lines += ["", f"## Names of {version} that {newest} no longer has", *_shares(names)]
    known = set().union(*(one.everything() for one in releases.values()))
    lines += ["", "## Names that public scripts use", *_used(tuple(used), known)]
    lines += ["", "## What is absent, and why", *_reasons(absent)]
    return "\n".join([HEAD, *by_release(), *lines]) + "\n"


def _without(old: Release, names: set[str]) -> Release:
    rooms = {room: tuple(one for one in group if one not in names) for room, group in old.rooms.items()}
    return Release({room: group for room, group in rooms.items() if group})


def _shares(names: Release) -> Iterator[str]:
    yield from ("", "| room | names | here | |", "|---|---:|---:|---:|")
    for group in (names.rooms, names.classes):
        for room, members in sorted((room, members) for room, members in group.items() if members):
            yield _share(f"`{room}`", len(members), sum(map(resolves, members)))
    yield _share("**all**", len(names.everything()), sum(map(resolves, names.everything())))


def _share(title: str, count: int, here: int) -> str:
    return f"| {title} | {count} | {here} | {100 * here / count:.1f} % |"


def _used(names: tuple[Name, ...], known: set[str]) -> Iterator[str]:
    rooms = {name.rpartition(".")[0] for name in known}
    here = [name for name in names if resolves(name.name)]
    uses, uses_here = (sum(name.uses for name in group) for group in (names, here))
    share = 100 * uses_here / max(1, uses)
    yield from (
        "",
        f"{len(here)} of {len(names)} names, which are {share:.2f} % of {uses} uses, resolve. The others:",
        "",
    )
    yield from ("| absent | uses in 2.x | in 1.x | why |", "|---|---:|---:|---|")
    for name in sorted(set(names) - set(here), key=lambda name: (-name.uses, name.name)):
        why = _why(name.name)
        if why == UNSAID and name.name not in known and name.name.rpartition(".")[0] in rooms:
            why = NEVER
        yield f"| `{name.name}` | {name.uses_2x} | {name.uses_1x} | {why} |"


def _reasons(absent: Iterable[str]) -> Iterator[str]:
    by_reason: dict[str, dict[str, list[str]]] = {}
    for name in absent:
        room, _, own = name.rpartition(".")
        by_reason.setdefault(_why(name), {}).setdefault(room, []).append(own)
    for why, rooms in sorted(by_reason.items()):
        yield from ("", f"**{why[0].upper()}{why[1:]}.**", "")
        for room, names in rooms.items():
            yield f"- `{room}`: {', '.join(f'`{name}`' for name in names)}"


def _why(name: str) -> str:
    row = reason(name)
    if row is None:
        return UNSAID
    return f"{row.absent}; use {row.instead}" if row.instead else row.absent


def written() -> str:
    """Return the page as it is to be, once `mindspore` is msbridge."""
    with patch.object(missing_names, "guess_meaning", return_value=None):  # what was meant is nine tenths of the time
        releases = {version: release(version) for version in (NEWEST, *OLDER)}
        return page(releases, columns("names.tsv", Name), shares_by_release)


if __name__ == "__main__":
    install()
    PAGE.write_text(written(), encoding="utf-8")
