"""What MindSpore's parts were in earlier releases: put in place of today's when such a release is followed.

A room lists them as rows and calls `follow` once. Where an earlier release is followed its rows are asked for, and
what they hold stands in the places that they name; a call asks nothing.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from msbridge.core.releases import release

_NOTHING = object()
_CONTENTS = ("msbridge", "msbridge.api", "msbridge.ops", "msbridge.train")


@dataclass(frozen=True, slots=True)
class Earlier:
    """A part as it was.

    Attributes:
        place: the path below msbridge, e.g. "ops.max", "core.tensor.tensor.Tensor.sum"; today there may be nothing.
        until: the first release that has today's, e.g. "2.3".
        what: the function, method or class.
        seen: what users notice, where the place is not public.
    """

    place: str
    until: str
    what: Any
    seen: str = ""


def follow(rows: Callable[[], Iterable[Earlier]]) -> None:
    """Have the rows of a room put in their places, now and whenever a release is chosen.

    Args:
        rows: returns them; called when an earlier release is followed, so that nothing is imported for today's.
    """
    today: dict[str, Any] = {}
    release.follow(partial(_put_all, rows, today))


def _put_all(rows: Callable[[], Iterable[Earlier]], today: dict[str, Any]) -> None:
    """Put today's parts back, which `today` holds by place, and then those of the followed release."""
    forwarding = _forwarding()
    while today:
        _put(*today.popitem(), forwarding)
    if release.release() == release.NEWEST:
        return
    ordered = by_age(rows())
    forwarding = _forwarding()  # to make the rows imports more
    for row in ordered:
        if not release.at_least(row.until):
            found = _put(row.place, row.what, forwarding)
            today.setdefault(row.place, found)


def _forwarding() -> list[dict[str, Any]]:
    """Return the contents of the modules that have names of others, as scripts import them."""
    return [
        vars(module)
        for path, module in list(sys.modules.items())
        if path in _CONTENTS or path.startswith(("mindspore.", "msbridge.ops.operations"))
    ]


def every() -> list[Earlier]:
    """Return the rows of all rooms that have been imported."""
    asked = [each for each in release.followers() if isinstance(each, partial) and each.func is _put_all]
    return [row for each in asked for row in each.args[0]()]


def by_age(rows: Iterable[Earlier]) -> list[Earlier]:
    """Return rows from the newest to the earliest: of two of a place the one that is put there last stays."""
    return sorted(rows, key=lambda row: release.parse(row.until), reverse=True)


def _put(place: str, what: Any, forwarding: Iterable[dict[str, Any]]) -> Any:
    """Put `what` in a place, and in `forwarding` modules that have what stood there; return that."""
    owner, _, name = place.rpartition(".")
    path = f"msbridge.{owner}"
    if path in sys.modules:
        old = vars(sys.modules[path]).get(name, _NOTHING)
        for names in (vars(sys.modules[path]), *forwarding):
            if old is not _NOTHING and names.get(name) is old:
                names[name] = what
                if what is _NOTHING:
                    del names[name]
        if old is _NOTHING:
            vars(sys.modules[path])[name] = what
        return old
    module, _, kind = path.rpartition(".")
    holder = getattr(sys.modules[module], kind)
    old = vars(holder).get(name, _NOTHING)
    if what is _NOTHING:
        delattr(holder, name)
    else:
        setattr(holder, name, what)
    return old
