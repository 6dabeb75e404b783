"""Equivalents of torch's names in MindSpore, and in what the two differ."""

import importlib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from msbridge.core.checks.suggestions import synonyms
from msbridge.scan.torch_names.rows import row_of, rows

__all__ = [
    "Counterpart",
    "cell_of",
    "counterpart",
    "counterparts_of",
    "differences",
    "is_module",
    "needless",
    "strip_attributes",
    "table_row",
]

# Where a name of torch's module may be in MindSpore under the same name, the likeliest first.
SAME = (
    ("torch.nn.functional.", ("mindspore.mint.nn.functional.", "mindspore.ops.")),
    ("torch.nn.", ("mindspore.mint.nn.", "mindspore.nn.")),
    ("torch.optim.lr_scheduler.", ("mindspore.experimental.optim.lr_scheduler.",)),
    ("torch.optim.", ("mindspore.mint.optim.", "mindspore.nn.")),
    ("torch.distributed.", ("mindspore.mint.distributed.",)),
    ("torch.", ("mindspore.mint.", "mindspore.ops.", "mindspore.")),
    ("torchvision.transforms.", ("mindspore.dataset.vision.",)),
)


DEPRECATED = {"_stacklevel", "reduce", "size_average"}  # arguments of torch that nobody should pass


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A name of torch, and one of MindSpore."""

    torch: str  # the name of torch
    mindspore: str  # what it is called in MindSpore
    agreement: str = ""  # "consistent" or "differs": whether the arguments agree; "" where nobody has said it


@cache
def counterpart(path: str) -> Counterpart | None:
    """Return MindSpore's counterpart of a torch name, by the tables, or of the same name; None where none is known."""
    return _look_up(path) or _look_up(_shortest(path))


def table_row(path: str) -> Counterpart | None:
    """Return the table's row of a name of torch, which imports nothing; None where there is none."""
    return _table().get(path)


def counterparts_of(path: str) -> list[Counterpart]:
    """Return the names of torch that a full path of MindSpore answers to: of the tables, or of the same name."""
    from msbridge.converters.names.parameter_table import layers  # which imports torch

    known = {name: row for name, row in _table().items() if row.mindspore == path}
    known |= {row.name: Counterpart(row.name, path) for row in rows().values() if row.written == path}
    cells = [row.torch for row in layers().values() if row.cell == path]
    alike = [torch + path.removeprefix(other) for torch, others in SAME for other in others if path.startswith(other)]
    named = (one for one in (*cells, *alike) if not one.startswith("torch.ops."))  # which has every name
    others = (one for one in dict.fromkeys(named) if one not in known and _resolve_path(one) is not None)
    values = [_resolve_path(name) for name in known]
    same = [
        Counterpart(one, path, "differs") for one in others if not any(_resolve_path(one) is each for each in values)
    ]
    return [*known.values(), *same]


def _look_up(path: str) -> Counterpart | None:
    if row := _table().get(path):
        return row
    module, _, name = path.rpartition(".")
    if said := synonyms(name, module.removeprefix("torch").strip(".")):
        within = "mindspore." + module.removeprefix("torch").strip(".")
        return Counterpart(path, said[0] if "." in said[0] else f"{within.rstrip('.')}.{said[0]}", "differs")
    for start, others in SAME:
        if path.startswith(start):
            for other in others:
                if _is_offered(candidate := other + path.removeprefix(start)):
                    return Counterpart(path, candidate)
    written = row_of(path)
    return Counterpart(path, written.written, "differs") if written and written.written else None


def needless(path: str) -> str:
    """Return why nothing of MindSpore has to be written in place of a torch name; "" where something has."""
    row = row_of(path)
    return row.needless if row else ""


def _shortest(path: str) -> str:
    """Return the shortest path under which torch offers the same, such as torch.nn.Linear for its module's."""
    value, names = _resolve_path(path), path.split(".")
    if value is None or isinstance(value, ModuleType):
        return path
    shorter = (".".join([*names[:count], names[-1]]) for count in range(1, len(names) - 1))
    return next((one for one in shorter if _resolve_path(one) is value), path)


def _is_offered(path: str) -> bool:
    """Whether a path leads to something that MindSpore offers there, rather than to what its module has imported."""
    owner, _, name = path.rpartition(".")
    value, module = _resolve_path(path), _resolve_path(owner)
    if value is None or isinstance(value, ModuleType) or not isinstance(module, ModuleType):
        return value is not None and not isinstance(value, ModuleType)
    if listed := getattr(module, "__all__", ()):
        return name in listed
    of = getattr(value, "__module__", None) or type(value).__module__
    return not str(of).startswith("torch")


def differences(row: Counterpart) -> Iterator[str]:
    """Yield in what two counterparts differ: their arguments, by name and default, and the names of parameters."""
    ours, theirs = _arguments(row.mindspore), _arguments(row.torch)
    if theirs and ours:
        if gone := [name for name in theirs if name not in ours and name not in DEPRECATED]:
            yield f"no argument {', '.join(gone)}"
        if new := [name for name in ours if name not in theirs]:
            yield f"arguments of its own: {', '.join(new)}"
        for name in theirs:
            if name in ours and ours[name] != theirs[name]:
                yield f"{name} is {_default(ours[name])}, torch's is {_default(theirs[name])}"
        both = [name for name in theirs if name in ours]
        if both != [name for name in ours if name in theirs]:
            yield "another order of arguments"
    elif row.agreement == "differs":
        yield "names, order, types or defaults of the arguments"


@cache
def strip_attributes(path: str) -> str:
    """Return the path without what is an attribute of a class or function, unless the tables know it."""
    names = path.split(".")
    for count in range(2, len(names) + 1):
        above = ".".join(names[:count])
        if not is_module(above) and path not in _table():
            return above
    return path


def cell_of(path: str) -> str:
    """Return the Cell that answers to a torch layer, with what it calls the parameters; "" where the table has none."""
    from msbridge.converters.names.parameter_table import layers  # which imports torch

    row = layers().get(path)
    if row is None:
        return ""
    renamed = ", ".join(f"{torch} → {cell}" for torch, cell in row.rename.items())
    return f"{row.cell}{f', whose parameters are {renamed}' if renamed else ''}"


@cache
def is_module(path: str) -> bool:
    """Whether a path is that of a module of torch."""
    if isinstance(_resolve_path(path), ModuleType):
        return True
    return _resolve_path(path) is None and any(
        name.startswith(f"{path}.") for name in _table()
    )  # of a package that is not here


@cache
def _table() -> Mapping[str, Counterpart]:
    named = {row.name: Counterpart(row.name, row.mindspore, row.agreement) for row in rows().values() if row.mindspore}
    said = (row for row in rows().values() if row.agreement and not row.mindspore)
    return named | {row.name: Counterpart(row.name, row.written, row.agreement) for row in said}


def _arguments(path: str) -> dict[str, Any]:
    """Return the arguments of a function or class with their defaults; nothing where Python does not know them."""
    try:
        parameters = inspect.signature(_resolve_path(path)).parameters.values()
    except (TypeError, ValueError):
        return {}
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(one.kind in kinds for one in parameters):
        return {}
    return {one.name: one.default for one in parameters if one.name != "self"}


def _default(value: Any) -> str:
    if callable(value) and hasattr(value, "__name__") and value is not inspect.Parameter.empty:
        return str(value.__name__)
    return "required" if value is inspect.Parameter.empty else repr(value)


def _resolve_path(path: str) -> Any:
    """Return the object at a path; None where it leads nowhere."""
    names = path.split(".")
    try:
        value = importlib.import_module(names[0])
    except ImportError:
        return None
    for count in range(2, len(names) + 1):
        try:
            value = getattr(value, names[count - 1])
        except Exception:  # torch.classes and its like raise what they please
            try:
                value = importlib.import_module(".".join(names[:count]))
            except Exception:
                return None
    return value
