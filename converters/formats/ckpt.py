"""MindSpore's `.ckpt`: concatenated protobuf messages, one for each tensor or each slice of a large one.

    Checkpoint { repeated Value value = 1 }
    Value      { string tag = 1; TensorProto tensor = 2; MapTensor maptensor = 3 }
    TensorProto{ repeated int64 dims = 1; string tensor_type = 2; bytes tensor_content = 3 }

A text is a tensor of type "str" with dims [0] and UTF-32 code points as content. A checksum may end the file: the
seven bytes `crc_num`, then the CRC-32 of all before them as ten bytes, big-endian.
"""

import math
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.sink import Progress, Sink
from msbridge.converters.files.source import Source
from msbridge.converters.formats import encryption
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.messages.wire import FIXED, LENGTH, MAX_VARINT_BYTES, VARINT, DecodeError, read_varint, varint
from msbridge.converters.tensors.dtypes import BY_NAME, TEXT
from msbridge.converters.tensors.entry import Entry, unique_names
from msbridge.converters.tensors.lazy_bytes import InFile

SLICE_BYTES = 512 << 20  # MindSpore cuts the content of a tensor here, as protobuf takes no message over 2 GB
PERMISSIONS = 0o400  # as MindSpore leaves its files
TRAILER = b"crc_num"
TRAILER_BYTES = len(TRAILER) + 10
MAX_DIMS = 64
MAX_NAME_BYTES = 1 << 16
USUAL_HEADER_BYTES = 512  # what comes before the content of an entry, with a usual name

ENTRY_BYTES, SLICE_ENTRY_BYTES = 400, 150  # what an entry, and a slice of one, take in memory


def read(source: Source) -> Iterator[Entry]:
    """Yield the entries of a `.ckpt` in the order of the file; no content is read.

    Raises:
        CheckpointError: the file is not a complete `.ckpt`; names the file, the entry and the offset.
    """
    seen: set[str] = set()
    allowance = Allowance(source.path, source.size)
    for first, ranges in _join_slices(_values(source), allowance):
        allowance.spend(ENTRY_BYTES + len(first.name))
        if first.name in seen:
            raise first.error("the name is there already; a checkpoint holds each name once")
        seen.add(first.name)
        yield Entry(first.name, first.type, _shape(first, ranges), InFile(source, tuple(ranges)), first.offset)


def write(
    path: str | os.PathLike[str],
    entries: Iterable[Entry],
    *,
    crc_check: bool = False,
    slice_bytes: int = SLICE_BYTES,
    permissions: int = PERMISSIONS,
    progress: Progress | None = None,
    wrap: Callable[[Sink], Sink] | None = None,
) -> None:
    """Write entries as a `.ckpt`, byte for byte as MindSpore writes them. The target is replaced when all is written.

    Args:
        path: the target.
        entries: what to write, in this order; taken one at a time.
        crc_check: whether the checksum ends the file.
        slice_bytes: where the content of a large tensor is cut.
        permissions: of the target.
        progress: is called with the number of written bytes.
        wrap: changes the bytes on their way to the file (encryption).

    Raises:
        CheckpointError: a name occurs twice, or is too long.
        OSError: the target cannot be written.
    """
    with replacing(path, permissions, progress, with_crc=crc_check) as sink:
        target: Sink = wrap(sink) if wrap else sink
        for entry in unique_names(entries, path):
            # An empty tensor is one slice too: MindSpore leaves it out when it saves, and takes it when it loads.
            step = max(entry.nbytes, 1) if entry.is_text else slice_bytes
            for start in range(0, max(entry.nbytes, 1), step):
                stop = min(start + step, entry.nbytes)
                target.write(header(entry, stop - start))
                entry.content.write(target, start, stop)
        target.flush()
        if crc_check:
            sink.write(TRAILER + sink.crc.to_bytes(10, "big"))


def header(entry: Entry, content_bytes: int) -> bytes:
    """Return the bytes that come before the content of an entry, or of a slice of it."""
    name = entry.name.encode("utf-8")
    if len(name) > MAX_NAME_BYTES:
        raise CheckpointError(
            f"the name {entry.name[:40]!r}… is {len(name)} bytes long; at most {MAX_NAME_BYTES} are allowed."
        )
    dims = (0,) if entry.is_text else entry.shape
    kind = entry.type.encode("ascii")
    tensor = b"".join(b"\x08" + varint(dim) for dim in dims) + b"\x12" + varint(len(kind)) + kind
    tensor += b"\x1a" + varint(content_bytes)
    value = b"\x0a" + varint(len(name)) + name + b"\x12" + varint(len(tensor) + content_bytes)
    return b"\x0a" + varint(len(value) + len(tensor) + content_bytes) + value + tensor


def read_crc(source: Source) -> int | None:
    """Return the checksum at the end of the file; None if there is none."""
    tail = source.read(max(0, source.size - TRAILER_BYTES), TRAILER_BYTES)
    return (
        int.from_bytes(tail[len(TRAILER) :], "big") if len(tail) == TRAILER_BYTES and tail.startswith(TRAILER) else None
    )


def check_crc(source: Source) -> bool:
    """Compare the checksum with the bytes before it.

    Returns:
        Whether there was one to compare.

    Raises:
        CheckpointError: it differs.
    """
    recorded = read_crc(source)
    if recorded is None:
        return False
    crc = 0
    for piece in source.chunks(0, source.size - TRAILER_BYTES):
        crc = zlib.crc32(piece, crc)
    if crc != recorded:
        raise CheckpointError(
            f"{source.path}: the checksum at its end is {recorded:#010x}, its bytes have {crc:#010x}: it was damaged."
        )
    return True


@dataclass(slots=True)
class _Value:
    """One Value message: a tensor, a slice of one, or a text."""

    source: Source
    number: int
    offset: int
    name: str = ""
    type: str = ""
    dims: tuple[int, ...] = ()
    content: tuple[int, int] = (0, 0)  # (offset, length)

    def error(self, text: str, offset: int | None = None) -> CheckpointError:
        called = f" {self.name!r}" if self.name else ""
        where = self.offset if offset is None else offset
        return CheckpointError(
            f"{self.source.path}: entry {self.number}{called} at offset {where}: {text}.",
            path=self.source.path,
            entry=self.name,
            offset=where,
        )


def _join_slices(values: Iterable[_Value], allowance: Allowance) -> Iterator[tuple[_Value, list[tuple[int, int]]]]:
    """Put the slices of one tensor together; they follow each other in the file."""
    first: _Value | None = None
    ranges: list[tuple[int, int]] = []
    length = wanted = 0
    for value in values:
        allowance.spend(SLICE_ENTRY_BYTES)
        if first and value.name == first.name and length < wanted:
            if (value.type, value.dims) != (first.type, first.dims):
                raise value.error(
                    f"a slice of {value.type}{list(value.dims)} follows one of {first.type}{list(first.dims)}"
                )
            ranges.append(value.content)
            length += value.content[1]
            continue
        if first:
            yield first, ranges
        first, ranges = value, [value.content]
        length, wanted = value.content[1], _count_bytes(value)
    if first:
        yield first, ranges


def _count_bytes(value: _Value) -> int:
    """Check type and dims; return the bytes that the whole tensor has (a text is complete as it is)."""
    if value.type == TEXT:
        return 0
    if value.type not in BY_NAME:
        raise value.error(f"unknown tensor type {value.type!r}; known are {', '.join(BY_NAME)}, {TEXT}")
    if value.dims and min(value.dims) < 0:
        raise value.error(f"negative dimension in {list(value.dims)}")
    return math.prod(value.dims) * BY_NAME[value.type].size


def _shape(first: _Value, ranges: list[tuple[int, int]]) -> tuple[int, ...]:
    """Check the content's length against the dims."""
    length = sum(count for _, count in ranges)
    if first.type == TEXT:
        if length % 4:
            raise first.error(f"a text of {length} bytes; UTF-32 takes four for each character")
        return ()
    wanted = _count_bytes(first)
    if first.dims == (0,) and length == BY_NAME[first.type].size:
        return ()  # how the first releases wrote a scalar
    if length != wanted:
        kind = f"{first.type} of shape {first.dims}"
        raise first.error(f"{kind} takes {wanted} bytes, the file holds {length}", ranges[0][0])
    return first.dims


def _values(source: Source) -> Iterator[_Value]:
    """Walk over the Value messages of a file; every length is checked against what is left of the message around it."""
    end = source.size - (TRAILER_BYTES if read_crc(source) is not None else 0)
    position = number = 0
    while position < end:
        value = _Value(source, number, position)
        number += 1
        after = _read_usual(source.read(position, min(USUAL_HEADER_BYTES, end - position)), end - position, value)
        if after:
            position += after
            yield value
            continue
        key, _ = _read_varint(source.mapping, position, end, value)
        if key != 1 << 3 | LENGTH:  # not skipped as protobuf would: one flipped bit here would lose a tensor
            raise value.error(
                "no entry of a MindSpore checkpoint begins like this: damaged, encrypted, or another format"
            )
        *_, start, position = next(_fields(source.mapping, position, end, value))
        _read_value(source.mapping, start, position, value)
        yield value


def _read_usual(head: bytes, length: int, value: _Value) -> int:
    """Read an entry that is laid out as MindSpore lays them out, five times as fast as `_read_value` reads any.

    Args:
        head: the first bytes of the entry, or more.
        length: bytes from the entry's beginning to the end of the file.
        value: is filled.

    Returns:
        The bytes that the entry takes; 0 if it is of another layout, or damaged.
    """
    try:
        count, at = read_varint(head, 1, len(head))
        end = at + count
        name_bytes, name = read_varint(head, at + 1, len(head))
        tensor = name + name_bytes
        count, dims = read_varint(head, tensor + 1, len(head))
        if head[0] != 0x0A or head[at] != 0x0A or head[tensor] != 0x12 or dims + count != end or end > length:
            return 0
        at, shape = dims, []
        while head[at] == 0x08:
            dim, at = read_varint(head, at + 1, len(head))
            shape.append(dim if dim < 1 << 63 else dim - (1 << 64))
        kind = at + 2
        content = kind + head[at + 1]
        count, start = read_varint(head, content + 1, len(head))
        if head[at] != 0x12 or head[content] != 0x1A or start + count != end or len(shape) > MAX_DIMS:
            return 0
        value.name, value.type = str(head[name:tensor], "utf-8"), str(head[kind:content], "ascii")
    except (DecodeError, IndexError, UnicodeDecodeError):
        return 0
    if not value.name:
        return 0
    value.dims, value.content = tuple(shape), (value.offset + start, count)
    return end


def _read_value(data: memoryview, position: int, end: int, value: _Value) -> None:
    has_tensor = False
    for field, wire, start, stop in _fields(data, position, end, value):
        if wire != LENGTH:
            continue
        if field == 1:
            value.name = _text(data, start, stop, value, "name", MAX_NAME_BYTES)
        elif field == 2:
            if has_tensor:
                raise value.error("holds two tensors", start)
            has_tensor = True
            _read_tensor(data, start, stop, value)
        elif field == 3:
            raise value.error("is a map parameter (a hash table of an embedding), which is not supported", start)
    if not has_tensor or not value.name:
        raise value.error(f"has no {'tensor' if value.name else 'name'}")


def _read_tensor(data: memoryview, position: int, end: int, value: _Value) -> None:
    dims: list[int] = []
    for field, wire, start, stop in _fields(data, position, end, value):
        if field == 1 and wire in (VARINT, LENGTH):  # one dimension, or several packed
            while start < stop:
                dim, start = _read_varint(data, start, stop, value)
                dims.append(dim - (1 << 64) if dim >> 63 else dim)
                if len(dims) > MAX_DIMS:
                    raise value.error(f"more than {MAX_DIMS} dimensions", start)
        elif field == 2 and wire == LENGTH:
            value.type = _text(data, start, stop, value, "tensor type", 64)
        elif field == 3 and wire == LENGTH:
            value.content = (start, stop - start)
    value.dims = tuple(dims)


def _fields(data: memoryview, position: int, end: int, value: _Value) -> Iterator[tuple[int, int, int, int]]:
    """Yield the fields of a message: number, wire type, and where the value begins and ends."""
    while position < end:
        key, start = _read_varint(data, position, end, value)
        wire = key & 7
        if wire == VARINT:
            stop = _read_varint(data, start, end, value)[1]
        elif wire == LENGTH:
            length, start = _read_varint(data, at := start, end, value)
            if length > end - start:
                raise value.error(
                    f"claims {length} bytes where {end - start} are left; the file is cut short or damaged", at
                )
            stop = start + length
        elif wire not in FIXED or (stop := start + FIXED[wire]) > end:
            raise value.error("bytes that are not a protobuf field", start)
        yield key >> 3, wire, start, stop
        position = stop


def _read_varint(data: memoryview, position: int, end: int, value: _Value) -> tuple[int, int]:
    try:
        return read_varint(data, position, end)
    except DecodeError as error:
        if end - position >= MAX_VARINT_BYTES:
            raise value.error(str(error), position) from error
        where = "the file ends inside a number" if end >= value.source.size else "a number runs over its message"
        raise value.error(where, position) from error


def _text(data: memoryview, start: int, end: int, value: _Value, what: str, longest: int) -> str:
    if end - start > longest:
        raise value.error(f"a {what} of {end - start} bytes; at most {longest} are allowed", start)
    try:
        return str(data[start:end], "utf-8")
    except UnicodeDecodeError:
        raise value.error(f"the {what} is not UTF-8", start) from None


def _write(path: Path, entries: Iterable[Entry], writing: Writing) -> None:
    key, mode = writing.key, writing.mode
    wrap = None if key is None else lambda sink: encryption.EncryptingSink(sink, key, mode)
    write(path, entries, crc_check=writing.crc_check, wrap=wrap, progress=writing.progress)


FORMAT = Format(
    name="ckpt",
    suffixes=(".ckpt",),
    naming="mindspore",
    has_both_namings=False,
    recognizes=lambda source, start: start[0] == encryption.FIRST_BYTE,
    read=lambda source: Contents(read(source)),
    write=_write,
    check_sums=check_crc,
    shards=("model", ".ckpt"),
    can_be_encrypted=True,
)
