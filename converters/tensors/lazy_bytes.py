"""The bytes of a tensor: in a file, in memory, or still to be computed. Nothing is read before it is asked for."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable

import torch

from msbridge.converters.files.sink import Bytes, Sink
from msbridge.converters.files.source import CHUNK, Source


class Content(ABC):
    """The bytes of one tensor, row-major and little-endian."""

    __slots__ = ()
    nbytes: int

    @abstractmethod
    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        """Return the elements as a flat tensor; with `copy`, one that shares memory with nothing."""

    @abstractmethod
    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        """Append the bytes from `start` to `stop` to a file."""

    def fill(self, target: memoryview) -> None:
        """Copy all bytes into `target`, which is as long."""
        self.write(_Into(target))

    def part_in_memory(self, start: int, stop: int) -> memoryview:
        """Return a copy of the bytes from `start` to `stop`."""
        data = memoryview(bytearray(stop - start))
        self.write(_Into(data), start, stop)
        return data

    def is_same(self, other: "Content") -> bool:
        """Whether the bytes are those of another content; both are read."""
        sums = _Hashed(), _Hashed()
        for content, total in zip((self, other), sums, strict=True):
            content.write(total)
        return sums[0].digest() == sums[1].digest()


class InFile(Content):
    """Bytes that lie in a file, in one range or in several that follow each other."""

    __slots__ = ("nbytes", "ranges", "source")

    def __init__(self, source: Source, ranges: tuple[tuple[int, int], ...]):
        self.source = source
        self.ranges = ranges  # (offset, length)
        self.nbytes = sum(length for _, length in ranges)

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        if not self.nbytes:
            return torch.empty(0, dtype=dtype)
        offset, length = self.ranges[0]
        if not copy and self.source.is_mapped and len(self.ranges) == 1 and offset % dtype.itemsize == 0:
            self.source.check_length()
            return torch.frombuffer(self.source.mapping, dtype=dtype, count=length // dtype.itemsize, offset=offset)
        data = torch.empty(self.nbytes // dtype.itemsize, dtype=dtype)
        self.fill(as_bytes(data))
        return data

    def fill(self, target: memoryview) -> None:
        done = 0
        for offset, length in self.ranges:
            self.source.read_into(offset, target[done : done + length])
            done += length

    def is_same(self, other: Content) -> bool:
        if isinstance(other, InFile) and other.source is self.source and other.ranges == self.ranges:
            return True
        return super().is_same(other)

    def part(self, start: int, stop: int) -> "InFile":
        """Return the bytes from `start` to `stop`."""
        ranges = []
        position = 0
        for offset, length in self.ranges:
            begin, end = max(start, position), min(stop, position + length)
            if begin < end:
                ranges.append((offset + begin - position, end - begin))
            position += length
        return InFile(self.source, tuple(ranges))

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        for offset, length in self.part(start, self.nbytes if stop is None else stop).ranges:
            sink.copy(self.source, offset, length)


class InMemory(Content):
    """Bytes that a torch tensor or a bytes object holds."""

    def __init__(self, data: torch.Tensor | bytes):
        self.data = data
        self.nbytes = len(data) if isinstance(data, bytes) else data.numel() * data.itemsize

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        if isinstance(self.data, bytes):
            return torch.frombuffer(bytearray(self.data), dtype=dtype) if self.data else torch.empty(0, dtype=dtype)
        flat = self.data.detach().reshape(-1)
        return flat.clone() if copy else flat

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        whole = memoryview(self.data) if isinstance(self.data, bytes) else as_bytes(self.data)
        sink.write(whole[start:stop])


class Computed(Content):
    """Bytes of a tensor that is made when it is written, and forgotten afterwards."""

    def __init__(self, make: Callable[[], torch.Tensor], nbytes: int):
        self.make = make
        self.nbytes = nbytes
        self._made: memoryview | None = None

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        return self.make().contiguous().reshape(-1)

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        if self._made is None:
            self._made = as_bytes(self.make())
        sink.write(self._made[start:stop])
        if stop is None or stop >= self.nbytes:
            self._made = None


class Cast(Content):
    """The elements of another content as another type; a piece of them at a time is in memory."""

    def __init__(self, original: Content, old: torch.dtype, new: torch.dtype):
        self.original = original
        self.old = old
        self.new = new
        self.nbytes = original.nbytes // old.itemsize * new.itemsize

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        return self.original.tensor(self.old, copy=False).to(self.new)

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        stop = self.nbytes if stop is None else stop
        size, count = self.new.itemsize, CHUNK // self.old.itemsize
        for first in range(start // size, -(-stop // size), count):
            end = min((first + count) * self.old.itemsize, self.original.nbytes)
            piece = self.original.part_in_memory(first * self.old.itemsize, end)
            data = as_bytes(torch.frombuffer(piece, dtype=self.old).to(self.new))
            sink.write(data[max(0, start - first * size) : stop - first * size])


class _Into(Sink):
    """Copies what is written to it into memory that is there."""

    def __init__(self, target: memoryview):
        self._target = target
        self._done = 0

    def write(self, data: Bytes) -> None:
        view = memoryview(data).cast("B")
        self._target[self._done : self._done + len(view)] = view
        self._done += len(view)


class _Hashed(Sink):
    """Keeps the sum of what is written to it."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def write(self, data: Bytes) -> None:
        self._hash.update(data)

    def digest(self) -> bytes:
        return self._hash.digest()


def as_bytes(tensor: torch.Tensor) -> memoryview:
    """Look at the elements of a tensor as bytes; no copy if it is contiguous and on the CPU."""
    flat = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
    if not flat.numel():
        return memoryview(b"")
    return flat.view(torch.uint8).numpy().data.cast("B")
