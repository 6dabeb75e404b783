"""What to say when a MindSpore name is not there: its name, the reason if there is one, and the nearest names."""

import difflib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msbridge.dropin.forwarding import INTERNAL
from msbridge.mappings import table


@dataclass(frozen=True, slots=True)
class Absent:
    """A row of absent.toml.

    Attributes:
        path: a MindSpore name or module; what lies below it is absent too.
        absent: why.
        instead: what to use.
    """

    path: str
    absent: str
    instead: str = ""


def reason(path: str) -> Absent | None:
    """Return the row of absent.toml for `path`, or for the nearest name above it."""
    rows: Mapping[str, Absent] = table("absent.toml", Absent)
    while path:
        if path in rows:
            return rows[path]
        path = path.rpartition(".")[0]
    return None


def message(path: str, names: Iterable[str] = ()) -> str:
    """Return the error that `path` is not available.

    Args:
        path: the full MindSpore name, e.g. "mindspore.ops.foo".
        names: what its module does have, to find the nearest among.

    Returns:
        One sentence, with the reason and the advice of absent.toml, or with the nearest names.
    """
    text = f"{path} is not available in msbridge (see mappings/absent.toml)"
    row = reason(path)
    if row is not None:
        advice = f" Use instead: {row.instead}." if row.instead else ""
        return f"{text}: {row.absent}.{advice}"
    near = nearest(path, names)
    return f"{text}. Nearest: {', '.join(near)}." if near else f"{text}."


def nearest(path: str, names: Iterable[str]) -> list[str]:
    """Return up to three existing names like `path`: the same name in another room, then similar ones beside it."""
    parent, _, name = path.rpartition(".")
    prefix = parent.removeprefix("mindspore").lstrip(".")
    elsewhere = [
        f"{module.removeprefix('msbridge.')}.{name}"
        for module, loaded in sorted(sys.modules.items())
        if module.count(".") == 1 and module.startswith("msbridge.") and module.partition(".")[2] not in INTERNAL
        if name in vars(loaded)
    ]
    lower = {other.lower(): other for other in sorted(names) if not other.startswith("_")}
    beside = [lower[match] for match in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.7)]
    return [*elsewhere, *(f"{prefix}.{other}" if prefix else other for other in beside)][:3]
