"""The head of a MindRecord file: 8 bytes of length, then JSON; behind `header_size` bytes the pages begin.

Pages are of equal size and follow one another, with any content; a page's entry says how much of it is used.
A blob page and the raw rows that belong to it are a row group; a raw page holds one or several of those.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from msbridge.dataset.mindrecord.errors import damage_error
from msbridge.dataset.mindrecord.format.schema import Schema, read_schema

BLOB, RAW = "BLOB_DATA", "RAW_DATA"
VERSION = "3.0"
MAX_SHARDS = 1000
MAX_NAME_LENGTH = 252  # bytes: with .db, what file systems take
HEADER_LIMITS = (16 * 1024, 128 * 1024**2)
PAGE_LIMITS = (32 * 1024, 256 * 1024**2)
MIN_ROW_BYTES = 16  # bytes: the lengths of its two parts
# How long the JSON of a file may be, and of how many values. A page's entry has about 200 bytes and 15 values, and the
# page at least 32 KiB, so no honest file comes near; in memory a value takes about 100 bytes, a character up to 8.
FREE_TEXT, BYTES_A_CHARACTER = 4 * 1024**2, 32
FREE_VALUES, BYTES_A_VALUE = 100_000, 256


@dataclass(slots=True)
class Page:
    """One page: what it holds, how many bytes of it are used.

    Attributes:
        page_id: its place in the file.
        kind: BLOB or RAW.
        kind_id: its number among its kind, by the header.
        used: bytes.
        first_row: of a blob page.
        end_row: behind the last one of a blob page; 0 for raw pages.
        groups: of a raw page: number of the row group and where it begins.
    """

    page_id: int
    kind: str
    kind_id: int
    used: int = 0
    first_row: int = 0
    end_row: int = 0
    groups: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Header:
    """All that the head of a file says."""

    schema: Schema | None = None
    index_fields: list[str] = field(default_factory=list)
    shard_names: list[str] = field(default_factory=list)
    shard_id: int = 0
    header_size: int = 16 * 1024**2
    page_size: int = 32 * 1024**2
    saved_bytes: int = 0  # by compressing integers
    pages: list[Page] = field(default_factory=list)

    def position(self, page: Page) -> int:
        """Return the byte offset of a page in the file."""
        return self.header_size + page.page_id * self.page_size

    def last(self, kind: str) -> Page | None:
        """Return the last page of a kind, or None."""
        return next((page for page in reversed(self.pages) if page.kind == kind), None)

    @property
    def rows(self) -> int:
        """The number of rows in the file."""
        page = self.last(BLOB)
        return page.end_row if page else 0


def to_bytes(header: Header) -> bytes:
    """Encode the header: its length and the JSON.

    Raises:
        RuntimeError: they do not fit into `header_size`.
    """
    content = {
        "header_size": header.header_size,
        "index_fields": [{"index_field": name, "schema_id": 0} for name in header.index_fields] or None,
        "page": [_page_entry(page, header.shard_id) for page in header.pages] or None,
        "page_size": header.page_size,
        "compression_size": header.saved_bytes,
        "schema": [header.schema.as_json()] if header.schema else None,
        "shard_addresses": header.shard_names,
        "shard_id": header.shard_id,
        "statistics": None,
        "version": VERSION,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) + 8 > header.header_size:
        raise RuntimeError(
            f"The header of {header.shard_names[header.shard_id]} takes {len(text) + 8} bytes, but header_size is "
            f"{header.header_size}; call set_header_size (or set_page_size: larger pages are fewer) before writing."
        )
    return len(text).to_bytes(8, "little") + text


def _page_entry(page: Page, shard_id: int) -> dict[str, Any]:
    groups = [(0, 0)] if page.kind == BLOB else page.groups
    return {
        "end_row_id": page.end_row,
        "page_id": page.page_id,
        "page_size": page.used,
        "page_type": page.kind,
        "page_type_id": page.kind_id,
        "row_group_ids": [{"id": number, "offset": offset} for number, offset in groups],
        "shard_id": shard_id,
        "start_row_id": page.first_row,
    }


def read_header(file: BinaryIO, path: Path) -> Header:
    """Read the head of a file.

    Args:
        file: open for reading.
        path: what it is called.

    Raises:
        RuntimeError: it is not one, or says what cannot be.
    """
    size = os.fstat(file.fileno()).st_size
    if size < 8:
        raise damage_error(path, f"the size of mindrecord file: {size} is smaller than the lower limit: 8")
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    if length > HEADER_LIMITS[1]:
        raise damage_error(path, f"the size of mindrecord file header, {length}, is larger than the upper limit")
    if length > size - 8:
        raise damage_error(path, f"failed to read header content: it should have {length} bytes, there are {size - 8}")
    text = file.read(length) if length <= FREE_TEXT + size // BYTES_A_CHARACTER else b""
    if len(text) < length or sum(map(text.count, (b",", b"[", b"{"))) > FREE_VALUES + size // BYTES_A_VALUE:
        raise damage_error(
            path, f"failed to parse header content: its {length} bytes are more than a file of {size} needs"
        )
    try:
        header = _parse_header(json.loads(text))
        _check(header, size)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise damage_error(path, f"failed to parse header content ({error})") from error
    return header


def _parse_header(content: Any) -> Header:
    if content["version"] != VERSION:
        raise ValueError(f"its version is {content['version']!r}, only {VERSION!r} can be read")
    if len(content["schema"]) != 1:
        raise ValueError(f"it has {len(content['schema'])} schemas, only one can be read")
    return Header(
        schema=read_schema(content["schema"][0]),
        index_fields=[entry["index_field"] for entry in content["index_fields"] or []],
        shard_names=[str(name).replace("\\", "/").rpartition("/")[2] for name in content["shard_addresses"]],
        shard_id=int(content["shard_id"]),
        header_size=int(content["header_size"]),
        page_size=int(content["page_size"]),
        saved_bytes=int(content.get("compression_size") or 0),
        pages=[_parse_page(entry) for entry in content["page"] or []],
    )


def _parse_page(entry: Any) -> Page:
    kind = entry["page_type"]
    if kind not in (BLOB, RAW):
        raise ValueError(f"page {entry['page_id']} is of type {kind!r}")
    groups = [(int(group["id"]), int(group["offset"])) for group in entry["row_group_ids"]] if kind == RAW else []
    return Page(
        page_id=int(entry["page_id"]),
        kind=kind,
        kind_id=int(entry["page_type_id"]),
        used=int(entry["page_size"]),
        first_row=int(entry["start_row_id"]),
        end_row=int(entry["end_row_id"]),
        groups=groups,
    )


def _check(header: Header, file_size: int) -> None:
    for name, value, (low, high) in (
        ("header_size", header.header_size, HEADER_LIMITS),
        ("page_size", header.page_size, PAGE_LIMITS),
    ):
        if not low <= value <= high:
            raise ValueError(f"{name} is {value}, it must be in [{low}, {high}]")
    names = header.shard_names
    if not 0 <= header.shard_id < len(names) <= MAX_SHARDS:
        raise ValueError(f"it is number {header.shard_id} of {len(names)} files")
    if len(set(names)) < len(names) or not all(map(_is_file_name, names)):
        raise ValueError(f"it belongs to the files {names}")
    numbers = header.schema.scalar_fields  # type: ignore[union-attr]
    unknown = set(header.index_fields) - set(numbers)
    if unknown or len(set(header.index_fields)) < len(header.index_fields):
        raise ValueError(f"the indexed fields are {header.index_fields}, of the numbers and strings {list(numbers)}")
    _check_pages(header, file_size)


def _is_file_name(name: str) -> bool:
    return name == Path(name).name and 0 < len(os.fsencode(name)) <= MAX_NAME_LENGTH and name != ".."


def _check_pages(header: Header, file_size: int) -> None:
    row = 0
    for place, page in enumerate(header.pages):
        if page.page_id != place or not 0 <= page.used <= header.page_size:
            raise ValueError(f"entry {place} of its pages is page {page.page_id} with {page.used} bytes")
        if header.position(page) + page.used > file_size:
            raise ValueError(
                f"page {page.page_id} ends at byte {header.position(page) + page.used}, the file at {file_size}"
            )
        if page.kind == BLOB:
            rows = page.end_row - row
            if page.first_row != row or not 0 <= rows * MIN_ROW_BYTES // 2 <= page.used:
                raise ValueError(
                    f"page {page.page_id} of {page.used} bytes holds rows {page.first_row} to {page.end_row}"
                )
            row = page.end_row
        offsets = [offset for _, offset in page.groups]
        if page.kind == RAW and not offsets:
            raise ValueError(f"page {page.page_id} has no groups of rows")
        if sorted(offsets) != offsets or not all(0 <= offset <= page.used for offset in offsets):
            raise ValueError(f"the groups of page {page.page_id} begin at {offsets} of {page.used} bytes")
