"""Writing the SQLite file beside a MindRecord file."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

from msbridge.dataset.mindrecord.errors import damage_error
from msbridge.dataset.mindrecord.format.header import BLOB, RAW, Header, Page
from msbridge.dataset.mindrecord.format.index import PLACES, description
from msbridge.dataset.mindrecord.format.row_encoding import HEAD_BYTES, decode_raw
from msbridge.dataset.mindrecord.writing.record_group import index_path


def write_index(target: Path, source: Path, header: Header, path: Path) -> None:
    """Write the index of a MindRecord file, walking over its pages.

    Args:
        target: where to; an empty file.
        source: where the MindRecord file is, complete except for its header.
        header: what is about to be its header.
        path: what it is to be called.

    Raises:
        RuntimeError: the pages hold something else than the header says.
        OSError: the index cannot be written; names it.
    """
    columns = ", ".join("?" * (len(PLACES) + 2 * len(header.index_fields)))
    try:
        # What fails removes the whole file, so SQLite needs no journal, and who renames it waits for the disk.
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("BEGIN")
            connection.execute(description(header))
            connection.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            connection.execute("INSERT INTO SHARD_NAME VALUES(?)", (path.name,))
            with source.open("rb") as file:
                connection.executemany(f"INSERT INTO INDEXES VALUES({columns})", _entries(file, header, path))
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        number = errno.ENOSPC if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(number, f"The index cannot be written ({error})", str(index_path(path))) from error


def _entries(file: BinaryIO, header: Header, path: Path) -> Iterator[tuple[Any, ...]]:
    groups = {}
    for page in (page for page in header.pages if page.kind == RAW):
        ends = [offset for _, offset in page.groups[1:]] + [page.used]
        for (number, offset), end in zip(page.groups, ends, strict=True):
            groups[number] = (page, offset, end)
    names = set(header.index_fields)
    for blob in (page for page in header.pages if page.kind == BLOB):
        if blob.kind_id not in groups:
            raise damage_error(path, f"no page holds the numbers and strings of the rows of page {blob.page_id}")
        raw, raw_place, raw_limit = groups[blob.kind_id]
        blob_place = 0
        for row in range(blob.first_row, blob.end_row):
            raw_end = _end(file, header, raw, raw_place, raw_limit, path)
            file.seek(header.position(raw) + raw_place)
            try:
                values = decode_raw(file.read(raw_end - raw_place), names) if names else {}
                indexed = [part for field in header.index_fields for part in (0, values[field])]
            except (ValueError, KeyError) as error:
                raise damage_error(path, f"row {row} cannot be read ({error})") from error
            blob_end = _end(file, header, blob, blob_place, blob.used, path)
            yield (row, raw.page_id, raw_place, raw_end, blob.kind_id, blob.page_id, blob_place, blob_end, *indexed)
            raw_place, blob_place = raw_end, blob_end


def _end(file: BinaryIO, header: Header, page: Page, place: int, limit: int, path: Path) -> int:
    """Return the end of the part of a row that begins at `place` of a page, having read its length."""
    file.seek(header.position(page) + place)
    end = place + HEAD_BYTES + int.from_bytes(file.read(HEAD_BYTES), "little")
    if end > limit:
        raise damage_error(
            path, f"a row at byte {place} of page {page.page_id} ends at byte {end}, behind byte {limit}"
        )
    return end
