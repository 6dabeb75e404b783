"""Safetensors: eight bytes with the header's length, the header in JSON, and the bytes of all tensors without gaps.

MindSpore's flavour says `"format": "ms"` in the metadata, keeps the element type "Int4" of a tensor there under the
tensor's name, and a check sum under `crc_num`. Texts, for which the format has no place, are kept in the metadata under
`text:` and their name.
"""

import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.json_files import parse_json
from msbridge.converters.files.replacing import replacing
from msbridge.converters.files.sink import Bytes, Progress, Sink
from msbridge.converters.files.source import CHUNK, Source
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.tensors.content import InFile
from msbridge.converters.tensors.elements import BY_CODE, BY_NAME, RANK
from msbridge.converters.tensors.entry import Entry, entry, unique_names

MOST_HEADER_BYTES = 100_000_000  # as the safetensors library
MOST_ZEROS = 1 << 30  # beyond, MindSpore runs out of memory
METADATA = "__metadata__"
TEXT_PREFIX = "text:"


def read(source: Source, header: Mapping[str, Any] | None = None) -> Iterator[Entry]:
    """Yield the entries of a safetensors file in the order of its header, then the texts of its metadata.

    Args:
        source: the file.
        header: what `read_header` gave, when that was asked before.

    Raises:
        CheckpointError: the header is no such header, or an entry lies outside the file or upon another.
    """
    header = read_header(source) if header is None else header
    start = 8 + int.from_bytes(source.read(0, 8), "little")
    notes = metadata(source, header)
    ends: list[tuple[int, int, str]] = []
    found = [_entry(source, start, name, row, notes, ends) for name, row in header.items() if name != METADATA]
    position = 0
    for begin, end, name in sorted(ends):
        if begin != position:
            problem = "overlaps the one before it" if begin < position else "leaves a gap before it"
            raise CheckpointError(f"{source.path}: {name!r} at offset {start + begin} {problem}.")
        position = end
    if start + position != source.size:
        end = start + position
        raise CheckpointError(
            f"{source.path}: its tensors end at offset {end}, the file at {source.size}: it is damaged."
        )
    yield from found
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
        crc_check: whether MindSpore's check sum goes into the metadata (every tensor is read twice).
        permissions: of the target; None for those a new file gets.
        progress: is told of written bytes.

    Raises:
        CheckpointError: a name stands twice, or an element type has no place in the format.
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
    for one in tensors:
        rows[one.name] = {
            "dtype": _code(one, path),
            "shape": one.shape,
            "data_offsets": (position, position + one.nbytes),
        }
        position += one.nbytes
    if METADATA in rows:
        raise CheckpointError(f"{path}: no tensor can have the name {METADATA!r}.")
    header: dict[str, Any] = ({METADATA: notes} if notes else {}) | rows
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    with replacing(path, permissions, progress) as sink:
        sink.write(len(text).to_bytes(8, "little") + text)
        for one in tensors:
            one.content.write(sink)


def metadata(source: Source, header: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the texts in the header's metadata."""
    notes = (read_header(source) if header is None else header).get(METADATA, {})
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise CheckpointError(f"{source.path}: {METADATA} must map texts to texts.")
    return notes


def crc(entries: Iterable[Entry]) -> int:
    """Compute MindSpore's check sum of a safetensors file: over names and bytes, by name."""
    total = _Summed()
    for one in sorted(entries, key=lambda one: one.name):
        total.write(one.name.encode("utf-8"))
        _sum_up(one, total)
    return total.crc


class _Summed(Sink):
    """Keeps the CRC-32 of what is written to it."""

    def __init__(self) -> None:
        self.crc = 0

    def write(self, data: Bytes) -> None:
        self.crc = zlib.crc32(data, self.crc)


def _sum_up(one: Entry, total: _Summed) -> None:
    """Sum up the bytes that MindSpore sums up: of an integer scalar n, by an accident of Python, n zeros."""
    if one.shape == () and one.type.startswith(("Int", "UInt")):
        count = int(one.tensor())
        if 0 <= count <= MOST_ZEROS:
            for start in range(0, count, CHUNK):
                total.write(bytes(min(CHUNK, count - start)))
            return
    one.content.write(total)


def check_crc(source: Source) -> bool:
    """Compare the check sum in the metadata with the bytes; return whether there was one.

    Raises:
        CheckpointError: it differs.
    """
    recorded = metadata(source).get("crc_num")
    if recorded is None:
        return False
    found = crc(one for one in read(source) if not one.is_text)
    if str(found) != recorded:
        raise CheckpointError(
            f"{source.path}: the recorded check sum is {recorded}, its bytes give {found}: it was damaged."
        )
    return True


def read_header(source: Source) -> dict[str, Any]:
    """Parse the header of a safetensors file.

    Raises:
        CheckpointError: the file has none, or it is no JSON object.
    """
    if source.size < 8:
        raise CheckpointError(f"{source.path}: {source.size} bytes are no safetensors file.")
    length = int.from_bytes(source.read(0, 8), "little")
    if length > min(MOST_HEADER_BYTES, source.size - 8):
        raise CheckpointError(
            f"{source.path}: claims a header of {length} bytes at offset 8; the file has {source.size - 8} more, "
            f"and at most {MOST_HEADER_BYTES} are allowed."
        )
    try:
        header = parse_json(source.read(8, length))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{source.path}: the header is no JSON: {error}.") from error
    if not isinstance(header, dict):
        raise CheckpointError(f"{source.path}: the header must be a JSON object.")
    return header


def _entry(
    source: Source, start: int, name: str, row: Any, notes: Mapping[str, str], ends: list[tuple[int, int, str]]
) -> Entry:
    """Check one row of the header."""
    try:
        code, shape, (begin, end) = row["dtype"], tuple(row["shape"]), row["data_offsets"]
        sound = all(type(number) is int and number >= 0 for number in (*shape, begin, end)) and len(shape) <= 64
    except (TypeError, KeyError, ValueError):
        sound = False
    if not sound:
        raise CheckpointError(
            f"{source.path}: the header's row {name!r} is not dtype, shape and data_offsets: {row!r:.200}."
        )
    if code not in BY_CODE:
        raise CheckpointError(f"{source.path}: {name!r} is of unknown dtype {code!r}; known are {', '.join(BY_CODE)}.")
    element = BY_CODE[code]
    wanted = math.prod(shape) * element.size
    if end - begin != wanted or start + end > source.size:
        raise CheckpointError(
            f"{source.path}: {name!r} at offset {start + begin}: {code} of shape {shape} takes {wanted} bytes, "
            f"the header gives it {end - begin}, the file ends at {source.size}."
        )
    ends.append((begin, end, name))
    kind = notes.get(name) if notes.get(name) in BY_NAME and element.name == "Int8" else element.name
    return Entry(name, kind or element.name, shape, InFile(source, ((start + begin, end - begin),)), start + begin)


def _code(one: Entry, path: str | os.PathLike[str]) -> str:
    element = BY_NAME["Int8"] if one.type == "Int4" else one.element
    if element.code is None:
        raise CheckpointError(
            f"{path}: {one.name!r} is {one.type}, for which safetensors has no type; write .ckpt instead."
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
