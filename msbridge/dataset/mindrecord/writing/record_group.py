"""Replacing MindRecord files that one writer writes, each with its index, together.

`converters/files/atomic_group.py` has the states. The commit record is a note beside the first file: what the new files
are called for now. When they take their names, the old indices go, the new files come, and their indices at last: a
reader that does not know the note, such as MindSpore, misses an index meanwhile and never mixes old and new files.
"""

import contextlib
import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msbridge.converters.files import temporary_files
from msbridge.converters.files.access import permissions_to_begin_with, settle_access
from msbridge.converters.files.atomic_group import synchronise_folders, take_names
from msbridge.converters.files.atomic_write import check_target, naming, synchronise, synchronise_entries
from msbridge.dataset.mindrecord.errors import damage_error

NOTE = ".mv"  # how the name of a note ends, behind that of the first file; no longer than that of an index
READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)  # no waiting for pipes
NO_NOTE = (errno.ENOENT, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO)
MAX_JOURNAL_BYTES = 2 * 1024**2  # bytes: a thousand files and indices, whose names file systems limit


def index_path(path: Path) -> Path:
    """Return the path of the SQLite file that belongs to `path`."""
    return path.with_name(path.name + ".db")


@dataclass(frozen=True, slots=True)
class Note:
    """The names of new files until they take their own."""

    path: Path  # of the note
    time_ns: int  # when it was written
    files: Mapping[str, str]  # name of a MindRecord file → what the new one is called
    indices: Mapping[str, str]  # the same of the indices

    def locate(self, path: Path) -> Path:
        """Return the present path of the file that has, or is about to get, the name `path`.

        Raises:
            RuntimeError: something else has written a file of that name meanwhile.
        """
        found = self.files.get(path.name) or self.indices.get(path.name)
        if found is None or not (new := _beside(path, found)).is_file():
            return path
        if path.exists() and path.stat().st_mtime_ns > self.time_ns:
            raise RuntimeError(
                f"{path} was written after {self.path.name}, by which {new.name} is about to replace it. Whichever is "
                f"right: keep that one under the name {path.name}, and remove {self.path.name}."
            )
        return new

    def take_names(self) -> None:
        """Let all new files take their names; those that did so before are left alone.

        Raises:
            OSError: one cannot; names it. The note stays, and this can be called again.
        """
        folder = self.path.parent
        files, indices = (
            {folder / name: _beside(folder / name, new) for name, new in names.items()}
            for names in (self.files, self.indices)
        )
        take_names([files, indices], obsolete=[path for path, new in indices.items() if new.exists()])
        with naming(self.path, always=True):
            self.path.unlink(missing_ok=True)
        synchronise_folders([folder])


def read_note(first: Path) -> Note | None:
    """Return the note beside the first file of a group; None where there is none, or none that was completed.

    Raises:
        RuntimeError: it says what no writer wrote.
    """
    path = _note_path(first)
    try:
        fd = os.open(path, READING)
    except ValueError:  # a damaged header may name no file
        return None
    except OSError as error:
        if error.errno in NO_NOTE:
            return None
        raise
    try:
        found = os.fstat(fd)
        return (
            _parse_note(path, found.st_mtime_ns, os.read(fd, MAX_JOURNAL_BYTES))
            if stat.S_ISREG(found.st_mode)
            else None
        )
    finally:
        os.close(fd)


def complete_replacements(paths: Iterable[Path]) -> None:
    """Complete what killed writers of these files had begun to put into place.

    Raises:
        RuntimeError: another writer is doing that now, or something else has written files meanwhile.
        OSError: a file cannot take its name; names it.
    """
    for first in paths:
        path = _note_path(first)
        while path.is_file():
            with naming(path, always=True):
                fd = os.open(path, READING)
            try:
                if temporary_files.try_lock(fd) is False:
                    raise RuntimeError(f"{first}: another writer is putting its files into place now; try again then.")
                if not temporary_files.is_open_at(path, fd):
                    continue
                note = read_note(first)
                if note is None:
                    path.unlink()
                    break
                for name in (*note.files, *note.indices):
                    note.locate(path.with_name(name))
                note.take_names()
            finally:
                os.close(fd)


class Replacement:
    """The new files of a group, unfinished until all of them take their names together.

    Args:
        paths: what the MindRecord files are to be called; links are followed.

    Raises:
        OSError: a folder, pipe or device has one of the names.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._process = os.getpid()
        self._new: dict[Path, tuple[Path, int]] = {}
        self._note: Note | None = None
        targets = [Path(os.path.realpath(each)) for path in paths for each in (path, index_path(path))]
        for target in targets:
            check_target(target)
        wanted = {temporary_files.beginning(target.name) for target in targets}
        for folder in {target.parent for target in targets}:
            temporary_files.remove_leftovers(folder, wanted.__contains__)

    def create(self, path: Path) -> Path:
        """Create an empty file that is to become `path`, which is one of the files or an index; return where."""
        self._remove(path)
        target = Path(os.path.realpath(path))
        partial, fd = temporary_files.create(target, permissions_to_begin_with(target))
        self._new[path] = partial, fd
        return partial

    def temporary_path(self, path: Path) -> Path:
        """Return the path of the file that is to become `path`."""
        return self._new[path][0]

    def complete(self, check: Callable[[], None]) -> None:
        """Put all files into place; they must be closed.

        Args:
            check: raises when the old files may no longer be replaced; called while nobody else can do so.

        Raises:
            OSError: the old files are still there, or, when a file could not take its name, the new ones are what is
                read, and this can be called again; names the file.
            RuntimeError: another writer is replacing the files.
        """
        if self._note is None:
            for path, (partial, _) in self._new.items():
                with naming(path, always=True):
                    synchronise(partial)
                    settle_access(partial, Path(os.path.realpath(path)))
        fd = self._begin_note(check) if self._note is None else -1
        try:
            if os.name == "nt":  # which renames no open file
                self._close()
            self._note.take_names()  # type: ignore[union-attr]
        finally:
            if fd >= 0:
                os.close(fd)
        self._close()

    def discard(self) -> None:
        """Remove what did not begin to take its name; a fork that drops its copy of a writer removes nothing."""
        if os.getpid() == self._process:
            if self._note is None:
                for path in list(self._new):
                    self._remove(path)
            self._close()

    def _begin_note(self, check: Callable[[], None]) -> int:
        """Write the note, which makes the new files those that are read; return its descriptor, which is locked."""
        path = _note_path(self._paths[0])
        with naming(path, always=True):
            fd = _create_locked(path, lambda: complete_replacements(self._paths[:1]))
        try:
            check()
            files = {each.name: self._new[each][0].name for each in self._paths}
            indices = {each.name: self._new[each][0].name for each in map(index_path, self._paths)}
            with naming(path, always=True):
                write_all(fd, json.dumps({"files": files, "indices": indices}).encode())
                os.fsync(fd)
                synchronise_entries(path.parent)
                self._note = Note(path, os.fstat(fd).st_mtime_ns, files, indices)
        except BaseException:
            self._note = None
            with contextlib.suppress(OSError):
                path.unlink()
            os.close(fd)
            raise
        return fd

    def _remove(self, path: Path) -> None:
        partial, fd = self._new.pop(path, (None, -1))
        if partial:
            os.close(fd)
            with contextlib.suppress(OSError):
                partial.unlink()

    def _close(self) -> None:
        for _, fd in self._new.values():
            os.close(fd)
        self._new.clear()


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write all bytes, however many the system takes at once."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _note_path(first: Path) -> Path:
    return first.with_name(first.name + NOTE)


def _beside(path: Path, name: str) -> Path:
    return Path(os.path.realpath(path)).with_name(name)


def _create_locked(path: Path, make_way: Callable[[], None]) -> int:
    """Create a note and lock it; `make_way` ends one that is there."""
    while True:
        make_way()
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            if path.is_file():
                continue
            raise
        if temporary_files.try_lock(fd) is not False and temporary_files.is_open_at(path, fd):
            return fd
        os.close(fd)


def _parse_note(path: Path, time_ns: int, data: bytes) -> Note | None:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):  # its writer was killed before it was complete
        return None
    try:
        files, indices = content["files"], content["indices"]
        names = [*files.items(), *indices.items()]
        is_sound = all(_is_name(name) and _is_name(new) and temporary_files.MARK in new for name, new in names)
    except (LookupError, TypeError, AttributeError):
        is_sound = False
    if not is_sound:
        raise damage_error(path, "it is not a note of what new files are called until they take their names")
    return Note(path, time_ns, files, indices)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name == Path(name).name and "\0" not in name
