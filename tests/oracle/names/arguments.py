"""Record which arguments the functions and classes that scripts use have in a real MindSpore, with their defaults.

    PYTHON tests/oracle/names/arguments.py

PYTHON is the interpreter of an environment with a real MindSpore of any release (of 1.0.0, a Python 3.7). Which names
are asked for is in `used.txt`: what public scripts of all releases use. `arguments-RELEASE.json.gz` says for each
name that the release has: [argument, default] pairs, or null where it has no signature.
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
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def found(path):
    """Return what a dotted path names; None when the release does not have it."""
    owner, _, name = path.rpartition(".")
    parts = owner.split(".")
    for end in range(len(parts), 0, -1):
        with contextlib.suppress(Exception):
            value = importlib.import_module(".".join(parts[:end]))
            for part in [*parts[end:], name]:
                value = getattr(value, part)
            return value
    return None


def arguments(value):
    """Return the arguments of a callable with their defaults; None where it has no signature."""
    asked = value.__init__ if inspect.isclass(value) else value
    asked = getattr(asked, "decorated_func", asked)
    while True:  # a decorator of 1.0.0 keeps the function in its closure
        inner = [cell.cell_contents for cell in getattr(asked, "__closure__", None) or () if _is_inner(asked, cell)]
        if hasattr(asked, "__wrapped__"):
            asked = asked.__wrapped__
        elif inner and {_name(each) for each in _parameters(asked)} <= {"self", "*args", "**kwargs"}:
            asked = inner[0]
        else:
            break
    try:
        found = _parameters(asked)
    except (TypeError, ValueError):
        return None
    shown = [[_name(each), None if each.default is each.empty else _shown(each.default)] for each in found]
    return shown[1:] if shown and shown[0][0] == "self" else shown


def _parameters(asked):
    return list(inspect.signature(asked, follow_wrapped=False).parameters.values())


def _is_inner(asked, cell):
    with contextlib.suppress(ValueError):
        return inspect.isfunction(cell.cell_contents) and cell.cell_contents.__name__ in ("__init__", asked.__name__)
    return False


def _name(parameter):
    return {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name


def _shown(default):
    text = getattr(default, "__name__", None) or ADDRESS.sub("", repr(default))
    return text if len(text) <= 60 else "..."


def main():
    """Ask the MindSpore of this interpreter."""
    record = {}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for path in (HERE / "used.txt").read_text(encoding="utf-8").split():
            value = found(path)
            if callable(value):
                record[path] = arguments(value)
    import mindspore

    text = json.dumps(record, indent=0, sort_keys=True)
    release = getattr(mindspore, "__version__", None) or "1.0.0"
    with (HERE / f"arguments-{release}.json.gz").open("wb") as file:
        file.write(gzip.compress(text.encode(), 9, **({"mtime": 0} if sys.version_info >= (3, 8) else {})))


if __name__ == "__main__":
    main()
