"""Write mappings/module_names.tsv: what `from module import *` brings in MindSpore, and what `dir(module)` has.

    python tools/module_names.py --oracle PYTHON     # an interpreter with the real MindSpore 2.10

The names of 2.10 are asked of the real one: the `__all__` of a module, or what it has without an underscore; then
what else it has, before the modules below it are imported; of all public modules, and of others that are here. Rows of
their own hold the names that recorded releases had in the module (tests/oracle/names) and those that public scripts
take from it (names.tsv), where 2.10 has them no longer. `tools/brought_names.py` goes next.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from coverage_page import Name

import msbridge
from msbridge.dropin.importing import module_map
from msbridge.mappings import columns

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "mappings" / "module_names.tsv"
WHOLE = ("2.0.0", "1.0.0")  # releases of which all names are written
USED = ("1.10.0", "1.8.1", "1.7.0", "1.5.2", "1.3.0", "1.1.1")  # of which those are written that public scripts use
HEADER = """\
# module_names.tsv: what `from module import *` brings, the names of the modules in `includes` among them, what else
# the module has, whether it has `__all__`, and what `__all__` lists that the module lacks; without a release that of
# 2.10, else what others had besides; "other" is what only public scripts take from it, which `import *` does not
# bring. Evidence: mindspore 2.10.0, 2.0.0, 1.10.0 to 1.0.0, and public scripts; written by tools/module_names.py.
module\trelease\tincludes\tnames\tbeside\tlisted\tlacking
"""
LOOK = """
import contextlib, importlib, io, json, pkgutil, sys
from types import ModuleType
import mindspore
LEFT_OUT = {"akg", "bin", "include", "lib", "libs", "ops_generate", "tools"}
found = {}
def note(path):
    module = sys.modules[path]
    if not isinstance(module, ModuleType):
        return
    listed = vars(module).get("__all__")
    if listed is None:
        listed = [name for name in vars(module) if not name.startswith("_")]
    listed = {n for n in listed if isinstance(n, str)}
    names = {n for n in listed if n.isidentifier() and hasattr(module, n)}
    found.setdefault(path, (sorted(names), dir(module), "__all__" in vars(module), sorted(listed - names)))
def walk(package):
    for entry in pkgutil.iter_modules(package.__path__):
        path = f"{package.__name__}.{entry.name}"
        if package is mindspore and entry.name in LEFT_OUT:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                importlib.import_module(path)
        except Exception:  # an optional package is missing
            continue
        note(path)
        if entry.ispkg:
            walk(sys.modules[path])
for path in [path for path in sys.modules if path.partition(".")[0] == "mindspore"]:
    note(path)  # before the walk binds modules below them
walk(mindspore)
json.dump(found, sys.stdout)
"""
MIN_NAMES = 6  # fewer names than this are written out rather than included


def main() -> None:
    """Ask the real MindSpore, add what the records say of others, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="a Python with mindspore 2.10.0")
    oracle = parser.parse_args().oracle
    asked = subprocess.run(
        [oracle, "-c", LOOK], env={**os.environ, "PYTHONPATH": "", "GLOG_v": "4"}, capture_output=True, check=True,
        text=True,
    )  # fmt: skip
    msbridge.install()
    answers = {path: answer for path, answer in json.loads(asked.stdout).items() if "._" not in path or is_served(path)}
    newest = {path: frozenset(names) for path, (names, *_) in answers.items()}
    rows = dict(_newest(newest))
    for path, (names, members, is_listed, lacking) in answers.items():
        beside = sorted(name for name in {*members} - {*names} if name.isidentifier() and not name.startswith("__"))
        rows[path] += f"\t{' '.join(beside)}\t{'true' if is_listed else ''}\t{' '.join(lacking)}"
    others = _legacy_names({path: {*names, *members} for path, (names, members, *_) in answers.items()})
    known = module_map.module_names().items()
    unrecorded = (path for path, found in known if path not in rows and not any(row.names for row in found))
    lines = [*map(str.rstrip, rows.values()), *others, *(f"{path}\tother" for path in unrecorded)]
    TABLE.write_text(HEADER + "".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")
    print(f"{len(newest)} modules, {len(lines)} lines, {TABLE.stat().st_size} bytes")


def is_served(path: str) -> bool:
    """Whether msbridge has more of a MindSpore module than its names."""
    if path == "mindspore":
        return True
    found = module_map.locate(path)
    return found is not None and is_served(path.rpartition(".")[0])


def _newest(names: dict[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Write each module by the modules whose names it has, and the rest."""
    for path, own in names.items():
        within = [other for other in names if names[other] < own]
        included, rest = [], set(own)
        while within:
            best = max(within, key=lambda other: (len(names[other] & rest), other))
            if len(names[best] & rest) < MIN_NAMES:
                break
            included.append(best)
            rest -= names[best]
        yield path, f"{path}\t\t{' '.join(included)}\t{' '.join(sorted(rest))}"


def _legacy_names(known: dict[str, set[str]]) -> Iterator[str]:
    """Write what modules had that they have no longer: in recorded releases, and in public scripts."""
    known = defaultdict(set, known)
    taken = used()
    sources = {version: recorded(version) for version in WHOLE}
    for version in USED:
        sources[version] = {path: names & taken[path] for path, names in recorded(version).items()}
    sources["other"] = taken
    for version, modules in sources.items():
        for path, names in modules.items():
            if (path in known or is_served(path)) and (more := names - known[path]):
                known[path] |= more
                yield f"{path}\t{'.'.join(version.split('.')[:2])}\t\t{' '.join(sorted(more))}"


def recorded(version: str) -> dict[str, set[str]]:
    """Return the names of a recorded release by module."""
    content = gzip.decompress((ROOT / "tests/oracle/names" / f"{version}.json.gz").read_bytes())
    return {path: set(names) for path, names in json.loads(content)["modules"].items()}


def used() -> dict[str, set[str]]:
    """Return the names that public scripts take from modules."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in columns("names.tsv", Name):
        path, _, name = row.name.rpartition(".")
        if not name.startswith("_") and not is_served(row.name):
            found[path].add(name)
    return found


if __name__ == "__main__":
    sys.exit(main())
