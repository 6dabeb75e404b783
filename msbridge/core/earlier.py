"""What MindSpore's parts were in earlier releases: put in the place of today's when such a release is followed.

A room lists them as rows and calls `follow` once. Where an earlier release is followed its rows are asked for, and
what they hold stands in the places that they name; a call asks nothing.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from msbridge.core import release


@dataclass(frozen=True, slots=True)
class Earlier:
    """A part as it was.

    Attributes:
        place: the path below msbridge, e.g. "ops.max", "core.tensor.Tensor.sum".
        until: the first release that has today's, e.g. "2.3".
        what: the function, method or class.
    """

    place: str
    until: str
    what: Any


def follow(rows: Callable[[], Iterable[Earlier]]) -> None:
    """Have the rows of a room put in their places, now and whenever a release is chosen.

    Args:
        rows: returns them; called when an earlier release is followed, so that nothing is imported for today's.
    """
    today: dict[str, Any] = {}
    release.follow(partial(_put_all, rows, today))


def _put_all(rows: Callable[[], Iterable[Earlier]], today: dict[str, Any]) -> None:
    """Put today's parts back, which `today` holds by place, and then those of the followed release."""
    while today:
        _put(*today.popitem())
    if release.release() == release.NEWEST:
        return
    for row in sorted(rows(), key=lambda row: release.parse(row.until), reverse=True):  # the earliest of two in the end
        if not release.at_least(row.until):
            found = _put(row.place, row.what)
            today.setdefault(row.place, found)


def _put(place: str, what: Any) -> Any:
    """Put `what` in a place, and in MindSpore's modules that forward what stood there; return that."""
    owner, _, name = place.rpartition(".")
    path = f"msbridge.{owner}"
    if path in sys.modules:
        rooms = [path, *(path for path in sys.modules if path.startswith(("mindspore.", "msbridge.ops.operations")))]
        old = vars(sys.modules[path])[name]
        for names in (vars(sys.modules[path]) for path in rooms):
            if names.get(name) is old:
                names[name] = what
        return old
    module, _, kind = path.rpartition(".")
    holder = getattr(sys.modules[module], kind)
    old = vars(holder)[name]
    setattr(holder, name, what)
    return old
