"""The SQLite file beside a MindRecord file: where each row stands, and the fields that rows are looked up by."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from msbridge.dataset.mindrecord.errors import damaged
from msbridge.dataset.mindrecord.header import BLOB, RAW, Header
from msbridge.dataset.mindrecord.rows import HEAD_BYTES, decode_raw
from msbridge.dataset.mindrecord.schema import SQL_TYPES

ROWS_AT_ONCE = 1 << 16
PLACES = (
    "ROW_ID",
    "PAGE_ID_RAW",
    "PAGE_OFFSET_RAW",
    "PAGE_OFFSET_RAW_END",
    "ROW_GROUP_ID",
    "PAGE_ID_BLOB",
    "PAGE_OFFSET_BLOB",
    "PAGE_OFFSET_BLOB_END",
)


def index_path(path: Path) -> Path:
    """Return the path of the SQLite file that belongs to `path`."""
    return path.with_name(path.name + ".db")


def column(field: str) -> str:
    """Return the name of an indexed field's column."""
    return f"{field}_0"


def write_index(target: Path, file: BinaryIO, header: Header, name: str) -> None:
    """Write the index of an open MindRecord file, walking over its pages.

    Args:
        target: where to; nothing may be there.
        file: the MindRecord file, complete except for its header.
        header: what is about to be its header.
        name: of the MindRecord file.
    """
    fields = header.index_fields
    kinds = {field: SQL_TYPES[header.schema.fields[field]["type"]] for field in fields}  # type: ignore[union-attr]
    columns = [f"{place} INT NOT NULL" for place in PLACES]
    columns += [part for i, field in enumerate(fields) for part in (f"INC_{i} INT", f"{column(field)} {kinds[field]}")]
    key = ", ".join(["ROW_ID", *(f"INC_{i}" for i in range(len(fields)))])
    with closing(sqlite3.connect(target)) as connection, connection:
        connection.execute(f"CREATE TABLE INDEXES({', '.join(columns)}, PRIMARY KEY({key}))")
        connection.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
        connection.execute("INSERT INTO SHARD_NAME VALUES(?)", (name,))
        connection.executemany(f"INSERT INTO INDEXES VALUES({', '.join('?' * len(columns))})", _entries(file, header))


def _entries(file: BinaryIO, header: Header) -> Iterator[tuple[Any, ...]]:
    groups = {number: (page, offset) for page in header.pages if page.kind == RAW for number, offset in page.groups}
    for blob in (page for page in header.pages if page.kind == BLOB):
        raw, raw_place = groups[blob.kind_id]
        blob_place = 0
        for row in range(blob.first_row, blob.end_row):
            file.seek(header.position(raw) + raw_place)
            head = file.read(HEAD_BYTES)
            data = head + file.read(int.from_bytes(head, "little"))
            file.seek(header.position(blob) + blob_place)
            blob_end = blob_place + HEAD_BYTES + int.from_bytes(file.read(HEAD_BYTES), "little")
            raw_end = raw_place + len(data)
            values = decode_raw(data) if header.index_fields else {}
            indexed = [part for field in header.index_fields for part in (0, values[field])]
            yield (row, raw.page_id, raw_place, raw_end, blob.kind_id, blob.page_id, blob_place, blob_end, *indexed)
            raw_place, blob_place = raw_end, blob_end


def read_places(path: Path, header: Header) -> np.ndarray:
    """Read where the rows of a file stand.

    Args:
        path: the MindRecord file.
        header: its header.

    Returns:
        int64 (rows, 4): where the raw part begins and ends, where the blob part begins and ends, in bytes of the file.

    Raises:
        RuntimeError: the index is missing, damaged, or that of another file.
    """
    with closing(open_index(path)) as connection:
        try:
            names = [name for (name,) in connection.execute("SELECT NAME FROM SHARD_NAME")]
            rows = connection.execute(f"SELECT {', '.join(PLACES)} FROM INDEXES ORDER BY ROW_ID")
            parts = [np.array(part, np.int64) for part in iter(lambda: rows.fetchmany(ROWS_AT_ONCE), [])]
            table = np.concatenate([np.empty((0, len(PLACES)), np.int64), *parts])
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            raise damaged(index_path(path), f"its tables cannot be read ({error})") from error
    if names != [path.name] or len(table) != header.rows or (table[:, 0] != np.arange(len(table))).any():
        raise damaged(
            path,
            f"mindrecord meta file {index_path(path)} and mindrecord file {path} can not match: the one is of "
            f"{names} with {len(table)} rows, the other has {header.rows}",
        )
    return np.concatenate(
        [_absolute(path, header, table[:, 1:4], RAW), _absolute(path, header, table[:, 5:8], BLOB)], 1
    )


def open_index(path: Path) -> sqlite3.Connection:
    """Open the index of the MindRecord file `path` for reading."""
    target = index_path(path)
    if not target.is_file() or not os.access(target, os.R_OK):
        raise RuntimeError(
            f"The input: {target} is not exists. A MindRecord file needs the .db that was written with it."
        )
    return sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro", uri=True)


def _absolute(path: Path, header: Header, places: np.ndarray, kind: str) -> np.ndarray:
    pages, starts, ends = places.T
    used = np.array([page.used if page.kind == kind else -1 for page in header.pages] or [-1])
    sound = (pages >= 0) & (pages < len(header.pages)) & (starts >= 0) & (starts < ends)
    sound &= ends <= used[np.where(sound, pages, 0)]
    if not sound.all():
        row = int(np.flatnonzero(~sound)[0])
        raise damaged(
            index_path(path),
            f"row {row} should stand in page {pages[row]} at bytes {starts[row]} to {ends[row]}, where "
            f"{path.name} has no {kind} row",
        )
    begins = header.header_size + pages * header.page_size
    return np.stack([begins + starts, begins + ends], 1)
