"""Write mappings/brought_names.tsv and stand_ins.tsv: what MindSpore's modules have and the rooms here have not.

    python tools/brought_names.py --oracle PYTHON     # an interpreter with the real MindSpore 2.10

`mindspore.mint.Tensor` is there because a file of MindSpore imports Tensor; scripts take such names from wherever they
find them. Names that msbridge has there anyway are left out. Of those whose origin it does not have, stand_ins.tsv
keeps the kind, or the value where it is a literal, for public modules. The modules are those of module_names.tsv.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import msbridge
from msbridge.dropin.importing import module_map

Rows = dict[tuple[str, ...], list[str]]
ROOT = Path(__file__).parent.parent
TABLE = ROOT / "mappings" / "brought_names.tsv"
STAND_INS = ROOT / "mappings" / "stand_ins.tsv"
HEADER = """\
# brought_names.tsv: a name that modules of MindSpore import and so publish too, its origin, and the modules.
# Evidence: the modules of mindspore 2.10.0; written by tools/brought_names.py.
name\torigin\tmodules
"""
HEADER_OF_STAND_INS = """\
# stand_ins.tsv: a name that modules of MindSpore have and msbridge has not, and of what kind it is; the value of a
# literal, the class of an instance, the path of a module; and the modules. Evidence: the modules of mindspore 2.10.0;
# written by tools/brought_names.py.
name\tkind\tvalue\tmodules
"""
LOOK = """
import __future__, ast, importlib, inspect, json, os, sys
from types import ModuleType
from mindspore.ops import Primitive
PUBLIC = [importlib.import_module(path) for path in (
    "mindspore", "mindspore.nn", "mindspore.ops", "mindspore.mint", "mindspore.dataset", "mindspore.train"
)]
PLAIN = (bool, int, float, str, bytes, type(None), list, tuple, dict, set)
ROOTS = (os.getcwd(), sys.prefix, sys.base_prefix)
found = {}
def origin_of(path, name, value):
    if isinstance(value, ModuleType):
        return value.__name__
    if getattr(__future__, name, None) is value:
        return "__future__." + name
    origin = f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', None)}"
    home = sys.modules.get(origin.rpartition(".")[0])
    is_own = origin == f"{path}.{name}" or getattr(home, origin.rpartition(".")[2], None) is not value
    if is_own and callable(value):  # where users find it
        handed = (f"{each.__name__}.{name}" for each in PUBLIC if getattr(each, name, None) is value)
        return next((path for path in handed if path not in sys.modules), "")
    return "" if is_own else origin
def kind_of(value):
    if isinstance(value, ModuleType):
        return "module", value.__name__
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class", ""
    if inspect.isroutine(value):
        return "function", ""
    if isinstance(value, Primitive) and not vars(type(value)).get("init_attrs"):
        try:
            if repr(type(value)()) == repr(value):
                return "instance", f"{type(value).__module__}.{type(value).__name__}"
        except Exception:
            pass
    if type(value) in PLAIN and any(root in repr(value) for root in ROOTS):  # where this script runs
        value = type(value)()
    text = repr(value)
    try:
        if type(value) in PLAIN and len(text) < 400 and ast.literal_eval(text) == value:
            return "literal", text
    except Exception:
        pass
    return "function" if callable(value) else "object", ""
for path, names in json.load(sys.stdin).items():
    try:
        module = importlib.import_module(path)
    except Exception:  # an optional package is missing
        continue
    for name in names:
        if hasattr(module, name):
            value = getattr(module, name)
            found.setdefault(path, {})[name] = [origin_of(path, name, value), *kind_of(value)]
json.dump(found, sys.stdout)
"""


def main() -> None:
    """Ask the real MindSpore, and write what is missing here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="a Python with mindspore 2.10.0")
    oracle = parser.parse_args().oracle
    TABLE.write_text(HEADER, encoding="utf-8")
    STAND_INS.write_text(HEADER_OF_STAND_INS, encoding="utf-8")
    msbridge.install()
    rows_of_ours = module_map.rows()
    elsewhere = {path for path, row in rows_of_ours.items() if row.same and module_map.facade_path(row.same) != path}
    asked = {
        path: sorted(module_map.members(path) | (module_map.names_of(path) or frozenset()))
        for path in sorted({"mindspore", *rows_of_ours, *module_map.children()} - elsewhere)
    }
    env = {**os.environ, "PYTHONPATH": "", "PYTHONHASHSEED": "0", "GLOG_v": "4"}  # sets are written in one order
    real = subprocess.run(
        [oracle, "-c", LOOK], input=json.dumps(asked), env=env, capture_output=True, check=True, text=True
    )
    brought: Rows = defaultdict(list)
    stand_ins: Rows = defaultdict(list)
    for path, names in json.loads(real.stdout).items():
        for name, (origin, kind, value) in names.items() if is_there(path) else ():
            if is_there(f"{path}.{name}") and (kind == "module") >= isinstance(found(path, name), ModuleType):
                continue
            if origin and is_everywhere(origin) and is_there(origin):
                brought[name, origin].append(path)
            elif not any(part.startswith("_") for part in path.split(".")):
                is_made = kind != "instance" or is_there(value)
                stand_ins[(name, kind, value) if is_made else (name, "function", "")].append(path)
    _write(TABLE, HEADER, brought)
    _write(STAND_INS, HEADER_OF_STAND_INS, stand_ins)


def _write(table: Path, header: str, rows: Rows) -> None:
    lines = "".join("\t".join((*key, " ".join(sorted(paths)))) + "\n" for key, paths in sorted(rows.items()))
    table.write_text(header + lines, encoding="utf-8")
    print(f"{table.name}: {len(rows)} rows, {sum(map(len, rows.values()))} names, {table.stat().st_size} bytes")


def found(path: str, name: str) -> object:
    """Return what a module has; None where it is a module that nobody has imported."""
    return getattr(importlib.import_module(path), name, None)


def is_everywhere(origin: str) -> bool:
    """Whether an origin is MindSpore's, numpy's or Python's own, so that whoever has msbridge has it."""
    first = origin.partition(".")[0]
    return first in {"mindspore", "numpy"} or first in sys.stdlib_module_names


def is_there(path: str) -> bool:
    """Whether a dotted path leads to a module, or to something in one."""
    above, _, name = path.rpartition(".")
    try:
        importlib.import_module(path)
    except ImportError:
        try:
            return hasattr(importlib.import_module(above), name) if above else False
        except ImportError:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
