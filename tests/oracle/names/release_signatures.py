"""Record the arguments of every public function, class and method of a real MindSpore 1.x.

    PYTHON tests/oracle/names/release_signatures.py

PYTHON is the interpreter of an environment with a real MindSpore 1.1 to 1.10 (of 1.1, a Python 3.7), whose names
`record.py` has recorded. `signatures-1.json.gz` has, for each path, [releases, [argument, default] pairs]: once where
releases agree.
"""

import contextlib
import gzip
import importlib
import inspect
import io
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.oracle.names.arguments import arguments  # noqa: E402

RECORD = HERE / "signatures-1.json.gz"
ROOMS = re.compile(
    r"mindspore(\.(amp|boost|communication|context|mindrecord|numpy|parallel|parallel\.nn|scipy(\.linalg)?|train"
    r"|train\.callback|common(\.(api|dtype|initializer|parameter|tensor))?|nn(\.(layer|loss|metrics|optim|wrap"
    r"|probability\.\w+|transformer))?|ops(\.(composite|functional|operations|primitive))?"
    r"|dataset(\.(audio|callback|text|transforms|vision|config)(\.(c_transforms|py_transforms|transforms|utils))?)?))?"
)
CLASSES = {"mindspore.dataset.Dataset": "mindspore.dataset.engine.datasets.Dataset"}
INFERRING = {"check_elim", "infer_dtype", "infer_shape", "infer_value", "do_infer_dtype"}  # what the compiler asks
INNER = {"parse", "parse_for_minddataset", "create_ir_tree", "to_json", "from_json", "execute_py", "reduce"}


def methods(cls):
    """Yield the names of the methods that a class defines itself or takes from a private one."""
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        is_public = not name.startswith("_") or name == "__call__"
        is_own = owner is cls or (owner.__name__.startswith("_") and owner.__module__.startswith("mindspore."))
        static = inspect.getattr_static(cls, name, None)
        is_method = not isinstance(static, property) and not inspect.isclass(static) and callable(getattr(cls, name))
        if is_public and is_own and is_method and name not in INFERRING | INNER:
            yield name


def callables(modules):
    """Yield every public callable once, with its path."""
    known = set()
    found = [(path, name) for path in sorted(modules, key=_nearest) for name in modules[path] if ROOMS.fullmatch(path)]
    for path, name in [*(path.rsplit(".", 1) for path in CLASSES), *found]:
        with contextlib.suppress(Exception):
            source, _, inner = CLASSES.get(path + "." + name, path + "." + name).rpartition(".")
            value = getattr(importlib.import_module(source), inner)
            is_own = str(getattr(value, "__module__", "mindspore")).startswith("mindspore")
            if callable(value) and is_own and not name.startswith("_") and id(value) not in known:
                known.add(id(value))
                yield path + "." + name, value
                for method in methods(value) if inspect.isclass(value) else ():
                    yield path + "." + name + "." + method, getattr(value, method)


def _nearest(path):
    return path.count("."), path


def main():
    """Ask the MindSpore of this interpreter."""
    import mindspore

    release = mindspore.__version__
    modules = json.loads(gzip.decompress((HERE / (release + ".json.gz")).read_bytes()))["modules"]
    record = json.loads(gzip.decompress(RECORD.read_bytes())) if RECORD.exists() else {}
    for forms in record.values():
        others = [[[one for one in releases if one != release], form] for releases, form in forms]
        forms[:] = [each for each in others if each[0]]
    for path, value in callables(modules):
        shown = None
        with contextlib.suppress(Exception):
            shown = arguments(value)
        if shown is not None and (not shown or not all(name.startswith("*") for name, _ in shown)):
            forms = record.setdefault(path, [])
            same = next((releases for releases, form in forms if form == shown), None)
            if same is None:
                forms.append([[release], shown])
            else:
                same.append(release)
    text = json.dumps({path: forms for path, forms in record.items() if forms}, indent=0, sort_keys=True)
    with RECORD.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode())


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main()
