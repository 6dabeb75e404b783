"""TFRecord files: records of any bytes, in sequence, plain or compressed.

    record = length (8 bytes), its checksum (4), the bytes, their checksum (4)

Numbers are little-endian. As MindSpore does, the checksum of the first length decides whether a file is one of these;
the others are not looked at. No length is believed before as many bytes have been seen.

Compressed files may be padded: as in MindSpore, lengths of zero without a checksum are passed over in GZIP files, and
behind the last record of a ZLIB file any bytes that are less than a head. One that was cut is refused: MindSpore yields
the records that can still be decompressed, and says nothing of the others.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import BinaryIO, Protocol

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.blocks import PORTION_ROWS
from msbridge.dataset.engine.user_values import pipeline_error

HEAD, FOOT = 12, 4
CHUNK = 1 << 20  # bytes that are read at once
PORTION_BYTES = 1 << 22  # about what one portion of records may take
COMPRESSED_CHUNK = 1 << 16
MAX_RECORD_BYTES = (1 << 31) - 1  # bytes of a record: what a protobuf message can have
MARK_EVERY = 1024  # records between places that are remembered
GZIP_MAGIC = b"\x1f\x8b"
POLYNOMIAL, MASK = 0x82F63B78, 0xA282EAD8  # of CRC-32C, and what TFRecord adds after rotating

_LENGTH = struct.Struct("<Q")
NO_LENGTH = bytes(_LENGTH.size)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def count_records(path: Path, compression: str) -> tuple[int, list[int]]:
    """Walk over the heads of a file.

    Args:
        path: the file.
        compression: "", "GZIP" or "ZLIB".

    Returns:
        How many records there are, and where each 1024th begins (for plain files; else no places).

    Raises:
        RuntimeError: the file is damaged.
    """
    if compression:
        return sum(len(rows) for rows in read_records(path, compression)), []
    marks: list[int] = []
    with open_file(path) as file:
        size, place, count = os.fstat(file.fileno()).st_size, 0, 0
        while head := file.read(HEAD):
            length = _check_length(path, count, head, size - place - HEAD)
            if count % MARK_EVERY == 0:
                marks.append(place)
            place += HEAD + length + FOOT
            count += 1
            file.seek(place)
    return count, marks


def read_records(
    path: Path, compression: str, start: int = 0, end: int | None = None, marks: list[int] | None = None
) -> Iterator[list[bytes]]:
    """Yield the records from number `start` to `end`, some at a time.

    Args:
        path: the file.
        compression: "", "GZIP" or "ZLIB".
        start: the first record.
        end: the record behind the last one; None is all.
        marks: what `count_records` said.

    Raises:
        RuntimeError: the file is damaged.
    """
    with closing(open_file(path)) as file:
        skipped, left = 0, None
        if not compression:
            if marks and start:
                skipped = min(start // MARK_EVERY, len(marks) - 1) * MARK_EVERY
                file.seek(marks[skipped // MARK_EVERY])
            left = os.fstat(file.fileno()).st_size - file.tell()
        source: _Readable = _inflate(path, file, compression) if compression else file
        rows: list[bytes] = []
        held = 0
        for number, record in enumerate(_records(path, source, left, compression), skipped):
            if number < start:
                continue
            if number == end:
                break
            rows.append(record)
            held += len(record)
            if len(rows) == PORTION_ROWS or held >= PORTION_BYTES:
                yield rows
                rows, held = [], 0
        if rows:
            yield rows


def is_record_file(path: Path, compression: str) -> bool:
    """Whether the first length of a file agrees with its checksum."""
    with closing(open_file(path)) as file:
        source: _Readable = _inflate(path, file, compression) if compression else file
        head = _exactly(source, HEAD)
    return len(head) == HEAD and _is_checked(head)


def _is_checked(head: bytes) -> bool:
    return int.from_bytes(head[8:], "little") == compute_checksum(head[:8])


def compute_checksum(data: bytes) -> int:
    """Return the CRC-32C of some bytes in TFRecord's form; for the few of a head, it is not fast."""
    table, crc = _table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + MASK) & 0xFFFFFFFF


@cache
def _table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [(crc >> 1) ^ (POLYNOMIAL if crc & 1 else 0) for crc in table]
    return table


def _records(path: Path, source: _Readable, left: int | None, compression: str) -> Iterator[bytes]:
    """Yield records; `left` is how many bytes the source has, None where only reading shows it."""
    data, at, number = b"", 0, 0
    while True:
        if len(data) - at < HEAD:
            data, at = data[at:] + source.read(CHUNK), 0
            if len(data) < HEAD:
                data += _exactly(source, HEAD - len(data))
            if not data or (len(data) < HEAD and (compression == "ZLIB" or (compression and not any(data)))):
                return
        head = data[at : at + HEAD]
        if compression == "GZIP" and head.startswith(NO_LENGTH) and not _is_checked(head):
            at += len(NO_LENGTH)
            continue
        length = _check_length(path, number, head, None if left is None else left - HEAD)
        begin = at + HEAD
        at = begin + length + FOOT
        if at > len(data):
            data, begin = data[begin:] + _exactly(source, at - len(data)), 0
            if len(data) < length:
                raise _damage_error(path, number, f"has {length} bytes, there are {len(data)}")
            at = min(length + FOOT, len(data))
        yield data[begin : begin + length]
        if left is not None:
            left -= HEAD + length + FOOT
        number += 1


def _check_length(path: Path, number: int, head: bytes, left: int | None) -> int:
    if len(head) < HEAD:
        raise _damage_error(path, number, f"is cut short: {len(head)} bytes are not a head of a record")
    length: int = _LENGTH.unpack_from(head)[0]
    if length > (MAX_RECORD_BYTES if left is None else min(left, MAX_RECORD_BYTES)):
        raise _damage_error(path, number, f"should have {length} bytes, there are {'fewer' if left is None else left}")
    return length


def _exactly(source: _Readable, count: int) -> bytes:
    """Read `count` bytes, or what there is."""
    parts = []
    while count and (part := source.read(min(count, CHUNK))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _damage_error(path: Path, number: int, what: str) -> RuntimeError:
    return pipeline_error(f"Invalid TFRecord file, {path}: record {number} {what}.")


def _inflate(path: Path, file: BinaryIO, compression: str) -> _Readable:
    if compression == "GZIP":
        magic = file.read(len(GZIP_MAGIC))
        file.seek(0)
        if magic != GZIP_MAGIC:  # a plain file, which MindSpore reads as it is
            return file
    return _Inflated(path, file, zlib.MAX_WBITS | (16 if compression == "GZIP" else 0))


class _Inflated:
    """The content of a compressed file, of which never more is in memory than was asked for."""

    def __init__(self, path: Path, file: BinaryIO, window: int) -> None:
        self._path, self._file, self._window = path, file, window
        self._engine = zlib.decompressobj(window)

    def read(self, size: int, /) -> bytes:
        while True:
            if self._engine.eof:
                rest = self._engine.unused_data or self._file.read(COMPRESSED_CHUNK)
                if self._window <= zlib.MAX_WBITS or not rest.startswith(GZIP_MAGIC):
                    return b""
                self._engine = zlib.decompressobj(self._window)  # another member follows
            else:
                rest = self._engine.unconsumed_tail or self._file.read(COMPRESSED_CHUNK)
            try:
                data = self._engine.decompress(rest, size)
            except zlib.error as error:
                raise pipeline_error(
                    f"Invalid TFRecord file, {self._path} cannot be decompressed ({error})."
                ) from error
            if data:
                return data
            if not rest and not self._engine.eof:
                raise pipeline_error(
                    f"Invalid TFRecord file, {self._path} is cut short: its compressed data does not end."
                )
