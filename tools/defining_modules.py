"""Write mappings/defining_modules.tsv: what `__module__` of MindSpore's classes and functions says.

    python tools/defining_modules.py --oracle PYTHON     # an interpreter with the real MindSpore 2.10

Left out is what msbridge does not have, publishes under another name, or has as one thing with something whose place
is more public. A name that msbridge or MindSpore has twice is kept with the module in which users find it.
"""

import argparse
import contextlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import FunctionType

import msbridge
from msbridge.core.runtime.defining_modules import defining_module, restore

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "mappings" / "defining_modules.tsv"
HEADER = """\
# defining_modules.tsv: a module of MindSpore and the classes and functions that it defines; `found_in` is the module
# in which users find them, where their names do not tell. Evidence: mindspore 2.10.0; tools/defining_modules.py.
module\tnames\tfound_in
"""
LOOK = """
import contextlib, importlib, inspect, io, json, sys
import mindspore
found = {}
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for path in json.loads(sys.argv[1]):
        with contextlib.suppress(Exception):
            importlib.import_module(path)
for path, module in [*sys.modules.items()]:
    if path.partition(".")[0] == "mindspore" and inspect.ismodule(module):
        for name, value in [*vars(module).items()]:
            if inspect.isclass(value) or inspect.isfunction(value):
                found.setdefault(path, {})[name] = getattr(value, "__module__", None), value.__qualname__
json.dump(found, sys.stdout)
"""
Place = tuple[str, str]  # a module and a name


def main() -> None:
    """Ask the real MindSpore, find the same here, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="a Python with mindspore 2.10.0")
    TABLE.write_text(HEADER, encoding="utf-8")
    from msbridge.dropin.importing import module_map

    paths = json.dumps([path for path in module_map.module_names() if module_map.newest(path)])
    asked = subprocess.run(
        [parser.parse_args().oracle, "-c", LOOK, paths], env={**os.environ, "PYTHONPATH": "", "GLOG_v": "4"},
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    theirs = json.loads(asked.stdout)
    msbridge.install()
    places = _places(theirs)
    ours = _find(places)
    restore()
    rows = _rows(ours, places, _doubles(theirs))
    lines = sorted(f"{home}\t{' '.join(sorted(names))}\t{path}".rstrip() + "\n" for (home, path), names in rows.items())
    TABLE.write_text(HEADER + "".join(lines), encoding="utf-8")
    print(f"{len(ours)} definitions, {len(lines)} lines, {TABLE.stat().st_size} bytes")


def _places(theirs: dict[str, dict[str, tuple[str, str]]]) -> dict[Place, list[str]]:
    """Return the modules in which each definition is found by its own name, the most public one first."""
    found: dict[Place, list[str]] = defaultdict(list)
    for path, names in theirs.items():
        for name, (home, qualified) in names.items():
            if name == qualified and theirs.get(home, {}).get(name, ("",))[0] == home:
                found[home, name].append(path)
    for place, paths in found.items():
        paths.sort(key=lambda path: ("._" in path, path.count("."), path != place[0], path))
    return found


def _find(places: dict[Place, list[str]]) -> dict[Place, object]:
    """Return what msbridge has for each definition, the most public one of those that are one thing here."""
    found: dict[Place, object] = {}
    taken: set[int] = set()
    for home, name in sorted(places, key=lambda place: ("._" in places[place][0], places[place][0].count("."), place)):
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            value = getattr(importlib.import_module(home), name)
            if not isinstance(value, type | FunctionType) or value.__qualname__ != name or id(value) in taken:
                continue
            if defining_module(value).startswith("msbridge."):
                taken.add(id(value))
                found[home, name] = value
    return found


def _doubles(theirs: dict[str, dict[str, tuple[str, str]]]) -> set[str]:
    """Return the names that MindSpore or msbridge defines more than once."""
    count: dict[str, set[object]] = defaultdict(set)
    for names in theirs.values():
        for name, (home, qualified) in names.items():
            if name == qualified:
                count[name].add(home)
    text = "".join(file.read_text(encoding="utf-8") for file in ROOT.joinpath("msbridge").rglob("*.py"))
    own = Counter(re.findall(r"^(?:class|def) (\w+)", text, re.M))
    return {name for name in {*count, *own} if len(count[name]) > 1 or own[name] > 1}


def _rows(ours: dict[Place, object], places: dict[Place, list[str]], doubles: set[str]) -> dict[Place, list[str]]:
    """Return names by defining module and the module in which they are found."""
    rows: dict[Place, list[str]] = defaultdict(list)
    for (home, name), value in ours.items():
        module = sys.modules.get(defining_module(value))
        is_told = name not in doubles and module is not None and vars(module).get(name) is value
        path = "" if is_told else next(path for path in places[home, name] if _hands_out(path, name, value))
        rows[home, path].append(name)
    return rows


def _hands_out(path: str, name: str, value: object) -> bool:
    with contextlib.suppress(Exception):
        return getattr(importlib.import_module(path), name) is value
    return False


if __name__ == "__main__":
    sys.exit(main())
