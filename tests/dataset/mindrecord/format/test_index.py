"""An index that is made to take time or memory, or to say what is not so, is refused."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from msbridge.dataset.mindrecord import FileReader, FileWriter, MindPage
from tests.dataset.mindrecord_cases import NUMBERED, numbered
from tests.dataset.record_files import numbers, write_small

ENDLESS = "WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r) SELECT"
PLACES = (
    "i AS ROW_ID, 1 AS PAGE_ID_RAW, 0 AS PAGE_OFFSET_RAW, 9 AS PAGE_OFFSET_RAW_END, 0 AS ROW_GROUP_ID, "
    "0 AS PAGE_ID_BLOB, 0 AS PAGE_OFFSET_BLOB, 9 AS PAGE_OFFSET_BLOB_END, i AS number_0, i AS text_0 FROM r"
)
LARGE = "hex(zeroblob(400000000))"


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(f"{path}.db", isolation_level=None)
    connection.execute("PRAGMA writable_schema=ON")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def branch_to_one_page(path: Path, levels: int) -> None:
    """Make the rows' tree one whose branches lead to the same page, level after level."""
    data = bytearray(Path(f"{path}.db").read_bytes())
    size, pages, root = 4096, len(data) // 4096, 2
    leaf = data[(root - 1) * size : root * size]
    cells = (size - 12) // 8
    for level in range(levels):
        below = (pages + level + 1).to_bytes(4, "big")
        page = bytearray(size)
        page[:12] = bytes([5, 0, 0, *cells.to_bytes(2, "big"), *(size - cells * 5).to_bytes(2, "big"), 0, *below])
        for cell in range(cells):
            place = size - (cell + 1) * 5
            page[12 + 2 * cell : 14 + 2 * cell] = place.to_bytes(2, "big")
            page[place : place + 5] = below + b"\1"
        if level:
            data += page
        else:
            data[(root - 1) * size : root * size] = page
    data += leaf
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    Path(f"{path}.db").write_bytes(data)


def sql(*statements: str) -> Callable[[Path], None]:
    return lambda path: change(path, *statements)


HOSTILE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "endless view": (sql("DROP TABLE INDEXES", f"CREATE VIEW INDEXES AS {ENDLESS} {PLACES}"), "no table INDEXES"),
    "endless name": (
        sql("DROP TABLE SHARD_NAME", f"CREATE VIEW SHARD_NAME AS {ENDLESS} i AS NAME FROM r WHERE i < 0"),
        "no table SHARD_NAME",
    ),
    "recursive view": (
        sql("DROP TABLE INDEXES", "CREATE VIEW INDEXES AS SELECT * FROM v", "CREATE VIEW v AS SELECT * FROM INDEXES"),
        "no table INDEXES",
    ),
    "computed column": (
        sql("ALTER TABLE INDEXES RENAME COLUMN PAGE_ID_RAW TO q",
            f"ALTER TABLE INDEXES ADD COLUMN PAGE_ID_RAW AS (length({LARGE}))"),
        "computes columns",
    ),
    "computed name": (
        sql("DROP TABLE SHARD_NAME", f"CREATE TABLE SHARD_NAME(x, NAME AS ({LARGE}))"),
        "computes columns",
    ),
    "virtual table": (
        sql("UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE INDEXES USING fts5(ROW_ID)' WHERE name = 'INDEXES'"),
        "its tables cannot be read",
    ),
    "many tables": (sql(*(f"CREATE TABLE t{i}(x)" for i in range(9))), "more tables than an index has"),
    "long description": (
        sql(f"CREATE TABLE t({', '.join(f'a_column_{i}' for i in range(1000))})"),
        "its tables cannot be read",
    ),
    "other columns": (sql("ALTER TABLE INDEXES RENAME COLUMN ROW_ID TO q"), "its columns begin with"),
    "no values": (sql("ALTER TABLE INDEXES RENAME COLUMN number_0 TO q"), "has no columns"),
    "large name": (sql("UPDATE SHARD_NAME SET NAME = zeroblob(9000000)"), "small"),
    "texts for numbers": (sql("UPDATE INDEXES SET PAGE_ID_RAW = zeroblob(9000)"), "its tables cannot be read"),
    "nothing for numbers": (
        sql("DROP TABLE INDEXES", f"CREATE TABLE INDEXES AS {ENDLESS} {PLACES} LIMIT 5",
            "UPDATE INDEXES SET PAGE_ID_RAW = NULL"),
        "its tables cannot be read|its columns begin",
    ),
    "many rows": (
        sql("DELETE FROM INDEXES", f"INSERT INTO INDEXES SELECT * FROM ({ENDLESS} i, 1, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0 "
            "FROM r LIMIT 5000)"),
        "can not match",
    ),
    "branches": (lambda path: branch_to_one_page(path, 12), "small.db: its tables cannot be read|can not match"),
    "the same row": (sql("UPDATE INDEXES SET ROW_ID = 0, INC_0 = ROW_ID"), "can not match"),
    "rows in one place": (
        sql("UPDATE INDEXES SET PAGE_OFFSET_BLOB = 0, PAGE_OFFSET_BLOB_END = 55"), "some are in one place",
    ),
    "row before the file": (sql("UPDATE INDEXES SET PAGE_OFFSET_RAW = -9"), "row 0 should be in page 1 at bytes -9"),
    "short": (lambda path: Path(f"{path}.db").write_bytes(b"SQLite format 3\0"), "it is not a database"),
    "empty": (lambda path: Path(f"{path}.db").write_bytes(b""), "it is not a database"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_index_is_refused(folder: Path, name: str) -> None:
    damage, says = HOSTILE[name]
    path = write_small()
    damage(path)
    for read in (lambda: FileReader("small"), lambda: numbers("small"), lambda: MindPage("small")):
        with pytest.raises(RuntimeError, match=says):
            read()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE INDEXES SET text_0 = x'fffefd'",
        "UPDATE INDEXES SET text_0 = CAST(x'fffefd' AS TEXT)",
        "UPDATE INDEXES SET text_0 = NULL WHERE ROW_ID = 1",
    ],
)
def test_values_of_another_type_are_refused(folder: Path, statement: str) -> None:
    write_small()
    change(Path("small"), statement)
    page = MindPage("small")
    page.category_field = "text"
    with pytest.raises(RuntimeError, match=r"small\.db: its tables cannot be read"):
        page.read_category_info()


def test_a_journal_beside_is_not_looked_at(folder: Path) -> None:
    write_small()
    Path("small.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\0" * 600)
    Path("small.db-wal").write_bytes(b"\x37\x7f\x06\x82" + b"\0" * 600)
    assert numbers("small", shuffle=False) == [0, 1, 2, 3, 4]


def test_long_texts_are_looked_up(folder: Path) -> None:
    writer = FileWriter("long")
    writer.add_schema(NUMBERED)
    writer.write_raw_data(numbered(0, 4, text=100_000))
    writer.commit()
    page = MindPage("long")
    page.category_field = "text"
    assert [row["number"] for row in page.read_at_page_by_name("c0" + "q" * 100_000, 0, 9)] == [0, 3]
