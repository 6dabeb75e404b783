"""Sinks for the bytes of a file: gathered, copied inside the kernel, summed up."""

import mmap
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import CHUNK, Source

Bytes = bytes | bytearray | memoryview | mmap.mmap
Progress = Callable[[int], None]  # is called with the bytes written since its last call
SMALL = 64 << 10  # smaller writes are gathered: 100,000 tiny tensors must not be 200,000 system calls
HINT = 64 << 20  # bytes of a large range that the system is asked to read before they are needed: a cold disk likes it


class Sink(ABC):
    """The sink for the bytes of a checkpoint, from its beginning to its end."""

    @abstractmethod
    def write(self, data: Bytes) -> None:
        """Append bytes."""

    def copy(self, source: Source, offset: int, length: int) -> None:
        """Append a range of another file."""
        for piece in source.chunks(offset, length):
            self.write(piece)

    def flush(self) -> None:  # noqa: B027  a sink that keeps nothing back has nothing to do
        """Flush what is gathered."""


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
