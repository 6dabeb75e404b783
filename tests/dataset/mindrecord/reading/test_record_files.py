"""Damaged and missing MindRecord files are named."""

import copy
import gc
import os
import pickle
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from msbridge.dataset.mindrecord import FileReader, FileWriter
from msbridge.dataset.mindrecord.reading import record_files as opened
from tests.dataset.record_files import numbers, write_small


def _change(path: Path, place: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)


def _set(path: Path, change: str) -> None:
    connection = sqlite3.connect(f"{path}.db")
    connection.execute(change)
    connection.commit()
    connection.close()


def _replace(path: Path, old: bytes, by: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, by))


def _truncate(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


BLOB, RAW = 1 << 14, (1 << 14) + (1 << 15)  # where the pages of a small file begin


DAMAGE = {
    "no index": (lambda path: Path(f"{path}.db").unlink(), "small.db is not exists"),
    "empty": (lambda path: _truncate(path, 0), "small: the size of mindrecord file: 0 is smaller"),
    "cut header": (lambda path: _truncate(path, 60), "small: failed to read header content.*52"),
    "cut page": (lambda path: _truncate(path, RAW + 10), "small: failed to parse header content .page 1 ends at byte"),
    "absurd header": (lambda path: _change(path, 0, b"\xff" * 8), "small: the size of mindrecord file header"),
    "no json": (lambda path: _change(path, 8, b"\0"), "small: failed to parse header content"),
    "other version": (lambda path: _replace(path, b'"3.0"', b'"9.0"'), "version is '9.0'"),
    "no names": (lambda path: _replace(path, b'["small"]', b'[""     ]'), "small: failed to parse header"),
    "other type": (lambda path: _replace(path, b'"int32"', b'"int99"'), "schema.*damaged"),
    "absurd page": (lambda path: _replace(path, b'_size":32768', b'_size":9e999'), "small: failed to parse header"),
    "no database": (lambda path: Path(f"{path}.db").write_bytes(b"junk" * 99), "small.db: its tables cannot be read"),
    "other index": (lambda path: Path("other.db").replace(f"{path}.db"), "small.*can not match"),
    "absurd offset": (lambda path: _set(path, "UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = 1 << 40"), "row 0 should"),
    "absurd page number": (lambda path: _set(path, "UPDATE INDEXES SET PAGE_ID_RAW = -1"), "row 0 .* in page -1"),
    "missing row": (lambda path: _set(path, "DELETE FROM INDEXES WHERE ROW_ID = 2"), "small.*can not match"),
    "blob length": (lambda path: _change(path, BLOB, b"\xff" * 8), "small: row 0 cannot be read"),
    "raw length": (lambda path: _change(path, RAW, b"\0"), "small: row 0 cannot be read"),
    "raw content": (lambda path: _change(path, RAW + 8, b"\xc1"), "small: row 0 .*byte 0xc1 begins no map"),
    "other field": (lambda path: _change(path, RAW + 10, b"xx"), "small: row 0 cannot be read"),
    "renamed": (lambda path: None, "moved: mindrecord file: .*small can not be found: the file was renamed"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_named(folder: Path, name: str) -> None:
    damage, says = DAMAGE[name]
    write_small("other", 9)
    path = write_small()
    damage(path)
    if name == "renamed":
        Path("small.db").rename("moved.db")
        path = path.rename("moved")
    with pytest.raises(RuntimeError, match=f"(?s){says}"):
        list(FileReader(str(path)).get_next())
    with pytest.raises(RuntimeError, match=f"(?s){says}"):
        numbers(str(path), shuffle=False)


@pytest.mark.parametrize("name", ["small", "small.db"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: Path(path).symlink_to(path)])
def test_what_is_no_file_is_refused_at_once(folder: Path, name: str, make: Callable[[str], None]) -> None:
    write_small()
    Path(name).unlink()
    make(name)
    for read in (FileReader, lambda path: FileReader([path]), FileWriter.open_for_append):
        with pytest.raises(RuntimeError, match=f"{name} is not exists"):
            read("small")


@pytest.mark.parametrize(
    ("old", "by"), [(b"\xa6number\x00", b"\xa6number\xa0"), (b"\xa4text\xa2c0", b"\xa4text\xcd\1\2")]
)
def test_a_value_of_another_type_is_refused(folder: Path, old: bytes, by: bytes) -> None:
    _replace(write_small(rows=1), old, by)
    with pytest.raises(RuntimeError, match=r"small: row 0 cannot be read .field '(number|text)' is (str|int)"):
        numbers("small", shuffle=False)


def test_a_file_that_is_cut_while_it_is_read_is_named(folder: Path) -> None:
    path = write_small()
    rows = FileReader("small").get_next()
    next(rows)
    _truncate(path, 100)
    with pytest.raises(RuntimeError, match="small: row 1 cannot be read"):
        next(rows)


def test_copies_of_a_reader_read_by_themselves(folder: Path) -> None:
    write_small()
    reader = FileReader("small")
    rows = reader.get_next()
    next(rows)
    copies = [copy.deepcopy(reader._files), pickle.loads(pickle.dumps(reader._files))]
    del reader, rows
    gc.collect()
    assert [files.read(4, ["number"]) for files in copies] == [{"number": 4}] * 2


def test_a_missing_file_of_several_is_named(recorded: Path) -> None:
    (recorded / "shards1").unlink()
    with pytest.raises(RuntimeError, match="shards1 can not be found; it was written together with 2 others"):
        FileReader("shards0")


def test_files_that_take_their_names_while_they_are_opened_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_small("file")
    looks, real = iter(range(100)), opened._state

    def state(found: os.stat_result) -> tuple[int, ...]:
        if next(looks) < 2:
            raise FileNotFoundError("moved")
        return real(found)

    monkeypatch.setattr(opened, "_state", state)
    assert len(list(FileReader("file").get_next())) == FileReader("file").len() > 1
    monkeypatch.setattr(opened, "_state", lambda found: Path("/nowhere/moved").stat())
    with pytest.raises(RuntimeError, match="was rewritten"):
        FileReader("file")
