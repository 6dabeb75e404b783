"""Write mappings/brought_names.tsv: what MindSpore's modules import from elsewhere and so hand on.

    python tools/brought_names.py --oracle PYTHON     # an interpreter with the real MindSpore 2.10

`mindspore.mint.Tensor` is there because a file of MindSpore imports Tensor; scripts take such names from wherever they
find them. Names that msbridge has there anyway are left out, and so are those whose origin it does not have.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import msbridge
from msbridge.dropin import forwarding

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "mappings" / "brought_names.tsv"
HEADER = """\
# brought_names.tsv: a name that modules of MindSpore import from elsewhere and so hand on, its origin, and the modules.
# Evidence: the modules of mindspore 2.10.0; written by tools/brought_names.py.
name\torigin\tmodules
"""
LOOK = """
import importlib, json, sys
from types import ModuleType
found = {}
for path in json.load(sys.stdin):
    try:
        module = importlib.import_module(path)
    except Exception:  # an optional package is missing
        continue
    for name in dir(module):
        value = getattr(module, name, None)
        if isinstance(value, ModuleType):
            origin = value.__name__
        else:
            origin = f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', None)}"
            home = sys.modules.get(origin.rpartition(".")[0])
            if getattr(home, origin.rpartition(".")[2], None) is not value:
                continue
        if not name.startswith("_") and origin != f"{path}.{name}":
            found.setdefault(path, {})[name] = origin
json.dump(found, sys.stdout)
"""


def main() -> None:
    """Ask the real MindSpore, and write what is missing here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="a Python with mindspore 2.10.0")
    oracle = parser.parse_args().oracle
    TABLE.write_text(HEADER, encoding="utf-8")
    msbridge.install()
    rows_of_ours = forwarding.rows()
    elsewhere = {path for path, row in rows_of_ours.items() if row.same and forwarding.facade_path(row.same) != path}
    paths = sorted({"mindspore", *rows_of_ours, *forwarding.parents(), *forwarding.module_names()} - elsewhere)
    real = subprocess.run(
        [oracle, "-c", LOOK], input=json.dumps(paths), env={**os.environ, "PYTHONPATH": "", "GLOG_v": "4"},
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path, names in json.loads(real.stdout).items():
        for name, origin in names.items():
            if is_there(path) and not is_there(f"{path}.{name}") and is_everywhere(origin) and is_there(origin):
                rows[name, origin].append(path)
    lines = "".join(f"{name}\t{origin}\t{' '.join(sorted(where))}\n" for (name, origin), where in sorted(rows.items()))
    TABLE.write_text(HEADER + lines, encoding="utf-8")
    print(f"{sum(map(len, rows.values()))} names of {len({path for where in rows.values() for path in where})} modules")


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
