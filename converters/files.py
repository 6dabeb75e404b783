"""Files: reading by position without holding the file in memory, and writing such that only complete files appear."""

import contextlib
import errno
import functools
import mmap
import os
import secrets
import stat
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from msbridge.converters.errors import CheckpointError

Bytes = bytes | bytearray | memoryview | mmap.mmap
Progress = Callable[[int], None]  # is told the bytes written since it was told last

CHUNK = 8 << 20  # bytes copied at a time: larger is not faster, and this is what a copy costs in memory
SMALL = 64 << 10  # smaller writes are gathered: 100,000 tiny tensors must not be 200,000 system calls
AHEAD = 8 << 10  # small reads take so much at once: headers and tiny tensors follow each other
HINT = 64 << 20  # bytes of a large range that the system is asked to read before they are needed: a cold disk likes it
MARK = ".partial-"  # what the name of an unfinished file holds
LONGEST_BEGINNING = 200  # bytes of the target's name in it: file systems take 255


class Source:
    """A file opened for reading by position. Its mapping is private: writes to a view never reach the file.

    Attributes:
        path: the file.
        size: its length in bytes.
        is_mapped: whether `mapping` is memory that tensors may share.
    """

    is_mapped = True
    _ahead: tuple[int, bytes] = (0, b"")  # an offset, and the bytes there, read ahead

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        self._fd = -1
        try:
            # Without waiting: a pipe that nobody writes to would never open.
            self._fd = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            raise CheckpointError(f"{self.path} does not exist.") from None
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise CheckpointError(f"{self.path} cannot be opened: {reason}.") from error
        state = os.fstat(self._fd)
        self.size = state.st_size
        if stat.S_ISDIR(state.st_mode):
            self.close()
            raise CheckpointError(f"{self.path} is a folder, not a file.")
        if not stat.S_ISREG(state.st_mode):
            self.close()
            raise CheckpointError(f"{self.path} is a pipe or a device; a checkpoint is read by position: give a file.")

    @functools.cached_property
    def mapping(self) -> memoryview:
        """The whole file as memory, read page by page when it is looked at."""
        self._check_open()
        if not self.size:
            return memoryview(b"")
        return memoryview(mmap.mmap(self._fd, 0, access=mmap.ACCESS_COPY))

    def read_into(self, offset: int, target: memoryview) -> None:
        """Fill `target` with the bytes at `offset`."""
        if not hasattr(os, "preadv"):  # Windows
            target[:] = self.mapping[offset : offset + len(target)]
            return
        self._check_open()
        done = 0
        while done < len(target):
            count = os.preadv(self._fd, [target[done : done + (1 << 30)]], offset + done)
            if not count:
                raise CheckpointError(f"{self.path} became shorter while it was read (offset {offset + done}).")
            done += count

    def read(self, offset: int, length: int) -> bytes:
        """Read the bytes at `offset`, as many as there are up to `length`."""
        length = min(length, self.size - offset)
        if length <= 0:
            return b""
        if length > AHEAD:
            return self._read(offset, length)
        start, kept = self._ahead  # taken once: another thread may replace it
        if offset < start or offset + length > start + len(kept):
            start, kept = self._ahead = offset, self._read(offset, min(AHEAD, self.size - offset))
        return kept[offset - start : offset - start + length]

    def _read(self, offset: int, length: int) -> bytes:
        data = bytearray(length)
        self.read_into(offset, memoryview(data))
        return bytes(data)

    def chunks(self, offset: int, length: int) -> Iterator[memoryview]:
        """Read a range piece by piece into one buffer: a piece is valid until the next is asked for."""
        buffer = memoryview(bytearray(min(length, CHUNK)))
        for start in range(0, length, CHUNK):
            piece = buffer[: min(CHUNK, length - start)]
            self.read_into(offset + start, piece)
            yield piece

    def will_need(self, offset: int, length: int) -> None:
        """Let the system read a range into memory while other work goes on; a hint, which is not waited for."""
        if self._fd >= 0 and hasattr(os, "posix_fadvise"):
            os.posix_fadvise(self._fd, offset, length, os.POSIX_FADV_WILLNEED)

    def fileno(self) -> int:
        """Give the descriptor; negative when there is none."""
        return self._fd

    def close(self) -> None:
        """Close the file; views that were handed out stay valid."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _check_open(self) -> None:
        if self._fd < 0:
            raise CheckpointError(f"{self.path} is closed already; read its tensors while it is open.")

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            self.close()


class Sink(ABC):
    """Where the bytes of a checkpoint go, from its beginning to its end."""

    @abstractmethod
    def write(self, data: Bytes) -> None:
        """Append bytes."""

    def copy(self, source: Source, offset: int, length: int) -> None:
        """Append a range of another file."""
        for piece in source.chunks(offset, length):
            self.write(piece)

    def flush(self) -> None:  # noqa: B027  a sink that keeps nothing back has nothing to do
        """Hand over what is gathered."""


class StreamSink(Sink):
    """Writes to an open binary file of Python's."""

    def __init__(self, file: IO[bytes], progress: Progress | None = None):
        self._file = file
        self._progress = progress

    def write(self, data: Bytes) -> None:
        self._file.write(data)
        if self._progress:
            self._progress(len(data))


class FileSink(Sink):
    """Writes to a file descriptor, with as few system calls and copies as it can.

    Attributes:
        crc: CRC-32 of the bytes written, when asked for.
        position: how many bytes were written.
    """

    def __init__(self, fd: int, progress: Progress | None = None, with_crc: bool = False):
        self.crc = 0
        self.position = 0
        self._fd = fd
        self._progress = progress
        self._with_crc = with_crc
        self._pending = bytearray()
        self._kernel_copies = hasattr(os, "copy_file_range")

    def write(self, data: Bytes) -> None:
        view = memoryview(data)
        if self._with_crc:
            self.crc = zlib.crc32(view, self.crc)
        self.position += len(view)
        if len(view) < SMALL:
            self._pending += view
            if len(self._pending) > SMALL:
                self.flush()
            return
        self.flush()
        for start in range(0, len(view), CHUNK):
            self._write(view[start : start + CHUNK])

    def copy(self, source: Source, offset: int, length: int) -> None:
        """Append a range of another file; inside the kernel where it can."""
        if length < SMALL:
            self.write(source.read(offset, length))
            return
        if self._kernel_copies and not self._with_crc and source.fileno() >= 0:
            self.flush()
            done = self._copy_in_kernel(source, offset, length)
            self.position += done
            offset, length = offset + done, length - done
        super().copy(source, offset, length)

    def flush(self) -> None:
        if self._pending:
            pending, self._pending = self._pending, bytearray()
            self._write(memoryview(pending))

    def patch(self, position: int, data: bytes) -> None:
        """Replace bytes that were written before."""
        place = position - self.position + len(self._pending)
        if place >= 0:
            self._pending[place : place + len(data)] = data
            return
        self.flush()
        os.lseek(self._fd, position, os.SEEK_SET)
        os.write(self._fd, data)
        os.lseek(self._fd, 0, os.SEEK_END)

    def _copy_in_kernel(self, source: Source, offset: int, length: int) -> int:
        done = hinted = 0
        while done < length:
            if done >= hinted:
                hinted = min(done + HINT, length)
                source.will_need(offset + done, hinted - done + HINT)
            try:
                count = os.copy_file_range(source.fileno(), self._fd, min(length - done, CHUNK), offset + done)
            except OSError:  # other file systems, old kernels; a full disk is met again by the plain write
                self._kernel_copies = False
                break
            if not count:
                raise CheckpointError(f"{source.path} became shorter while it was read (offset {offset + done}).")
            done += count
            self._report(count)
        return done

    def _write(self, view: memoryview) -> None:
        done = 0
        while done < len(view):
            done += os.write(self._fd, view[done:])
        self._report(done)

    def _report(self, count: int) -> None:
        if self._progress:
            self._progress(count)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike, mode: int | None = None, progress: Progress | None = None, with_crc: bool = False
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
def replacing_path(path: str | os.PathLike, mode: int | None = None) -> Iterator[Path]:
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
