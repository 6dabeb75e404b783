"""Zip archives, taken at their bytes and not at their word: what a member claims is checked before it is read.

The standard library's reader keeps ten times of what a directory has in memory, and inflates a member again for each
part of it that is asked for.
"""

import functools
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.source import CHUNK, Source
from msbridge.converters.formats.zip_writing import (
    CENTRAL,
    END,
    LOCAL,
    LONG_END,
    LONG_END_LOCATOR,
    MAX_16,
    MAX_32,
    UTF_8,
)

MAGIC, EMPTY_MAGIC = b"PK\x03\x04", b"PK\x05\x06"  # of an archive with members, and of one without
ENCRYPTED = 0x1  # the flag of a member with a password
STORED, DEFLATED = 0, 8  # methods of compression
LONG = 1  # the extra field with the numbers that have no place in 32 bits
MEMBER_BYTES = 300  # what a member takes in memory, besides its name
MAX_RATIO = 1032  # deflate makes nothing smaller than by this


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive."""

    name: str  # its name
    method: int  # how it is compressed
    crc: int  # its checksum
    packed: int  # its bytes in the archive
    size: int  # its bytes
    header: int  # where its header begins in the archive
    offset: int  # where its bytes begin in the archive

    @property
    def is_stored(self) -> bool:
        """Whether its bytes lie in the archive as they are."""
        return self.method == STORED


# A directory of 100,000 members takes half a second to read: it is read once for each source, and goes with it.
_members: "WeakKeyDictionary[Source, list[Member]]" = WeakKeyDictionary()


def names(source: Source, start: bytes) -> list[str]:
    """Return the names of the members of a file that begins with `start`; none if it is not an archive."""
    if not start.startswith((MAGIC, EMPTY_MAGIC)):
        return []
    return [one.name for one in members(source)]


def members(source: Source, allowance: Allowance | None = None) -> list[Member]:
    """Return the members of an archive in the order of its directory.

    Args:
        source: the archive.
        allowance: what its reader may take in memory; None for what the file may take.

    Raises:
        CheckpointError: the directory is damaged; or one lies outside the file or upon another, needs a password, is
            compressed in an unusual way, or has the name of another.
    """
    allowance = allowance or Allowance(source.path, source.size)
    if source in _members:
        allowance.spend(sum(MEMBER_BYTES + 2 * len(one.name) for one in _members[source]))
        return _members[source]
    try:
        listed = list(_directory(source, allowance))
    except struct.error as error:
        raise _damage_error(source, str(error)) from error
    end, before = 0, ""
    for one in sorted(listed, key=lambda one: one.header):
        if one.header < end:
            raise CheckpointError(f"{describe(source, one)} lies upon {before!r:.200}: refused.")
        end, before = one.offset + one.packed, one.name
    if len({one.name for one in listed}) != len(listed):
        (twice, _), *_ = Counter(one.name for one in listed).most_common(1)
        raise CheckpointError(f"{source.path}: the archive has two members called {twice!r:.200}.")
    _members[source] = listed
    return listed


def check_sums(source: Source) -> bool:
    """Compare every member with the checksum that the archive has for it; whether it is an archive.

    Raises:
        CheckpointError: one differs.
    """
    if source.read(0, 2) != MAGIC[:2]:
        return False
    for one in members(source):
        check_sum(source, one)
    return True


def check_sum(source: Source, member: Member) -> None:
    """Compare a member with its checksum; one of zero means: empty, or saved by torch without checksums.

    Raises:
        CheckpointError: it differs.
    """
    crc = 0
    for piece in source.chunks(member.offset, member.size) if member.is_stored else Inflated(source, member).pieces():
        crc = zlib.crc32(piece, crc)
    if member.crc and crc != member.crc:
        raise CheckpointError(f"{describe(source, member)} does not agree with its checksum: it was damaged.")


def describe(source: Source, one: Member) -> str:
    """Name a member in a message."""
    return f"{source.path}: {one.name!r:.200} at offset {one.header}"


class Inflated:
    """The bytes of a compressed member, inflated piece by piece as they are read in sequence."""

    def __init__(self, source: Source, member: Member):
        self._source = source
        self._member = member
        self._pieces: Iterator[bytes] = iter(())
        self._rest = memoryview(b"")  # inflated, and not read yet
        self._position = member.size + 1  # where reading continues; it never began

    def pieces(self) -> Iterator[bytes]:
        """Inflate from the beginning to the end.

        Raises:
            CheckpointError: the bytes are damaged, or there are not as many as the archive says.
        """
        inflater, done = zlib.decompressobj(-zlib.MAX_WBITS), 0
        try:
            for packed in self._source.chunks(self._member.offset, self._member.packed):
                waiting: bytes | memoryview = packed
                while len(waiting) and not inflater.eof:
                    piece = inflater.decompress(waiting, CHUNK)
                    waiting = inflater.unconsumed_tail
                    done += len(piece)
                    if done > self._member.size:
                        raise self._error(f"inflates to more than the {self._member.size} bytes that it claims")
                    yield piece
            while not inflater.eof and (piece := inflater.decompress(inflater.unconsumed_tail, CHUNK)):
                done += len(piece)
                if done > self._member.size:
                    raise self._error(f"inflates to more than the {self._member.size} bytes that it claims")
                yield piece
        except zlib.error as error:
            raise self._error(f"is damaged: {error}") from error
        if done != self._member.size or not inflater.eof:
            raise self._error(f"inflates to {done} bytes, and claims {self._member.size}")

    def read_into(self, offset: int, target: memoryview) -> None:
        """Fill `target` with the bytes at `offset`; whoever reads on continues inflating, others begin again."""
        if offset < self._position:
            self._pieces, self._rest, self._position = self.pieces(), memoryview(b""), 0
        done = -(offset - self._position)  # negative: what is passed over
        while done < len(target):
            if not self._rest:
                self._rest = memoryview(next(self._pieces, b""))
                if not self._rest:
                    raise self._error(f"ends at {offset + done} bytes")
            if done < 0:
                count = min(-done, len(self._rest))
            else:
                count = min(len(target) - done, len(self._rest))
                target[done : done + count] = self._rest[:count]
            self._rest = self._rest[count:]
            done += count
        self._position = offset + len(target)
        if self._position == self._member.size:
            next(self._pieces, None)  # what looks at the end

    def read(self, offset: int, length: int) -> bytes:
        """Return the bytes at `offset`."""
        data = bytearray(length)
        self.read_into(offset, memoryview(data))
        return bytes(data)

    def _error(self, problem: str) -> CheckpointError:
        return CheckpointError(f"{describe(self._source, self._member)} {problem}: damaged.")


def _directory(source: Source, allowance: Allowance) -> Iterator[Member]:
    """Yield the members that the directory at the end of an archive lists."""
    count, start, length = _place(source)
    data = source.read(start, length)
    at = count_listed = 0
    while at < len(data):
        row = CENTRAL.unpack_from(data, at)
        (magic, _, _, flags, method, _, _, crc, packed, size, *lengths, _, _, _, header) = row
        name_length, extra_length, comment_length = lengths
        at += CENTRAL.size
        raw, extra = data[at : at + name_length], data[at + name_length : at + name_length + extra_length]
        at += name_length + extra_length + comment_length
        if magic != b"PK\x01\x02" or at > len(data):
            raise _damage_error(source, f"no member of the directory at offset {start + at - CENTRAL.size}")
        count_listed += 1
        allowance.spend(MEMBER_BYTES + 2 * name_length)
        if MAX_32 in (packed, size, header):
            size, packed, header = _long(source, extra, size, packed, header)
        try:
            name = raw.decode("utf-8" if flags & UTF_8 else "cp437")
        except UnicodeDecodeError as error:
            raise _damage_error(source, f"a name is not UTF-8 ({error.reason})") from error
        yield _check_member(source, Member(name, method, crc, packed, size, header, header), flags)
    if count_listed != count:
        raise _damage_error(source, f"its directory lists {count_listed} members, its end says {count}")


def _place(source: Source) -> tuple[int, int, int]:
    """Return the number of members, and where the directory begins and how long it is."""
    begin = max(0, source.size - END.size - MAX_16)
    tail = source.read(max(0, source.size - END.size), END.size)
    if tail[:4] != EMPTY_MAGIC or tail[-2:] != b"\0\0":  # a comment comes behind it
        tail = source.read(begin, source.size - begin)
    at = tail.rfind(EMPTY_MAGIC, 0, len(tail) - END.size + 4)
    if at < 0:
        raise _damage_error(source, "it has no directory at its end")
    _, disk, first_disk, here, count, length, start, _ = END.unpack_from(tail, at)
    end = source.size - len(tail) + at
    if MAX_16 in (here, count) or MAX_32 in (length, start):
        locator = source.read(end - LONG_END_LOCATOR.size, LONG_END_LOCATOR.size)
        if len(locator) == LONG_END_LOCATOR.size and locator[:4] == b"PK\x06\x07":
            end = LONG_END_LOCATOR.unpack(locator)[2]
            long = source.read(end, LONG_END.size)
            if len(long) < LONG_END.size or long[:4] != b"PK\x06\x06":
                raise _damage_error(source, f"no end of a directory at offset {end}")
            _, _, _, _, disk, first_disk, here, count, length, start = LONG_END.unpack(long)
    if disk or first_disk or here != count:
        raise _damage_error(source, "it is one of several files of an archive")
    if start + length > end:
        raise _damage_error(source, f"a directory of {length} bytes at offset {start} ends behind its end, {end}")
    return count, start, length


def _long(source: Source, extra: bytes, *numbers: int) -> list[int]:
    """Return numbers, those that have no place in 32 bits taken from an extra field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == LONG:
            values = iter(struct.unpack_from(f"<{min(length, 24) // 8}Q", extra, at + 4))
            try:
                return [next(values) if number == MAX_32 else number for number in numbers]
            except (StopIteration, RuntimeError):
                break
        at += 4 + length
    raise _damage_error(source, "a member's size is not there")


def _check_member(source: Source, member: Member, flags: int) -> Member:
    """Compare a member with the header before its bytes; return it with the place of its bytes."""
    where = functools.partial(describe, source, member)
    if flags & ENCRYPTED:
        raise CheckpointError(f"{where()} is encrypted with a password.")
    if member.method not in (STORED, DEFLATED):
        raise CheckpointError(f"{where()} is compressed by method {member.method}; only deflate is read.")
    local = source.read(member.header, LOCAL.size)
    if len(local) < LOCAL.size or local[:4] != MAGIC:
        raise CheckpointError(f"{where()}: no local header there; the archive is damaged.")
    offset = member.header + LOCAL.size + sum(struct.unpack("<HH", local[26:30]))
    if offset + member.packed > source.size:
        raise CheckpointError(f"{where()} claims {member.packed} bytes, the file ends at {source.size}.")
    if member.method == STORED and member.size != member.packed:
        raise CheckpointError(
            f"{where()} is not compressed, but claims {member.size} bytes in {member.packed}: damaged."
        )
    if member.size > MAX_RATIO * (member.packed + 1):
        raise CheckpointError(
            f"{where()}: {member.packed} bytes claim to become {member.size}, "
            "more than deflate can make of them: damaged."
        )
    return Member(member.name, member.method, member.crc, member.packed, member.size, member.header, offset)


def _damage_error(source: Source, reason: str) -> CheckpointError:
    return CheckpointError(f"{source.path}: the archive is cut short or damaged: {reason}.")
