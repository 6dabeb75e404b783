"""The drop-in in processes that multiprocessing spawns ("spawn", "forkserver").

A spawned process unpickles what it shall run, and pickles name classes by MindSpore's modules while the drop-in is
there. So the data by which multiprocessing prepares a process, which it unpickles first, installs the drop-in there.
"""

from collections.abc import Callable
from functools import wraps
from multiprocessing import spawn
from typing import Any

from msbridge.core.releases.release import NEWEST, release

__all__ = ["follow", "leave"]

_prepare: list[Callable[..., dict[str, Any]]] = []  # multiprocessing's own function, while ours is in its place


class _DropIn:
    """Unpickled, it installs the drop-in, with the release that is followed here."""

    def __init__(self, install: Callable[[str | None], None]) -> None:
        self._install = install

    def __reduce__(self) -> tuple[Any, ...]:
        return self._install, (None if release() == NEWEST else ".".join(map(str, release())),)


def follow(install: Callable[[str | None], None]) -> None:
    """Make child processes that are started from now on call `install` first."""
    if _prepare:
        return
    prepare_child = spawn.get_preparation_data
    _prepare.append(prepare_child)

    @wraps(prepare_child)
    def get_preparation_data(name: str) -> dict[str, Any]:
        return {"msbridge": _DropIn(install), **prepare_child(name)}

    spawn.get_preparation_data = get_preparation_data


def leave() -> None:
    """Start child processes as multiprocessing does on its own again."""
    if _prepare:
        spawn.get_preparation_data = _prepare.pop()
