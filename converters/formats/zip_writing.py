"""Writing zip archives of uncompressed members: a tenth of what the standard library takes for 100,000 small ones."""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.sink import FileSink, Progress
from msbridge.converters.tensors.lazy_bytes import Content, InMemory

LOCAL = struct.Struct("<4s5H3I2H")  # what comes before a member
CENTRAL = struct.Struct("<4s6H3I5H2I")  # its row in the directory at the end
END = struct.Struct("<4s4H2IH")
LONG_END = struct.Struct("<4sQ2H2I4Q")
LONG_END_LOCATOR = struct.Struct("<4sIQI")
MAX_32, MAX_16 = 0xFFFFFFFF, 0xFFFF  # in place of a larger number, which then is in an extra field
LARGE = 1 << 31  # members that are longer get the long form
UTF_8 = 0x800  # the flag of a name that is not ASCII
CRC_POSITION = 14  # in a local header
YEAR_1980 = 0x21  # the date that archives without dates have


class _Member(NamedTuple):
    name: bytes
    flags: int
    version: int
    crc: int
    length: int
    position: int


class ZipWriter:
    """Writes members in sequence."""

    def __init__(self, sink: FileSink):
        self._sink = sink
        self._members: list[_Member] = []

    def add(self, name: str, content: Content | bytes, before: bytes = b"", alignment: int = 1) -> None:
        """Write one member.

        Args:
            name: its name.
            content: its bytes.
            before: bytes of the member that come before `content`.
            alignment: of what its position is a multiple; an extra field fills the gap.

        Raises:
            CheckpointError: the name is too long for a zip archive.
        """
        content = InMemory(content) if isinstance(content, bytes) else content
        encoded, sink = name.encode("utf-8"), self._sink
        length, position = len(before) + content.nbytes, sink.position
        if len(encoded) > MAX_16:
            raise CheckpointError(f"the name {name[:40]!r}… is too long for a zip archive.")
        extra = struct.pack("<2H2Q", 1, 16, length, length) if length >= LARGE else b""
        if alignment > 1:
            padding = -(position + LOCAL.size + len(encoded) + len(extra) + 4) % alignment
            extra += b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
        flags, version = 0 if encoded.isascii() else UTF_8, 45 if length >= LARGE else 20
        short = MAX_32 if length >= LARGE else length
        head = (b"PK\x03\x04", version, flags, 0, 0, YEAR_1980)
        sink.write(LOCAL.pack(*head, 0, short, short, len(encoded), len(extra)) + encoded + extra)
        sink.crc = 0
        sink.write(before)
        content.write(sink)
        sink.patch(position + CRC_POSITION, sink.crc.to_bytes(4, "little"))
        self._members.append(_Member(encoded, flags, version, sink.crc, length, position))

    def close(self) -> None:
        """Write the directory."""
        start = self._sink.position
        for name, flags, version, crc, length, position in self._members:
            long = [number for number in (length, length, position) if number >= LARGE]
            extra = struct.pack(f"<2H{len(long)}Q", 1, 8 * len(long), *long) if long else b""
            short, place = (MAX_32 if number >= LARGE else number for number in (length, position))
            version = 45 if long else version
            head = (b"PK\x01\x02", version, version, flags, 0, 0, YEAR_1980)
            sizes = (crc, short, short, len(name), len(extra), 0, 0, 0, 0, place)
            self._sink.write(CENTRAL.pack(*head, *sizes) + name + extra)
        end, count = self._sink.position, len(self._members)
        if count >= MAX_16 or end >= LARGE:
            totals = (count, count, end - start, start)
            self._sink.write(LONG_END.pack(b"PK\x06\x06", LONG_END.size - 12, 45, 45, 0, 0, *totals))
            self._sink.write(LONG_END_LOCATOR.pack(b"PK\x06\x07", 0, end, 1))
        count, length, start = min(count, MAX_16), min(end - start, MAX_32), min(start, MAX_32)
        self._sink.write(END.pack(b"PK\x05\x06", 0, 0, count, count, length, start, 0))


@contextmanager
def replacing_zip(path: str | os.PathLike[str], progress: Progress | None = None) -> Iterator[ZipWriter]:
    """Write an archive that appears under its name only when it is complete.

    Raises:
        OSError: the target cannot be written; names it.
    """
    with replacing(path, progress=progress, with_crc=True) as sink:
        archive = ZipWriter(sink)
        yield archive
        archive.close()
