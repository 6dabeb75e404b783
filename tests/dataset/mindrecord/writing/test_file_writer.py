"""FileWriter: our files equal those that MindSpore 2.10 wrote; what fails leaves old files alone."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from msbridge.dataset.mindrecord import FileReader, FileWriter
from msbridge.dataset.mindrecord.errors import MindRecordException
from tests.dataset.mindrecord_cases import ALL_TYPES, NUMBERED, WRITTEN, numbered, write
from tests.dataset.record_files import numbers, same, write_small
from tests.dataset.recorded_mindrecords import recorded_files

ONE_FILE = [name for name, case in WRITTEN.items() if case.shards == 1]


def index(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"{path}.db")
    try:
        return [
            *connection.execute("SELECT * FROM INDEXES ORDER BY ROW_ID"),
            *connection.execute("SELECT * FROM SHARD_NAME"),
        ]
    finally:
        connection.close()


@pytest.mark.parametrize("name", ONE_FILE)
def test_files_equal_mindspores_byte_for_byte(folder: Path, name: str) -> None:
    write(FileWriter, name, WRITTEN[name])
    assert (folder / name).read_bytes() == recorded_files()[name]


@pytest.mark.parametrize("name", ONE_FILE)
def test_indices_equal_mindspores(folder: Path, name: str) -> None:
    write(FileWriter, name, WRITTEN[name])
    (folder / "recorded.db").write_bytes(recorded_files()[f"{name}.db"])
    assert index(folder / name) == index(folder / "recorded")


@pytest.mark.parametrize("label", [None, True, "1", 1.5])
def test_a_row_that_does_not_fit_is_told(folder: Path, label: object) -> None:
    writer = FileWriter("changed")
    writer.add_schema({"label": {"type": "int32"}})
    with pytest.warns(UserWarning, match="1 of 3 rows do not fit the schema and are left out: row 1: field"):
        writer.write_raw_data([{"label": 1}, {"label": label}, {"label": 2}])


def test_rows_are_divided_among_files(folder: Path) -> None:
    write(FileWriter, "many", WRITTEN["shards"])
    assert [FileReader([f"many{number}"]).len() for number in range(3)] == [4, 4, 4]
    assert numbers("many2", shuffle=False) == list(range(12))
    assert numbers(["many2", "many0"], shuffle=False) == [8, 9, 10, 11, 0, 1, 2, 3]


def test_many_files_are_numbered_with_as_many_digits(folder: Path) -> None:
    write_small("eleven", 11, shard_num=11)
    assert sorted(path.name for path in folder.glob("eleven*") if path.suffix != ".db")[::10] == [
        "eleven00",
        "eleven10",
    ]


def test_a_file_appears_when_it_is_complete(folder: Path) -> None:
    writer = FileWriter("late")
    writer.add_schema(NUMBERED)
    writer.write_raw_data(numbered(0, 3))
    assert not Path("late").exists()
    writer.commit()
    assert FileReader("late").len() == 3
    writer.commit()
    with pytest.raises(RuntimeError, match="open_for_append"):
        writer.write_raw_data(numbered(0, 3))
    assert sorted(path.name for path in folder.iterdir()) == ["late", "late.db"]


def test_a_writer_that_is_given_up_leaves_the_old_file(folder: Path) -> None:
    write_small(rows=2)
    writer = FileWriter("small", overwrite=True)
    writer.add_schema(NUMBERED)
    writer.write_raw_data(numbered(0, 9))
    del writer
    assert FileReader("small").len() == 2
    assert sorted(path.name for path in folder.iterdir()) == ["small", "small.db"]


def test_files_are_replaced_only_if_asked_for(folder: Path) -> None:
    write_small(rows=2)
    with pytest.raises(RuntimeError, match=r"already exist.*small"):
        write_small(rows=4)
    write_small(rows=4, overwrite=True)
    assert FileReader("small").len() == 4


def test_an_append_that_is_given_up_leaves_the_old_rows(folder: Path) -> None:
    write_small(rows=5)
    writer = FileWriter.open_for_append("small")
    writer.write_raw_data(numbered(5, 9, 20000, 10000))
    assert numbers("small", shuffle=False) == [0, 1, 2, 3, 4]
    del writer
    writer = FileWriter.open_for_append("small")
    writer.write_raw_data(numbered(5, 6))
    writer.commit()
    assert same(list(FileReader("small").get_next()), numbered(0, 6))


def test_rows_before_one_that_is_too_large_are_kept(folder: Path) -> None:
    writer = FileWriter("cut")
    writer.set_page_size(1 << 15)
    writer.add_schema(NUMBERED)
    with pytest.raises(RuntimeError, match=r"Page size: 32768 is too small to save a blob row of 40008"):
        writer.write_raw_data([*numbered(0, 2), {"number": 2, "text": "", "data": b"x" * 40000}])
    writer.write_raw_data(numbered(2, 4))
    writer.commit()
    assert same(list(FileReader("cut").get_next()), numbered(0, 4))


def test_a_header_that_does_not_fit(folder: Path) -> None:
    writer = FileWriter("long")
    writer.set_header_size(1 << 14)
    writer.add_schema(NUMBERED, "d" * 17000)
    writer.write_raw_data(numbered(0, 1))
    with pytest.raises(RuntimeError, match=r"takes 17\d\d\d bytes.*set_header_size"):
        writer.commit()


def test_the_only_blob_field_may_not_be_empty(folder: Path) -> None:
    writer = FileWriter("empty")
    writer.add_schema({"data": {"type": "bytes"}})
    with pytest.raises(RuntimeError, match="only blob field 'data' is empty"):
        writer.write_raw_data([{"data": b""}])


def test_an_indexed_field_begins_with_a_letter(folder: Path) -> None:
    writer = FileWriter(str(folder / "numbered"), 1)
    writer.add_schema({"5th": {"type": "int32"}, "data": {"type": "bytes"}})
    with pytest.raises(RuntimeError, match="'5th' begins with a digit"):
        writer.write_raw_data([{"5th": 1, "data": b"x"}])
    assert not list(folder.glob("numbered*"))


def test_the_errors_have_one_root() -> None:
    with pytest.raises(MindRecordException):
        FileWriter("")


def test_all_types_are_covered() -> None:
    assert {field["type"] for field in ALL_TYPES.values()} == {
        "int32",
        "int64",
        "float32",
        "float64",
        "string",
        "bytes",
    }
