"""numpy's `.npz`: a zip archive with one `.npy` for each tensor; and a `.npy` by itself.

bfloat16, which numpy does not have, is a two-byte void, as the ml_dtypes package writes it. No pickled objects.

A compressed array is inflated piece by piece where it is written to another file or copied into a tensor that is there.
Where it would have to be made in memory, its size is compared with its file's first: deflate makes a gigabyte of zeros
out of a megabyte.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.memory_budget import MORE_BYTES
from msbridge.converters.files.sink import Sink
from msbridge.converters.files.source import CHUNK, Source
from msbridge.converters.formats import npy, zip_reading
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.formats.zip_writing import replacing_zip
from msbridge.converters.tensors.dtypes import BY_NAME, TEXT
from msbridge.converters.tensors.entry import Entry, make_lazy_entry, unique_names
from msbridge.converters.tensors.lazy_bytes import Content, InFile, as_bytes


def read(source: Source) -> Iterator[Entry]:
    """Yield the arrays of a `.npz`; stored ones are read when they are used, compressed ones as well.

    Raises:
        CheckpointError: the archive or a header is damaged, or an array is of a type that no tensor has.
    """
    for member in zip_reading.members(source):
        if member.name.endswith(".npy"):
            yield _member(source, member)


def read_all(path: str | os.PathLike[str]) -> dict[str, torch.Tensor]:
    """Return the arrays of a `.npz` by name, or the one of a `.npy` under the empty name, in memory of their own.

    Raises:
        CheckpointError: the file is neither, is damaged, holds Python objects, or takes more memory than its size and
            64 MiB.
    """
    source = Source(path)
    try:
        if source.read(0, len(npy.MAGIC)) == npy.MAGIC:
            found = npy.read_header(source.read, source.size, str(path))
            entries = [_entry("", found, InFile(source, ((found.start, found.nbytes),)), found.start)]
        elif zip_reading.names(source, source.read(0, len(zip_reading.MAGIC))):
            entries = list(read(source))
        else:
            raise CheckpointError(f"{path} is neither .npz nor .npy.")
        total, most = sum(one.nbytes for one in entries), source.size + MORE_BYTES
        if total > most:
            raise CheckpointError(f"{path}: its arrays take {total} bytes in memory, of a file of its size {most} may.")
        return {one.name: one.tensor(copy=True) for one in entries}
    finally:
        source.close()


def write(path: str | os.PathLike[str], entries: Iterable[Entry], writing: Writing | None = None) -> None:
    """Write entries as an uncompressed `.npz`.

    Raises:
        CheckpointError: a name occurs twice, or an element type has no place in the format.
        OSError: the target cannot be written.
    """
    with replacing_zip(path, writing.progress if writing else None) as archive:
        for one in unique_names(entries, path):
            if "\0" in one.name:
                raise CheckpointError(f"{path}: no zip archive can hold the name {one.name!r}.")
            archive.add(one.name + ".npy", one.content, _header(one, path))


class Compressed(Content):
    """The bytes of a compressed member behind its header."""

    def __init__(self, source: Source, member: zip_reading.Member, start: int):
        self.nbytes = member.size - start
        self._source = source
        self._member = member
        self._start = start
        self._inflated = zip_reading.Inflated(source, member)

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        most = self._source.size + MORE_BYTES
        if self.nbytes > most:
            raise CheckpointError(
                f"{zip_reading.describe(self._source, self._member)}: {self._member.packed} bytes become {self.nbytes} "
                f"when they are inflated, and at most {most} are made in memory out of a file of this size. Convert "
                "the file to .safetensors, which goes piece by piece, and read that."
            )
        data = torch.empty(self.nbytes // dtype.itemsize, dtype=dtype)
        self.fill(as_bytes(data))
        return data

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        stop = self.nbytes if stop is None else min(stop, self.nbytes)
        buffer = memoryview(bytearray(min(CHUNK, max(0, stop - start))))
        for begin in range(start, stop, CHUNK):
            piece = buffer[: min(CHUNK, stop - begin)]
            self._inflated.read_into(self._start + begin, piece)
            sink.write(piece)

    def fill(self, target: memoryview) -> None:
        self._inflated.read_into(self._start, target)


def _member(source: Source, member: zip_reading.Member) -> Entry:
    where, name = zip_reading.describe(source, member), member.name.removesuffix(".npy")
    if member.is_stored:
        header = npy.read_header(lambda at, length: source.read(member.offset + at, length), member.size, where)
        offset = member.offset + header.start
        return _entry(name, header, InFile(source, ((offset, header.nbytes),)), offset)
    header = npy.read_header(zip_reading.Inflated(source, member).read, member.size, where)
    return _entry(name, header, Compressed(source, member, header.start), member.header)


def _entry(name: str, header: npy.Header, content: Content, offset: int) -> Entry:
    """Make an entry of an array; one that lies in another order is turned when it is used."""
    if header.text_bytes is not None:
        if header.is_swapped:
            content = _Swapped(content, 4)
        return Entry(name, TEXT, (), content, offset)
    kind = header.element.name
    part = header.element.size // (2 if kind.startswith("Complex") else 1)
    if header.is_swapped and part > 1:
        content = _Swapped(content, part)
    if not header.is_fortran:
        return Entry(name, kind, header.shape, content, offset)

    def make() -> torch.Tensor:
        flat = content.tensor(BY_NAME[kind].dtype, copy=True)
        return flat.reshape(header.shape[::-1]).permute(tuple(range(len(header.shape)))[::-1])

    return replace(make_lazy_entry(name, kind, header.shape, make), offset=offset)


class _Swapped(Content):
    """The bytes of another content, those of each number in the opposite order."""

    def __init__(self, original: Content, size: int):
        self.nbytes = original.nbytes
        self._original = original
        self._size = size

    def tensor(self, dtype: torch.dtype, copy: bool) -> torch.Tensor:
        data = self._original.tensor(torch.uint8, copy=True)
        self._turn(as_bytes(data))
        return data.view(dtype)

    def write(self, sink: Sink, start: int = 0, stop: int | None = None) -> None:
        stop = self.nbytes if stop is None else min(stop, self.nbytes)
        for begin in range(start - start % self._size, stop, CHUNK):
            end = min(begin + CHUNK, stop + -stop % self._size)
            piece = self._original.part_in_memory(begin, end)
            self._turn(piece)
            sink.write(piece[max(0, start - begin) : stop - begin])

    def _turn(self, data: memoryview) -> None:
        if data:
            np.frombuffer(data, f"u{self._size}").byteswap(inplace=True)


def _header(entry: Entry, path: str | os.PathLike[str]) -> bytes:
    if entry.is_text:
        return npy.header(f"<U{entry.nbytes // 4}", ())
    descriptor = entry.element.numpy if entry.type != "Int4" else "|i1"
    if descriptor is None:
        raise CheckpointError(
            f"{path}: {entry.name!r} is {entry.type}, for which numpy has no type; write .ckpt instead."
        )
    return npy.header(descriptor, entry.shape)


def _recognizes(source: Source, start: bytes) -> bool:
    names = zip_reading.names(source, start)
    return any(name.endswith(".npy") for name in names) or (not names and start.startswith(zip_reading.EMPTY_MAGIC))


FORMAT = Format(
    name="npz",
    suffixes=(".npz",),
    naming="torch",
    has_both_namings=True,
    recognizes=_recognizes,
    read=lambda source: Contents(read(source)),
    write=write,
    check_sums=zip_reading.check_sums,
    shards=("model", ".npz"),
)
