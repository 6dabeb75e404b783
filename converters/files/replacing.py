"""Writing a file such that it appears under its name only when it is complete."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from msbridge.converters.files.sink import FileSink, Progress

MARK = ".partial-"  # what the name of an unfinished file holds
LONGEST_BEGINNING = 200  # bytes of the target's name in it: file systems take 255


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], mode: int | None = None, progress: Progress | None = None, with_crc: bool = False
) -> Iterator[FileSink]:
    """Write a file that appears under its name only when it is complete; whatever fails leaves the old file.

    The bytes go to a temporary file beside the target, are flushed to the disk, and take the target's name. A link is
    followed.

    Args:
        path: the target.
        mode: its permissions; None for those a new file gets.
        progress: is told of written bytes.
        with_crc: whether the CRC-32 of the bytes is kept.

    Yields:
        What to write to.

    Raises:
        OSError: the target cannot be written; names it.
    """
    with replacing_path(path, mode) as partial:
        fd = os.open(partial, os.O_WRONLY | getattr(os, "O_BINARY", 0))
        try:
            sink = FileSink(fd, progress, with_crc)
            yield sink
            sink.flush()
        finally:
            os.close(fd)


@contextlib.contextmanager
def replacing_path(path: str | os.PathLike[str], mode: int | None = None) -> Iterator[Path]:
    """Like `replacing`, for writers that want the name of the temporary file."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "A folder is there already", str(path))
    if target.exists() and not target.is_file():  # /dev/null would become a file
        raise OSError(errno.EINVAL, "A pipe or a device cannot be replaced by a file", str(path))
    beginning = os.fsencode(target.name)[:LONGEST_BEGINNING].decode(errors="ignore") + MARK
    _remove_leftovers(target.parent, beginning)
    partial = target.with_name(f"{beginning}{os.getpid()}-{secrets.token_hex(4)}")
    fd = -1
    try:
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        _is_locked_here(fd)
        yield partial
        _synchronise(partial)
        partial.chmod(_default_mode() if mode is None else mode)
        if os.name == "nt":  # which renames no open file
            os.close(fd)
            fd = -1
        partial.replace(target)
        _synchronise(target.parent)
    except OSError as error:
        if error.filename in (None, str(partial), partial):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        if fd >= 0:
            os.close(fd)
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove the unfinished files of runs that were killed; those of running ones are locked."""
    with contextlib.suppress(OSError):
        for file in [file for file in folder.iterdir() if file.name.startswith(beginning)]:
            fd = os.open(file, os.O_RDONLY)
            try:
                if _is_locked_here(fd):
                    file.unlink(missing_ok=True)
            finally:
                os.close(fd)


def _is_locked_here(fd: int) -> bool:
    """Lock a file until it is closed; whether that worked."""
    if os.name == "nt":
        return False
    import fcntl  # Windows has no such module

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # another process holds it, or the file system has no locks
        return False
    return True


def _synchronise(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on the disk."""
    if path.is_dir() and os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
