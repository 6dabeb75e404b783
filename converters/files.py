"""Files: reading by position without holding the file in memory, and writing such that only complete files appear."""

import contextlib
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
MARK = ".partial-"  # what the name of an unfinished file holds


class Source:
    """A file opened for reading by position. Its mapping is private: writes to a view never reach the file.

    Attributes:
        path: the file.
        size: its length in bytes.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        try:
            self._fd = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            raise CheckpointError(f"{self.path} does not exist.") from None
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be opened: {error.strerror}.") from error
        state = os.fstat(self._fd)
        self.size = state.st_size
        if stat.S_ISDIR(state.st_mode):
            self.close()
            raise CheckpointError(f"{self.path} is a folder, not a file.")

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
        data = bytearray(max(0, min(length, self.size - offset)))
        self.read_into(offset, memoryview(data))
        return bytes(data)

    def chunks(self, offset: int, length: int) -> Iterator[memoryview]:
        """Read a range piece by piece into one buffer: a piece is valid until the next is asked for."""
        buffer = memoryview(bytearray(min(length, CHUNK)))
        for start in range(0, length, CHUNK):
            piece = buffer[: min(CHUNK, length - start)]
            self.read_into(offset + start, piece)
            yield piece

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


class InnerSource(Source):
    """Bytes in memory that came out of a file (an encrypted one), read like a file."""

    def __init__(self, path: Path, data: bytearray):
        self.path = path
        self.size = len(data)
        self._fd = -1
        self._data = data

    @functools.cached_property
    def mapping(self) -> memoryview:
        return memoryview(self._data)

    def read_into(self, offset: int, target: memoryview) -> None:
        target[:] = self.mapping[offset : offset + len(target)]


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
    """

    def __init__(self, fd: int, progress: Progress | None = None, with_crc: bool = False):
        self.crc = 0
        self._fd = fd
        self._progress = progress
        self._with_crc = with_crc
        self._pending = bytearray()
        self._kernel_copies = hasattr(os, "copy_file_range")

    def write(self, data: Bytes) -> None:
        view = memoryview(data)
        if self._with_crc:
            self.crc = zlib.crc32(view, self.crc)
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
            offset, length = offset + done, length - done
        super().copy(source, offset, length)

    def flush(self) -> None:
        if self._pending:
            pending, self._pending = self._pending, bytearray()
            self._write(memoryview(pending))

    def _copy_in_kernel(self, source: Source, offset: int, length: int) -> int:
        done = 0
        while done < length:
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
    partial = target.with_name(f"{target.name[:200]}{MARK}{os.getpid()}-{secrets.token_hex(4)}")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield partial
        _synchronise(partial)
        partial.chmod(_default_mode() if mode is None else mode)
        partial.replace(target)
        _synchronise(target.parent)
    except OSError as error:
        if error.filename in (None, str(partial), partial):
            error.filename = str(path)
        raise
    finally:
        partial.unlink(missing_ok=True)


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
