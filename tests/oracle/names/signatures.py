"""Record how every public function, class and method of a real MindSpore may be called, by `inspect.signature`.

    PYTHON tests/oracle/names/signatures.py

PYTHON is the interpreter of an environment with a real MindSpore 2.10. `signatures-RELEASE.json.gz` says for each path
its parameters in order: `=` behind a name is a default, `/` before it is by place only, `:` by keyword only, `*` and
`**` are the rest. What takes anything (`*args, **kwargs`) is left out.
"""

import contextlib
import gzip
import importlib
import inspect
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.oracle.names.parameters import INFERRING, LEFT_OUT, MODULES, methods  # noqa: E402

MARKS = {
    inspect.Parameter.POSITIONAL_ONLY: "/",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "",
    inspect.Parameter.KEYWORD_ONLY: ":",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def signature(value: object) -> list[str] | None:
    """Return the parameters of a callable, marked; None where it has no signature, or takes anything."""
    try:
        found = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    words = [MARKS[each.kind] + each.name + "=" * (each.default is not each.empty) for each in found]
    return None if words and all(word.startswith("*") for word in words if word != "self") else words


def callables() -> Iterator[tuple[str, object]]:
    """Yield every public callable once, with its path: functions, classes, and the methods of classes."""
    known = set()
    for path, names in MODULES.items():
        with contextlib.suppress(Exception):
            module = importlib.import_module(path)
            for name in () if LEFT_OUT.match(path) or "._" in path else names:
                value = getattr(module, name, None)
                if name.startswith("_") or not callable(value) or id(value) in known or name == "Pool":
                    continue
                known.add(id(value))
                yield f"{path}.{name}", value
                for method, each in methods(value).items() if inspect.isclass(value) else ():
                    yield f"{path}.{name}.{method}", each


def main() -> None:
    """Ask the MindSpore of this interpreter."""
    import mindspore

    found = {path: signature(value) for path, value in callables() if path.rpartition(".")[2] not in INFERRING}
    text = json.dumps({path: words for path, words in found.items() if words is not None}, indent=0, sort_keys=True)
    (HERE / f"signatures-{mindspore.__version__}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main()
