"""Safetensors: eight bytes with the header's length, the header in JSON, and the bytes of all tensors without gaps.

MindSpore's flavour says `"format": "ms"` in the metadata, keeps the element type "Int4" of a tensor there under the
tensor's name, and a checksum under `crc_num`. Texts, for which the format has no place, are kept in the metadata under
`text:` and their name.
"""

import functools
import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msbridge.converters.errors import CheckpointError, brief, briefly
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.json_files import parse_json
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.sink import Bytes, Progress, Sink
from msbridge.converters.files.source import Source
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.tensors.dtypes import BY_CODE, BY_NAME, RANK
from msbridge.converters.tensors.entry import Entry, entry, unique_names
from msbridge.converters.tensors.lazy_bytes import InFile

MAX_HEADER_BYTES = 100_000_000  # as the safetensors library
MAX_ZEROS = 1 << 30  # beyond, MindSpore runs out of memory
MASK = 0xFFFFFFFF
ENTRY_BYTES = 400  # what a tensor takes in memory, besides its name
METADATA = "__metadata__"
TEXT_PREFIX = "text:"


def read(source: Source, header: Mapping[str, Any] | None = None) -> Iterator[Entry]:
    """Yield the entries of a safetensors file in the order of its header, then the texts of its metadata.

    Args:
        source: the file.
        header: what `read_header` returned, when that was asked before.

    Raises:
        CheckpointError: the header is not one of safetensors, or an entry lies outside the file or upon another.
    """
    header = read_header(source) if header is None else header
    start = 8 + int.from_bytes(source.read(0, 8), "little")
    notes = metadata(source, header)
    ends: list[tuple[int, int, str]] = []
    Allowance(source.path, source.size).spend(ENTRY_BYTES * len(header) + 5 * sum(map(len, notes.values())))
    entries = [_entry(source, start, name, row, notes, ends) for name, row in header.items() if name != METADATA]
    position = 0
    for begin, end, name in sorted(ends):
        if begin != position:
            problem = "overlaps the one before it" if begin < position else "leaves a gap before it"
            raise CheckpointError(f"{source.path}: {brief(name)} at offset {start + begin} {problem}.")
        position = end
    if start + position != source.size:
        end = start + position
        raise CheckpointError(
            f"{source.path}: its tensors end at offset {end}, the file at {source.size}: it is damaged."
        )
    yield from entries
    for key, text in notes.items():
        if key.startswith(TEXT_PREFIX):
            yield entry(key.removeprefix(TEXT_PREFIX), text)


def write(
    path: str | os.PathLike[str],
    entries: Iterable[Entry],
    *,
    metadata: Mapping[str, str] | None = None,
    crc_check: bool = False,
    permissions: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write entries as a safetensors file. The target is replaced when all is written.

    The tensors lie as the safetensors library lays them: widest element type first, then by name. The header lists them
    in that order, too: MindSpore's reader refuses any other.

    Args:
        path: the target.
        entries: what to write; only names, types and shapes are looked at before the first byte is written.
        metadata: texts for the header; for MindSpore `{"format": "ms"}`, for torch `{"format": "pt"}`.
        crc_check: whether MindSpore's checksum goes into the metadata (every tensor is read twice).
        permissions: of the target; None for those a new file gets.
        progress: is called with the number of written bytes.

    Raises:
        CheckpointError: a name occurs twice, or an element type has no place in the format.
        OSError: the target cannot be written.
    """
    given = list(unique_names(entries, path))
    tensors = sorted((one for one in given if not one.is_text), key=lambda one: (RANK[one.type], one.name))
    notes = dict(metadata or {})
    notes |= {TEXT_PREFIX + one.name: one.text() for one in given if one.is_text}
    notes |= {one.name: one.type for one in tensors if one.type == "Int4"}
    if crc_check:
        notes["crc_num"] = str(crc(tensors))
    rows, position = {}, 0
    for tensor in tensors:
        rows[tensor.name] = {
            "dtype": _code(tensor, path),
            "shape": tensor.shape,
            "data_offsets": (position, position + tensor.nbytes),
        }
        position += tensor.nbytes
    if METADATA in rows:
        raise CheckpointError(f"{path}: no tensor can have the name {METADATA!r}.")
    header: dict[str, Any] = ({METADATA: notes} if notes else {}) | rows
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    with replacing(path, permissions, progress) as sink:
        sink.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors:
            tensor.content.write(sink)


def metadata(source: Source, header: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the texts in the header's metadata."""
    notes = (read_header(source) if header is None else header).get(METADATA, {})
    if isinstance(notes, _Row):
        notes = notes._asdict()
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise CheckpointError(f"{source.path}: {METADATA} must map texts to texts.")
    for key, text in notes.items():
        _check_text(source, key, key + text)
    return notes


def crc(entries: Iterable[Entry]) -> int:
    """Compute MindSpore's checksum of a safetensors file: over names and bytes, by name."""
    total = _Summed()
    for tensor in sorted(entries, key=lambda one: one.name):
        total.write(tensor.name.encode("utf-8"))
        zeros = _zeros(tensor)
        if zeros is None:
            tensor.content.write(total)
        else:
            total.crc = crc_of_zeros(zeros, total.crc)
    return total.crc


class _Summed(Sink):
    """Keeps the CRC-32 of what is written to it."""

    def __init__(self) -> None:
        self.crc = 0

    def write(self, data: Bytes) -> None:
        self.crc = zlib.crc32(data, self.crc)


def _zeros(one: Entry) -> int | None:
    """Count the zeros that MindSpore sums up for an integer scalar, by an accident of Python: as many as its value."""
    if one.shape == () and one.type.startswith(("Int", "UInt")):
        count = int(one.tensor())
        return count if 0 <= count <= MAX_ZEROS else None
    return None


def crc_of_zeros(count: int, value: int) -> int:
    """Return the CRC-32 of what has the CRC-32 `value`, followed by `count` zeros, in the time of a few of them."""
    state, power = ~value & MASK, 0
    while count >> power:
        if count >> power & 1:
            state = _apply(_behind_zeros(power), state)
        power += 1
    return ~state & MASK


@functools.cache
def _behind_zeros(power: int) -> tuple[int, ...]:
    """Return the effect of 2 ** `power` zeros on each bit of the state; on all bits, it is their exclusive or."""
    if not power:
        return tuple(~zlib.crc32(b"\0", ~(1 << bit) & MASK) & MASK for bit in range(32))
    half = _behind_zeros(power - 1)
    return tuple(_apply(half, one) for one in half)


def _apply(bits: tuple[int, ...], state: int) -> int:
    product = 0
    for bit in range(32):
        if state >> bit & 1:
            product ^= bits[bit]
    return product


def check_crc(source: Source) -> bool:
    """Compare the checksum in the metadata with the bytes; return whether there was one.

    Raises:
        CheckpointError: it differs.
    """
    recorded = metadata(source).get("crc_num")
    if recorded is None:
        return False
    found = crc(one for one in read(source) if not one.is_text)
    if str(found) != recorded:
        raise CheckpointError(
            f"{source.path}: the recorded checksum is {recorded}, its bytes have {found}: it was damaged."
        )
    return True


def read_header(source: Source) -> dict[str, Any]:
    """Parse the header of a safetensors file.

    Raises:
        CheckpointError: the file has none, or it is not a JSON object.
    """
    if source.size < 8:
        raise CheckpointError(f"{source.path}: {source.size} bytes are not a safetensors file.")
    length = int.from_bytes(source.read(0, 8), "little")
    if length > min(MAX_HEADER_BYTES, source.size - 8):
        raise CheckpointError(
            f"{source.path}: claims a header of {length} bytes at offset 8; the file has {source.size - 8} more, "
            f"and at most {MAX_HEADER_BYTES} are allowed."
        )
    try:
        header = parse_json(source.read(8, length), Allowance(source.path, source.size), _record)
    except CheckpointError:
        raise
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{source.path}: the header is not JSON: {error}.") from error
    if not isinstance(header, dict):
        raise CheckpointError(f"{source.path}: the header must be a JSON object of names.")
    return header


def _check_text(source: Source, name: str, text: str) -> None:
    """Refuse half a character, which JSON can spell, and no file nor terminal."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CheckpointError(f"{source.path}: the text of {brief(name)} in the header is not valid text.") from None


class _Row(NamedTuple):
    """The header's row of one tensor; nothing of it is checked yet."""

    dtype: Any
    shape: Any
    data_offsets: Any


def _record(content: dict[str, Any]) -> Any:
    """Return an object of the header; one that describes a tensor as a row, which takes a third of the memory."""
    return _Row(**content) if content.keys() == set(_Row._fields) else content


def _entry(
    source: Source, start: int, name: str, row: Any, notes: Mapping[str, str], ends: list[tuple[int, int, str]]
) -> Entry:
    """Check one row of the header."""
    _check_text(source, name, name)
    code, shape, offsets = row if isinstance(row, _Row) else _Row(None, None, None)
    sound = isinstance(code, str) and isinstance(shape, list) and isinstance(offsets, list)
    sound = sound and len(shape) <= 64 and len(offsets) == 2
    if not sound or not all(type(number) is int and 0 <= number < 1 << 63 for number in (*shape, *offsets)):
        given = briefly(row) if isinstance(row, _Row) else brief(row)
        raise CheckpointError(
            f"{source.path}: the header's row {brief(name)} is not dtype, shape and data_offsets: {given}."
        )
    shape, (begin, end) = tuple(shape), offsets
    if code not in BY_CODE:
        raise CheckpointError(
            f"{source.path}: {brief(name)} is of unknown dtype {brief(code)}; known are {', '.join(BY_CODE)}."
        )
    element = BY_CODE[code]
    wanted = math.prod(shape) * element.size
    if end - begin != wanted or start + end > source.size:
        raise CheckpointError(
            f"{source.path}: {brief(name)} at offset {start + begin}: {code} of shape {shape} takes {wanted} bytes, "
            f"the header has {end - begin}, the file ends at {source.size}."
        )
    ends.append((begin, end, name))
    kind = notes.get(name) if notes.get(name) in BY_NAME and element.name == "Int8" else element.name
    return Entry(name, kind or element.name, shape, InFile(source, ((start + begin, end - begin),)), start + begin)


def _code(entry: Entry, path: str | os.PathLike[str]) -> str:
    element = BY_NAME["Int8"] if entry.type == "Int4" else entry.element
    if element.code is None:
        raise CheckpointError(
            f"{path}: {entry.name!r} is {entry.type}, for which safetensors has no type; write .ckpt instead."
        )
    return element.code


def _recognizes(source: Source, start: bytes) -> bool:
    return len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 40


def _read(source: Source) -> Contents:
    header = read_header(source)
    return Contents(read(source, header), metadata(source, header))


def _write(path: Path, entries: Iterable[Entry], writing: Writing) -> None:
    flavour = {"format": "ms" if writing.naming == "mindspore" else "pt"}
    write(path, entries, metadata=flavour, crc_check=writing.crc_check, progress=writing.progress)


FORMAT = Format(
    name="safetensors",
    suffixes=(".safetensors",),
    naming="torch",
    has_both_namings=True,
    recognizes=_recognizes,
    read=_read,
    write=_write,
    check_sums=check_crc,
    shards=("model", ".safetensors"),
    mindspore_index="param_name_map.json",
)
