"""Zip archives, taken at their bytes and not at their word: what a member claims is checked before it is read."""

import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import CHUNK, Source

MAGIC, EMPTY_MAGIC = b"PK\x03\x04", b"PK\x05\x06"  # of an archive with members, and of one without
LOCAL_HEADER_BYTES = 30
ENCRYPTED = 0x1  # the flag of a member with a password
# What the standard library raises at damaged archives, besides its own class.
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, MemoryError),
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive.

    Attributes:
        info: what the archive's directory says.
        offset: where its bytes begin in the archive.
    """

    info: zipfile.ZipInfo
    offset: int

    @property
    def name(self) -> str:
        return self.info.filename

    @property
    def is_stored(self) -> bool:
        """Whether its bytes lie in the archive as they are."""
        return self.info.compress_type == zipfile.ZIP_STORED


# A directory of 100,000 members takes half a second to read: it is read once for each source, and goes with it.
_archives: "WeakKeyDictionary[Source, zipfile.ZipFile]" = WeakKeyDictionary()
_members: "WeakKeyDictionary[Source, list[Member]]" = WeakKeyDictionary()


@contextmanager
def opened(source: Source) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever a damaged one makes the standard library raise becomes a CheckpointError."""
    try:
        if source not in _archives:
            _archives[source] = zipfile.ZipFile(source.path)
        yield _archives[source]
    except CheckpointError:
        raise
    except DAMAGED as error:
        reason = str(error) or type(error).__name__
        raise CheckpointError(f"{source.path}: the archive is cut short or damaged: {reason}.") from error


def names(source: Source, start: bytes) -> list[str]:
    """Return the names of the members of a file that begins with `start`; none if it is no archive."""
    if not start.startswith((MAGIC, EMPTY_MAGIC)):
        return []
    with opened(source) as archive:
        return archive.namelist()


def members(source: Source, archive: zipfile.ZipFile) -> list[Member]:
    """Return the members of an archive in the order of its directory.

    Raises:
        CheckpointError: one lies outside the file or upon another, needs a password, is compressed in an unusual way,
            or has the name of another.
    """
    if source in _members:
        return _members[source]
    found = [_member(source, info) for info in archive.infolist()]
    end, before = 0, ""
    for one in sorted(found, key=lambda one: one.info.header_offset):
        if one.info.header_offset < end:
            raise CheckpointError(f"{describe(source, one.info)} lies upon {before!r}: refused.")
        end, before = one.offset + one.info.compress_size, one.name
    if len({one.name for one in found}) != len(found):
        (twice, _), *_ = Counter(one.name for one in found).most_common(1)
        raise CheckpointError(f"{source.path}: the archive has two members called {twice!r}.")
    _members[source] = found
    return found


def check_sums(source: Source) -> bool:
    """Compare every member with the check sum that the archive has for it; whether it is an archive.

    Raises:
        CheckpointError: one differs.
    """
    if source.read(0, 2) != MAGIC[:2]:
        return False
    with opened(source) as archive:
        for one in members(source, archive):
            # A sum of zero: empty, or saved by torch without check sums.
            if one.info.CRC and not _agrees(source, archive, one):
                where = describe(source, one.info)
                raise CheckpointError(f"{where} does not agree with its check sum: it was damaged.")
    return True


def _agrees(source: Source, archive: zipfile.ZipFile, one: Member) -> bool:
    if one.is_stored:
        size = one.info.file_size
        pieces = (source.read(one.offset, size),) if size < CHUNK else source.chunks(one.offset, size)
        crc = 0
        for piece in pieces:
            crc = zlib.crc32(piece, crc)
        return crc == one.info.CRC
    try:
        with archive.open(one.info) as file:
            while file.read(CHUNK):
                pass
    except DAMAGED:
        return False
    return True


def describe(source: Source, info: zipfile.ZipInfo) -> str:
    """Name a member in a message."""
    return f"{source.path}: {info.filename!r} at offset {info.header_offset}"


def _member(source: Source, info: zipfile.ZipInfo) -> Member:
    where = describe(source, info)
    if info.flag_bits & ENCRYPTED:
        raise CheckpointError(f"{where} is encrypted with a password.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CheckpointError(f"{where} is compressed by method {info.compress_type}; only deflate is read.")
    local = source.read(info.header_offset, LOCAL_HEADER_BYTES)
    if len(local) < LOCAL_HEADER_BYTES or local[:4] != MAGIC:
        raise CheckpointError(f"{where}: no local header there; the archive is damaged.")
    offset = info.header_offset + LOCAL_HEADER_BYTES + sum(struct.unpack("<HH", local[26:30]))
    if offset + info.compress_size > source.size:
        raise CheckpointError(f"{where} claims {info.compress_size} bytes, the file ends at {source.size}.")
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        raise CheckpointError(
            f"{where} is not compressed, but claims {info.file_size} bytes in {info.compress_size}: damaged."
        )
    return Member(info, offset)
