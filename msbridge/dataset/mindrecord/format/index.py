"""Reading the SQLite file beside a MindRecord file: where each row is, and the fields that rows are looked up by.

Nothing in an index file is trusted. What `FileWriter` writes are two tables, whose descriptions are in the first page;
a file that holds views, computed columns or more rows than its MindRecord file is refused before, or as soon as, that
could take time or memory that its size does not justify.
"""

import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path

import numpy as np

from msbridge.dataset.mindrecord.errors import damage_error
from msbridge.dataset.mindrecord.format.header import BLOB, RAW, Header
from msbridge.dataset.mindrecord.format.msgpack_rows import Scalar
from msbridge.dataset.mindrecord.format.schema import FLOATS, SQL_TYPES
from msbridge.dataset.mindrecord.writing.record_group import index_path

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
TABLES = ("INDEXES", "SHARD_NAME")

MAGIC = b"SQLite format 3\0"
LEAF, KIND_AT, ENTRIES_AT = 13, 100, slice(103, 105)  # a page of rows; where the first page says what it is
ENTRIES = 8  # tables and what belongs to them; FileWriter writes three entries
MAX_INT32 = (1 << 31) - 1
MAX_SQLITE_STEPS = 1000  # of SQLite's machine; reading a row takes about twenty and has at least twenty bytes
FREE_STEPS, BYTES_A_STEP = 1000, 64  # so 16 steps for each byte, and a million


def column(field: str) -> str:
    """Return the name of an indexed field's column."""
    return f"{field}_0"


def description(header: Header) -> str:
    """Return the SQL statement that creates the table of the rows."""
    fields = header.index_fields
    kinds = {field: SQL_TYPES[header.schema.fields[field]["type"]] for field in fields}  # type: ignore[union-attr]
    columns = [f"{place} INT NOT NULL" for place in PLACES]
    columns += [part for i, field in enumerate(fields) for part in (f"INC_{i} INT", f"{column(field)} {kinds[field]}")]
    key = ", ".join(["ROW_ID", *(f"INC_{i}" for i in range(len(fields)))])
    return f"CREATE TABLE INDEXES({', '.join(columns)}, PRIMARY KEY({key}))"


def read_places(path: Path, index: Path, header: Header) -> np.ndarray:
    """Read where the rows of a file are.

    Args:
        path: what the MindRecord file is called.
        index: where its index is.
        header: its header.

    Returns:
        int64 (rows, 4): where the raw part begins and ends, where the blob part begins and ends, in bytes of the file.

    Raises:
        RuntimeError: the index is missing, damaged, or that of another file.
    """
    with _open_index(path, index, header) as connection:
        names = [name for (name,) in connection.execute("SELECT NAME FROM SHARD_NAME LIMIT 2")]
        places = np.empty((header.rows, 4), np.int64)
        is_read = np.zeros(header.rows, bool)
        rows = connection.execute(f"SELECT {', '.join(PLACES)} FROM INDEXES LIMIT ?", (header.rows + 1,))
        raw_used, blob_used = _used_bytes(header, RAW), _used_bytes(header, BLOB)
        count, used = 0, 0
        while len(table := _some(rows)):
            count += len(table)
            numbers = table[:, 0]
            if ((numbers < 0) | (numbers >= header.rows)).any():
                break
            is_read[numbers] = True
            places[numbers, :2] = _absolute(path, header, numbers, table[:, 1:4], raw_used)
            places[numbers, 2:] = _absolute(path, header, numbers, table[:, 5:8], blob_used)
            used += int((table[:, 3] - table[:, 2] + table[:, 7] - table[:, 6]).sum())
    if names != [path.name] or count != header.rows or not is_read.all():
        raise damage_error(
            path,
            f"mindrecord meta file {index_path(path)} and mindrecord file {path} can not match: the one is of "
            f"{names} with {count} rows, the other has {header.rows}",
        )
    if used > sum(page.used for page in header.pages):
        raise damage_error(index_path(path), f"its rows take {used} bytes, more than there are: some are in one place")
    return places


def read_values(path: Path, index: Path, header: Header, field: str) -> Iterator[tuple[int, Scalar | None]]:
    """Yield the number of each row and its value of an indexed field, None for NaN; raise like `read_places`."""
    with _open_index(path, index, header) as connection:
        most_bytes = index.stat().st_size
        is_float = header.schema.fields[field]["type"] in FLOATS  # type: ignore[union-attr]
        rows = connection.execute(f'SELECT ROW_ID, "{column(field)}" FROM INDEXES LIMIT ?', (header.rows,))
        for row, value in rows:
            if not 0 <= row < header.rows:
                raise ValueError(f"it has a row {row}")
            if value is not None or not is_float:
                header.schema.check_scalar(field, value)  # type: ignore[union-attr]
            most_bytes -= len(value) if isinstance(value, str) else 0
            if most_bytes < 0:
                raise ValueError(f"the values of {field} take more bytes than it has")
            yield row, value


def _some(rows: sqlite3.Cursor) -> np.ndarray:
    values = chain.from_iterable(islice(rows, ROWS_AT_ONCE))  # one at a time: nothing but numbers is kept
    return np.fromiter(values, np.int64).reshape(-1, len(PLACES))


@contextmanager
def _open_index(path: Path, index: Path, header: Header) -> Iterator[sqlite3.Connection]:
    """Open an index for reading.

    Args:
        path: what its MindRecord file is called.
        index: where it is.
        header: of the MindRecord file.

    Raises:
        RuntimeError: there is none, or it is damaged, also when that shows inside.
    """
    target = index_path(path)
    try:
        size = _check_size(index)
        # Immutable: a journal beside the file, which is not its writer's, is not looked at.
        with closing(sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            _limit(connection, size, header)
            _check_tables(connection, header)
            yield connection
    except (FileNotFoundError, PermissionError) as error:
        raise RuntimeError(
            f"The input: {target} is not exists. A MindRecord file needs the .db that was written with it ({error})."
        ) from error
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise damage_error(target, f"its tables cannot be read ({error})") from error


def _check_size(index: Path) -> int:
    status = index.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not a file")
    with index.open("rb") as file:
        page = file.read(ENTRIES_AT.stop)
    if not page.startswith(MAGIC) or len(page) < ENTRIES_AT.stop:
        raise ValueError("it is not a database")
    if page[KIND_AT] != LEAF or int.from_bytes(page[ENTRIES_AT], "big") > ENTRIES:
        raise ValueError("it describes more tables than an index has")
    return status.st_size


def _limit(connection: sqlite3.Connection, size: int, header: Header) -> None:
    steps = iter(range(FREE_STEPS + size // BYTES_A_STEP))
    connection.set_progress_handler(lambda: next(steps, None) is None, MAX_SQLITE_STEPS)
    for limit, value in (
        (sqlite3.SQLITE_LIMIT_LENGTH, min(size, MAX_INT32)),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 2 * len(description(header)) + 4096),
        (sqlite3.SQLITE_LIMIT_COLUMN, len(PLACES) + 2 * len(header.index_fields) + ENTRIES),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100),
        (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 2),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ):
        connection.setlimit(limit, value)
    for setting in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "query_only=ON"):
        connection.execute(f"PRAGMA {setting}")


def _check_tables(connection: sqlite3.Connection, header: Header) -> None:
    entries = connection.execute("SELECT name, type, sql FROM sqlite_master LIMIT ?", (ENTRIES,))
    found = {name: (kind, sql) for name, kind, sql in entries if name in TABLES}
    for name in TABLES:
        kind, sql = found.get(name, (None, None))
        if kind != "table" or not re.match(rf'CREATE TABLE "?{name}"?\s*\(', str(sql)):
            raise ValueError(f"it has no table {name}")
        columns = [(column, hidden) for _, column, *_, hidden in connection.execute(f"PRAGMA table_xinfo({name})")]
        if any(hidden for _, hidden in columns):
            raise ValueError(f"table {name} computes columns")
        if name == "INDEXES":
            _check_columns([column for column, _ in columns], header)


def _check_columns(found: list[str], header: Header) -> None:
    if tuple(found[: len(PLACES)]) != PLACES:
        raise ValueError(f"its columns begin with {found[: len(PLACES)]}")
    if missing := {column(field) for field in header.index_fields} - set(found):
        raise ValueError(f"it has no columns {sorted(missing)}")


def _used_bytes(header: Header, kind: str) -> np.ndarray:
    return np.array([page.used if page.kind == kind else -1 for page in header.pages] or [-1])


def _absolute(path: Path, header: Header, numbers: np.ndarray, places: np.ndarray, used: np.ndarray) -> np.ndarray:
    pages, starts, ends = places.T
    sound = (pages >= 0) & (pages < len(header.pages)) & (starts >= 0) & (starts < ends)
    sound &= ends <= used[np.where(sound, pages, 0)]
    if not sound.all():
        place = int(np.flatnonzero(~sound)[0])
        raise damage_error(
            index_path(path),
            f"row {numbers[place]} should be in page {pages[place]} at bytes {starts[place]} to {ends[place]}, "
            f"where {path.name} has no such row",
        )
    begins = header.header_size + pages * header.page_size
    return np.stack([begins + starts, begins + ends], 1)
