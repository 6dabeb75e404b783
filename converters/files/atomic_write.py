"""Writing a file such that it appears under its name only when it is complete."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from msbridge.converters.files import temporary_files
from msbridge.converters.files.access import permissions_to_begin_with, settle_access
from msbridge.converters.files.sink import FileSink, Progress
from msbridge.converters.files.source import Source

OPEN_FILES = ("/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/self/fd/")
# What some file systems answer when the entries of a folder are to be written to the disk.
NO_FOLDER_SYNC = (errno.EACCES, errno.EBADF, errno.EINVAL, errno.ENOTSUP, errno.EPERM)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], mode: int | None = None, progress: Progress | None = None, with_crc: bool = False
) -> Iterator[FileSink]:
    """Write a file that appears under its name only when it is complete; a failure leaves the old file.

    The bytes go to a temporary file beside the target, are flushed to the disk, and take the target's name. A link is
    followed. A file that is replaced leaves its owner and its permissions.

    Args:
        path: the target.
        mode: its permissions where nothing is replaced; None for those a new file gets.
        progress: is called with the number of written bytes.
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
    """Like `replacing`, for writers that want the name of the temporary file; they write into the file that is there.

    Several writers of one target do not harm each other: whoever ends last has its file there.
    """
    target, process = Path(os.path.realpath(path)), os.getpid()
    partial, fd = None, -1
    try:
        check_target(target)
        wanted = temporary_files.beginning(target.name)
        temporary_files.remove_leftovers(target.parent, lambda name: name == wanted)
        partial, fd = temporary_files.create(target, permissions_to_begin_with(target, mode))
        yield partial
        synchronise(partial)
        settle_access(partial, target, mode)
        if os.name == "nt":  # which renames no open file
            os.close(fd)
            fd = -1
        partial.replace(target)
        synchronise_entries(target.parent)
    except OSError as error:
        if error.filename is None or str(error.filename) in map(str, (partial, target, target.parent)):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        if fd >= 0:
            os.close(fd)
        if partial and process == os.getpid():  # a fork that drops its copy of this must not take the file away
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


@contextlib.contextmanager
def naming(path: str | os.PathLike[str], always: bool = False) -> Iterator[None]:
    """Name a file in an error that names none, as those of writing to an open file do.

    Args:
        path: the file.
        always: also in an error that names another one, which is unfinished and of no use to anybody.

    Raises:
        OSError: what was raised, with a file.
    """
    try:
        yield
    except OSError as error:
        if always or error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def copy(file: Path, path: str | os.PathLike[str], mode: int | None = None) -> None:
    """Write a copy of a file, as `replacing` does."""
    with contextlib.closing(Source(file)) as source, replacing(path, mode) as sink:
        sink.copy(source, 0, source.size)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text, as `replacing` does; a terminal, a pipe or an open file (/dev/stdout) gets it as it is.

    Raises:
        OSError: the target cannot be written, or is a pipe that nobody reads; names it.
    """
    data = text.encode("utf-8", "backslashreplace")  # a file name may hold bytes that are not text
    if not _is_stream(path):
        with replacing(path) as sink:
            sink.write(data)
        return
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0))  # without waiting for a reader
    with os.fdopen(fd, "wb") as file:
        if os.name != "nt":
            os.set_blocking(fd, True)
        file.write(data)


def synchronise_entries(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where that can be asked for."""
    if os.name == "nt":
        return
    try:
        synchronise(folder)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise OSError(error.errno, error.strerror, str(folder)) from error


def check_target(target: Path) -> None:
    """Refuse before anything is written what could not be replaced afterwards, or should not be."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "A folder is there already", str(target))
    if not stat.S_ISREG(mode):  # /dev/null would become a file
        raise OSError(errno.EINVAL, "A pipe or a device cannot be replaced by a file", str(target))


def synchronise(path: Path) -> None:
    """Wait until a file is on the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a target is not a file, or one that somebody has opened already and called by that."""
    if str(Path(path).absolute()).startswith(OPEN_FILES):
        return True
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
