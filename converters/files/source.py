"""Reading a file by position, without holding it in memory."""

import contextlib
import errno
import functools
import mmap
import os
from collections.abc import Iterator
from pathlib import Path

from msbridge.converters.errors import CheckpointError
from msbridge.core.runtime.plain_files import open_descriptor

CHUNK = 8 << 20  # bytes copied at a time: larger is not faster, and this is what a copy costs in memory
USUAL_FILES = 256  # that a process has open besides
READ_AHEAD_BYTES = 8 << 10  # small reads take so much at once: headers and tiny tensors follow each other


def allow_files(count: int) -> None:
    """Let this process have so many files open besides those that it has, as far as the system lets it.

    Each file is open once, and once more where it is mapped; the limit of a login shell is usually 1024.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * count + USUAL_FILES
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))


class Source:
    """A file opened for reading by position. Its mapping is private: writes to a view never reach the file.

    Attributes:
        path: the file.
        size: its length in bytes.
        is_mapped: whether `mapping` is memory that tensors may share.
    """

    is_mapped = True
    _ahead: tuple[int, bytes] = (0, b"")  # an offset, and the bytes there, read ahead

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self._fd = -1
        try:
            self._fd = open_descriptor(self.path)
        except FileNotFoundError:
            raise CheckpointError(f"{self.path} does not exist.") from None
        except OSError as error:
            if error.errno in (errno.ESPIPE, errno.EISDIR):
                raise CheckpointError(f"{self.path} {error.strerror}; a checkpoint is read by position.") from None
            raise CheckpointError(f"{self.path} cannot be opened: {error.strerror}.") from error
        self.size = os.fstat(self._fd).st_size

    @functools.cached_property
    def mapping(self) -> memoryview:
        """The whole file as memory, read page by page when it is looked at."""
        self._check_open()
        if not self.size:
            return memoryview(b"")
        return memoryview(mmap.mmap(self._fd, 0, access=mmap.ACCESS_COPY))

    def check_length(self) -> None:
        """Look whether the file is as long as it was: who looked at pages of it that are gone would be killed.

        Raises:
            CheckpointError: it is shorter.
        """
        if self._fd >= 0 and os.fstat(self._fd).st_size < self.size:
            raise CheckpointError(f"{self.path} became shorter than the {self.size} bytes that it had.")

    def read_into(self, offset: int, target: memoryview) -> None:
        """Fill `target` with the bytes at `offset`."""
        if not hasattr(os, "preadv"):  # Windows
            target[:] = self.mapping[offset : offset + len(target)]
            return
        self._check_open()
        done = 0
        while done < len(target):
            try:
                count = os.preadv(self._fd, [target[done : done + (1 << 30)]], offset + done)
            except OSError as error:  # which a writer would take for one of its target
                raise OSError(error.errno, error.strerror, str(self.path)) from error
            if not count:
                raise CheckpointError(f"{self.path} became shorter while it was read (offset {offset + done}).")
            done += count

    def read(self, offset: int, length: int) -> bytes:
        """Read the bytes at `offset`, as many as there are up to `length`."""
        length = min(length, self.size - offset)
        if length <= 0:
            return b""
        if length > READ_AHEAD_BYTES:
            return self._read(offset, length)
        start, kept = self._ahead  # taken once: another thread may replace it
        if offset < start or offset + length > start + len(kept):
            start, kept = self._ahead = offset, self._read(offset, min(READ_AHEAD_BYTES, self.size - offset))
        return kept[offset - start : offset - start + length]

    def _read(self, offset: int, length: int) -> bytes:
        if self._fd >= 0 and hasattr(os, "pread"):
            data = os.pread(self._fd, length, offset)  # without the second copy that a buffer would need
            if len(data) == length:
                return data
        buffer = bytearray(length)
        self.read_into(offset, memoryview(buffer))
        return bytes(buffer)

    def chunks(self, offset: int, length: int) -> Iterator[memoryview]:
        """Read a range piece by piece into one buffer: a piece is valid until the next is asked for."""
        buffer = memoryview(bytearray(min(length, CHUNK)))
        for start in range(0, length, CHUNK):
            piece = buffer[: min(CHUNK, length - start)]
            self.read_into(offset + start, piece)
            yield piece

    def will_need(self, offset: int, length: int) -> None:
        """Let the system read a range into memory while other work continues; a hint, which is not waited for."""
        if self._fd >= 0 and hasattr(os, "posix_fadvise"):
            os.posix_fadvise(self._fd, offset, length, os.POSIX_FADV_WILLNEED)

    def fileno(self) -> int:
        """Return the descriptor; negative when there is none."""
        return self._fd

    def close(self) -> None:
        """Close the file; views that were returned stay valid."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _check_open(self) -> None:
        if self._fd < 0:
            raise CheckpointError(f"{self.path} is closed already; read its tensors while it is open.")

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            self.close()
