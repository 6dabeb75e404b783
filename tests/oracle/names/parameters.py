"""Record the parameters of every public function, class and method of a real MindSpore.

    PYTHON tests/oracle/names/parameters.py

PYTHON is the interpreter of an environment with a real MindSpore 2.10. `parameters-RELEASE.json.gz` says for each path
what its parameters are called, in order, each with its default, or null: by its signature; and where it has none,
because C++ implements it, the names only, by the calls that its documentation begins with.
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
from types import ModuleType

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.oracle.names.arguments import arguments  # noqa: E402

RECORD = json.loads(gzip.decompress((HERE / "2.10.0.json.gz").read_bytes()))
MODULES = {path: RECORD["modules"][path] for path in sorted(RECORD["packages"], key=lambda path: path.count("."))}
LEFT_OUT = re.compile(r"mindspore\.(profiler|rewrite|parallel|safeguard|train\.\w+_pb2|boost|run_check|ops\.\w+\.)")
INFERRING = {"check_elim", "infer_dtype", "infer_shape", "infer_value"}  # what the compiler asks of a primitive
BRACKETS = re.compile(r"\[[^\]]*\]|\([^)]*\)")


def documented(name: str, text: str) -> list[list[str]]:
    """Return the parameters of each call that a documentation begins with."""
    calls = re.findall(rf"^\s*(?:\.\. \w+:: )?(?:[\w.]+\.)?{re.escape(name)}\((.*?)\)(?:\s*->.*)?\s*$", text, re.M)
    words = [[re.match(r"\s*(\*{0,2}\w+)", word) for word in BRACKETS.sub("", call).split(",")] for call in calls]
    return [[word[1] for word in call if word and word[1] not in ("self", "cls")] for call in words]


def parameters(name: str, value: object) -> list[list[object]]:
    """Return the parameters of a callable, once for each way in which it is called."""
    found = arguments(value)
    if found is None or all(word.startswith("*") for word, _ in found):
        return documented(name, getattr(value, "__doc__", None) or "")
    return [[pair for pair in found if pair[0] not in ("self", "cls")]]


def methods(cls: type) -> dict[str, object]:
    """Return the public methods that a class defines itself or takes from a private one; those of C++ of Tensor."""
    found = {}
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        static = inspect.getattr_static(cls, name, None)
        module = str(getattr(owner, "__module__", ""))
        is_own = owner is cls or (owner.__name__.startswith("_") and module != "mindspore._c_expression")
        is_own = is_own or (cls.__name__ == "Tensor" and module == "mindspore._c_expression")
        if (name.startswith("_") and name != "__call__") or isinstance(static, property) or inspect.isclass(static):
            continue
        if name in INFERRING:
            continue
        if is_own and module.startswith("mindspore") and callable(getattr(cls, name)):
            found[name] = getattr(cls, name)
    return found


def main() -> None:
    """Ask the MindSpore of this interpreter."""
    import mindspore

    record, known = {}, set()
    for path, names in MODULES.items():
        with contextlib.suppress(Exception):
            module = importlib.import_module(path)
        if not isinstance(module, ModuleType) or LEFT_OUT.match(path) or "._" in path:
            continue
        for name in names:
            value = getattr(module, name, None)
            if name.startswith("_") or not callable(value) or id(value) in known or name == "Pool":
                continue
            known.add(id(value))
            inside = methods(value) if inspect.isclass(value) else {}
            for inner, each in {name: value, **{f"{name}.{method}": each for method, each in inside.items()}}.items():
                with contextlib.suppress(Exception):
                    record[f"{path}.{inner}"] = parameters(inner.rpartition(".")[2], each)
    text = json.dumps({path: calls for path, calls in record.items() if any(calls)}, indent=0, sort_keys=True)
    (HERE / f"parameters-{mindspore.__version__}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main()
