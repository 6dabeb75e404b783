"""A set of shards takes the place of another one, such that the folder holds a complete one at every moment.

`converters/files/atomic_group.py` has the states. Shards are written into a folder of unfinished ones. When all are
there, they move beside the old set: under other names, where a name could be one of the old set's. Then the index is
replaced, which turns the folder's content from the old set into the new one; afterwards the new shards take their
names. A journal says how far that went: a later run continues with it, or clears up.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from msbridge.converters.errors import CheckpointError, Remedy
from msbridge.converters.files.access import narrow_access, settle_access
from msbridge.converters.files.atomic_group import take_names
from msbridge.converters.files.atomic_write import naming, synchronise_entries
from msbridge.converters.files.index import NEW, UNFINISHED, is_plain, list_files
from msbridge.converters.files.json_files import read_json, write_json
from msbridge.converters.files.temporary_files import lock_folder

JOURNAL = "resume.json"  # in the folder of the unfinished shards
MAX_JOURNAL_BYTES = 64 << 20


class Staging:
    """The unfinished shards of a folder.

    Attributes:
        unfinished: the folder to write shards into.
        done: those that are written, with their bytes.
    """

    def __init__(self, folder: Path, index: Path, identity: str):
        self.unfinished = folder / UNFINISHED
        self.done: dict[str, int] = {}
        self._folder = folder
        self._index = index
        self._identity = identity
        self._places: dict[str, str] = {}  # name → what it is called beside the old set
        self._replaced: list[str] = []  # shards of the old set
        self._is_settled = False  # whether all are there under their own names
        self._lock = Lock()

    def go_on(self) -> None:
        """Take over what an interrupted run of the same conversion has done.

        Raises:
            CheckpointError: the run was of another conversion.
        """
        state = _journal(self.unfinished)
        if state and state["identity"] != self._identity:
            raise CheckpointError(
                f"{self._folder}: the unfinished conversion there is of another source or with other options",
                Remedy(("force",), "begins again"),
                path=self._folder,
            )
        if state:
            self._places, self._replaced, self._is_settled = state["places"], state["replaced"], state["settled"]
            self.done = {name: size for name, size in state["done"].items() if self._is_there(name, size)}
        if not self.done:
            self.discard_interrupted()

    def discard_interrupted(self) -> None:
        """Remove what interrupted runs have left, but nothing that the index names."""
        if state := _journal(self.unfinished):
            live, places = list_files(self._index), set(state["places"].values())
            if live & places or state["settled"]:  # it came to its new index
                places.update(state["places"], state["replaced"])
            for name in places - live:
                (self._folder / name).unlink(missing_ok=True)
        for left in self.unfinished.iterdir():
            _remove(left)
        self._places, self._replaced, self._is_settled = {}, [], False

    def add(self, name: str) -> None:
        """Note that a shard is written."""
        with self._lock:
            self.done[name] = (self.unfinished / name).stat().st_size
            self._write_journal()

    def take_place(self, names: Sequence[str], content: Callable[[Mapping[str, str]], object]) -> None:
        """Move all shards to where they belong.

        Args:
            names: the shards.
            content: returns what the index holds when a shard is called what a mapping says.
        """
        if not self._places:
            is_alone = {UNFINISHED} == {one.name for one in self._folder.iterdir()}
            prefix = "" if is_alone else f"{NEW}{secrets.token_hex(4)}-"
            self._places = {name: prefix + name for name in names}
            self._replaced = sorted(list_files(self._index))
            self._is_settled = is_alone
            self._write_journal()
        for name, place in self._places.items():
            if (fresh := self.unfinished / name).exists():
                self._settle_access(fresh)
                fresh.replace(self._folder / place)
        where = {name: place if (self._folder / place).exists() else name for name, place in self._places.items()}
        self._write_index(content(where))  # the folder's content is the new set from here on
        gone = set(self._replaced).difference(where.values())
        moved = {self._folder / name: self._folder / place for name, place in where.items() if name != place}
        take_names([moved], map(self._folder.joinpath, sorted(gone)), keeps=True, follows=False)
        if moved:
            self._is_settled = True
            self._write_journal()
            self._write_index(content({name: name for name in names}))
        for beside in moved.values():
            beside.unlink()
        _remove(self.unfinished)

    def drop_if_empty(self) -> None:
        """Remove the folder of unfinished shards if none is finished, and the folder around it if that is empty."""
        if not self.done:
            shutil.rmtree(self.unfinished, ignore_errors=True)
            with contextlib.suppress(OSError):  # something else is in it
                self._folder.rmdir()

    def _is_there(self, name: str, size: int) -> bool:
        places = [self.unfinished / name]
        if name in self._places:
            places.append(self._folder / self._places[name])
        if self._is_settled:  # before, another set may have a shard of this name
            places.append(self._folder / name)
        return any(place.is_file() and place.stat().st_size == size for place in places)

    def _write_journal(self) -> None:
        state = {
            "identity": self._identity,
            "done": self.done,
            "places": self._places,
            "replaced": self._replaced,
            "settled": self._is_settled,
        }
        write_json(self.unfinished / JOURNAL, state)

    def _settle_access(self, fresh: Path) -> None:
        """Let a shard be used by those who could use its predecessor, or the old set."""
        if (self._folder / fresh.name).exists():
            settle_access(fresh, self._folder / fresh.name)
        else:
            narrow_access(fresh, self._index)

    def _write_index(self, content: object) -> None:
        """Replace the index; one that is a link, as in Hugging Face's cache, and not what it leads to."""
        synchronise_entries(self._folder)
        fresh = self.unfinished / self._index.name
        write_json(fresh, content)
        settle_access(fresh, self._index)
        fresh.replace(self._index)
        synchronise_entries(self._folder)


@contextlib.contextmanager
def staging(folder: Path, index: Path, identity: str) -> Iterator[Staging]:
    """Lock the folder of unfinished shards, which is created when it is missing.

    Raises:
        CheckpointError: another process, or thread, is writing shards into the folder.
        OSError: it cannot be created.
    """
    fd = lock_folder(folder / UNFINISHED)
    if fd is None:
        raise CheckpointError(f"{folder}: another conversion is writing into this folder; wait for it.", path=folder)
    try:
        yield Staging(folder, index, identity)
    finally:
        if fd >= 0:
            os.close(fd)


def is_unfinished(folder: str | os.PathLike[str]) -> bool:
    """Whether an interrupted run has left finished shards in a folder."""
    return os.path.exists(Path(folder, UNFINISHED, JOURNAL))  # noqa: PTH110  Path.exists raises at a name too long


def _remove(place: Path) -> None:
    """Remove a file, a link, or a folder with what is in it."""
    with naming(place, always=True):  # what is in the folder says nothing by its name
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()


def _journal(unfinished: Path) -> dict[str, Any] | None:
    """Read a journal; None where there is none, or something else."""
    try:
        state = read_json(unfinished / JOURNAL, MAX_JOURNAL_BYTES)
        identity, done, places, replaced = (state[key] for key in ("identity", "done", "places", "replaced"))
        names = [*done, *places, *places.values(), *replaced]
        is_sound = isinstance(identity, str) and isinstance(state["settled"], bool) and all(map(is_plain, names))
        is_sound = is_sound and all(isinstance(size, int) for size in done.values())
    except (CheckpointError, OSError, KeyError, TypeError, AttributeError):
        return None
    return state if is_sound else None
