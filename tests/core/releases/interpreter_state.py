"""What msbridge's modules and classes hold, described so that two processes can be compared.

    python -m tests.core.releases.interpreter_state FILE [RELEASE...]

follows the releases one after another, each from the start and with all public names looked up, leaves them, and writes
the description to FILE.
"""

import contextlib
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import msbridge
from msbridge.core.runtime.defining_modules import defining_module

__all__ = ["State", "describe_state", "look_up_all_names"]

State = dict[str, str]
ROOMS = (
    "mint mint.nn mint.nn.functional numpy scipy dataset.vision dataset.text dataset.audio train.callbacks "
    "nn.probability"
)
TABLES = (
    "msbridge.core.releases",
    "msbridge.core.runtime",
    "msbridge.core.errors",
    "msbridge.dropin",
)  # what was loaded
KNOWN = ("known", "_left_out", "SKIPPING")  # registries of what was loaded
DEPTH = 3


def look_up_all_names() -> None:
    """Import every public name, as a script that uses all of them."""
    for room in ROOMS.split():
        importlib.import_module(f"msbridge.{room}")
    for path, module in [*sys.modules.items()]:
        if path.startswith(("msbridge", "mindspore")) and path.count(".") < 3:
            for name in list(vars(module).get("__all__", ())):
                with contextlib.suppress(Exception):  # the release may not have it
                    getattr(module, name)


def describe_state() -> State:
    """Return a description of the values of all modules and classes of ours, but those that only releases have."""
    found: State = {}
    for path, module in [*sys.modules.items()]:
        if not path.startswith("msbridge.") or ".legacy" in path or path.startswith(TABLES):
            continue
        for name, value in _values(module):
            found[f"{path}.{name}"] = str(_describe(value))
            if isinstance(value, type) and defining_module(value) == path:
                kind = f"{path}.{name}"
                found[f"{kind} bases"] = str([_describe(each) for each in value.__mro__])
                found |= {f"{kind}.{key}": str(_describe(each)) for key, each in _values(value)}
    return found


def _values(owner: ModuleType | type) -> Iterator[tuple[str, Any]]:
    for name, value in [*vars(owner).items()]:
        if (not name.startswith("__") or isinstance(value, FunctionType)) and name not in KNOWN:
            yield name, value


def _describe(value: Any, depth: int = 0) -> Any:
    if isinstance(value, type):
        return defining_module(value), value.__qualname__  # `__module__` says what was looked up
    if isinstance(value, FunctionType):
        code = value.__code__
        place = code.co_filename, code.co_firstlineno, value.__qualname__, code.co_varnames
        cells = [cell.cell_contents for cell in value.__closure__ or () if depth < DEPTH and _is_full(cell)]
        held = value.__defaults__, value.__kwdefaults__, *cells
        return place, *(_describe(each, depth + 1) for each in held)
    if value is None or isinstance(value, int | float | str | bytes):
        return value
    if depth < DEPTH and isinstance(value, staticmethod | classmethod):
        return _describe(value.__func__, depth)
    if depth < DEPTH and isinstance(value, tuple | list | set | frozenset):
        return sorted(str(_describe(each, depth + 1)) for each in value)
    if depth < DEPTH and isinstance(value, dict):
        return sorted(
            (str(key), str(_describe(each, depth + 1))) for key, each in value.items() if isinstance(key, str)
        )
    if depth < DEPTH and type(value).__module__.startswith("msbridge.") and hasattr(value, "__dict__"):
        return type(value).__qualname__, _describe(vars(value), depth)
    return type(value).__qualname__


def _is_full(cell: Any) -> bool:
    with contextlib.suppress(ValueError):
        return cell.cell_contents is not None
    return False


if __name__ == "__main__":
    msbridge.install()
    for release in (*sys.argv[2:], None):
        msbridge.set_release(release)
        look_up_all_names()
    Path(sys.argv[1]).write_text(json.dumps(describe_state()), encoding="utf-8")
