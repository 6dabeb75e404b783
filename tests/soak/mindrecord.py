"""MindRecord: writers that are killed while they replace or append, and files that are damaged or made to do harm.

A killed writer leaves the old group or the new one, wholly, with all that was committed. A hostile file is read, or
refused with a RuntimeError, within 64 MiB beyond its size and a few seconds. `python -m tests.soak.mindrecord CASES
SEED` tries that many files and prints the faults.
"""

import contextlib
import copy
import ctypes
import gc
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import msbridge.dataset as ds
from msbridge.dataset.mindrecord import FileReader, FileWriter, MindPage
from msbridge.dataset.mindrecord.format.msgpack_rows import pack

KILL_SHARE = 0.3  # of the time
SECONDS = 4  # of the processor, for a file
MORE_BYTES = 64 * 1024**2
ONE_ARENA = -8  # M_ARENA_MAX of glibc
CASES_OF_A_WORKER = 500
HEADER_BYTES, PAGE_BYTES = 1 << 14, 1 << 15
SCHEMA = {"number": {"type": "int32"}, "text": {"type": "string"}, "data": {"type": "bytes"}}
ALL_TYPES = {
    **SCHEMA,
    "exact": {"type": "float64"},
    "id": {"type": "int64"},
    "weight": {"type": "float32"},
    "boxes": {"type": "int32", "shape": [-1, 2]},
    "mask": {"type": "float32", "shape": [2, 2]},
    "tokens": {"type": "int64", "shape": [-1]},
}


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Kill writers and read hostile files until `deadline`; return how many cases ran, and the faults."""
    draws = random.Random(seed)
    cases, faults = 0, []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        kills_end = time.monotonic() + (deadline - time.monotonic()) * KILL_SHARE
        while time.monotonic() < kills_end:
            cases += 1
            faults += killed_writer(draws, Path(folder) / "killed")
        while time.monotonic() < deadline:
            done, found = hostile_files(draws.randrange(1 << 32), CASES_OF_A_WORKER, Path(folder) / "files", deadline)
            cases += done
            faults += found
    return cases, sorted(set(faults))


# Killed writers.


def killed_writer(draws: random.Random, folder: Path) -> list[str]:
    """Kill a writer at some moment; return what is wrong with what it left."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shards, appends = draws.randint(1, 4), draws.random() < 0.5
    name = str(folder / "group")
    first = name if shards == 1 else f"{name}0"
    _write(name, shards, _generation(0))
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _write_until_killed(name, first, shards, appends, writing)
    os.close(writing)
    time.sleep(draws.random() ** 2 * 0.4)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    committed = len(os.read(reading, 1 << 16))
    os.close(reading)
    what = f"{'appending to' if appends else 'replacing'} {shards} files, {committed} times done, then killed"
    try:
        found = _numbers(first)
        allowed = [_expected(committed + more, appends) for more in (0, 1)]
        if found not in allowed:
            return [f"{what}: rows {found[:20]} … {len(found)}, allowed are {[len(rows) for rows in allowed]}"]
        _append(first, [-1])
        if _numbers(first) != [-1, *found]:
            return [f"{what}: appending afterwards leads to {_numbers(first)[:20]}"]
        if len(names := sorted(path.name for path in folder.iterdir())) != 2 * shards:
            return [f"{what}: files that are left: {names}"]
    except Exception as error:
        return [f"{what}: {type(error).__name__}: {error}"]
    return []


def _write_until_killed(name: str, first: str, shards: int, appends: bool, report: int) -> None:
    try:
        for number in range(1, 1 << 15):
            if appends:
                _append(first, _generation(number))
            else:
                _write(name, shards, _generation(number), overwrite=True)
            os.write(report, b".")
    finally:
        os._exit(1)


def _generation(number: int) -> list[int]:
    return [number * 100 + i for i in range(3 + number % 5)]


def _expected(number: int, appends: bool) -> list[int]:
    return sorted(row for each in range(number + 1) for row in _generation(each)) if appends else _generation(number)


def _rows(numbers: list[int]) -> list[dict[str, Any]]:
    return [{"number": number, "text": "t" * (number % 3), "data": b"d" * (number % 9 + 1)} for number in numbers]


def _write(name: str, shards: int, numbers: list[int], overwrite: bool = False) -> None:
    writer = FileWriter(name, shards, overwrite)
    writer.set_header_size(HEADER_BYTES)
    writer.set_page_size(PAGE_BYTES)
    writer.add_schema(SCHEMA)
    writer.write_raw_data(_rows(numbers))
    writer.commit()


def _append(first: str, numbers: list[int]) -> None:
    writer = FileWriter.open_for_append(first)
    writer.write_raw_data(_rows(numbers))
    writer.commit()


def _numbers(first: str) -> list[int]:
    return sorted(row["number"] for row in FileReader(first).get_next())


# Hostile files.


def hostile_files(seed: int, cases: int, folder: Path, deadline: float = float("inf")) -> tuple[int, list[str]]:
    """Try files in a forked worker, and another one where that dies; return how many were tried, and the faults."""
    faults: list[str] = []
    number = 0
    while number < cases and time.monotonic() < deadline:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _try_many(seed, range(number, cases), folder, writing, deadline)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            done = [line.rstrip("\n") for line in lines]
        _, status = os.waitpid(child, 0)
        number += sum(line == "done" for line in done)
        faults += [line for line in done if line != "done"]
        if status:
            faults.append(f"hostile file {seed}/{number}: the process ended with status {status}")
            number += 1
    return number, faults


def _try_many(seed: int, numbers: range, folder: Path, report: int, deadline: float) -> None:
    """Try files one after the other; one that takes too long ends the process."""
    with contextlib.suppress(OSError, AttributeError):  # a thread's own arena would by itself take what a file may take
        ctypes.CDLL(None).mallopt(ONE_ARENA, 1)
    warnings.simplefilter("ignore")  # of rows that do not fit a schema
    try:
        for number in numbers:
            if time.monotonic() > deadline:
                break
            if fault := try_file(seed, number, folder):
                os.write(report, f"hostile file {seed}/{number}: {fault}\n".replace("\n", " ").encode() + b"\n")
            os.write(report, b"done\n")
        os._exit(0)
    except BaseException as error:
        os.write(report, f"making a hostile file failed: {error!r}\n".encode())
    finally:
        os._exit(3)


def try_file(seed: int, number: int, folder: Path) -> str:
    """Make and read one file; return what is wrong."""
    draws = random.Random(f"{seed}/{number}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    first = folder / draws.choice(list(_templates()))
    for name in _group(first.name):
        for each, data in _templates_bytes(name):
            (folder / each).write_bytes(data)
    damages = [draws.choice(DAMAGES) for _ in range(draws.choice((1, 1, 1, 2, 3)))]
    damages.sort(key=LAST.count)  # SQLite may never end to change a tree without an end, nor a pipe to be read
    del damages[len(damages) - sum(map(damages.count, LAST)) + 1 :]
    for damage in damages:
        with contextlib.suppress(Exception):  # a damage before may have left nothing to it
            damage(draws, first)
    read = draws.choice(READERS)
    what = f"{'+'.join(damage.__name__ for damage in damages)}, {read.__name__} {first.name}"
    gc.collect(0)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + size + MORE_BYTES, hard))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        read(str(first))
    except RuntimeError as error:
        return f"{what}: {error!r}" if isinstance(error, (RecursionError, NotImplementedError)) else ""
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{what}: {type(error).__name__}: {str(error)[:200]} ({Path(place.filename).name}:{place.lineno})"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    return ""


def read_rows(name: str) -> None:
    for _ in FileReader(name).get_next():
        pass


def read_some_columns(name: str) -> None:
    reader = FileReader(name)
    for _ in FileReader(name, columns=sorted(reader.schema())[:2]).get_next():
        pass


def read_listed(name: str) -> None:
    for _ in FileReader([name]).get_next():
        pass


def read_dataset(name: str) -> None:
    if not Path(name).is_file():  # it says ValueError then, as MindSpore does
        return
    for _ in ds.MindDataset(name, shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True):
        pass


def read_pages(name: str) -> None:
    page = MindPage(name)
    for field in page.candidate_fields:
        page.category_field = field
        categories = json.loads(page.read_category_info())["categories"]
        for category in categories[:3]:
            page.read_at_page_by_id(category["id"], 0, 5)


def append(name: str) -> None:
    writer = FileWriter.open_for_append(name)
    fields = writer._header.schema.fields  # type: ignore[union-attr]
    if set(fields) == set(SCHEMA):
        writer.write_raw_data(_rows([1, 2]))
    writer.commit()
    read_rows(name)


READERS = [read_rows, read_rows, read_some_columns, read_listed, read_dataset, read_pages, append]

_FILES: dict[str, bytes] = {}


def _templates() -> tuple[str, ...]:
    return ("small", "types", "pages", "group0", "group1", "plain")


def _group(name: str) -> list[str]:
    return ["group0", "group1", "group2"] if name.startswith("group") else [name]


def _templates_bytes(name: str) -> list[tuple[str, bytes]]:
    if not _FILES:
        _write_templates()
    return [(each, _FILES[each]) for each in (name, f"{name}.db")]


def _write_templates() -> None:
    def write(name: str, schema: dict[str, Any], rows: list[dict[str, Any]], shards: int = 1) -> None:
        writer = FileWriter(name, shards)
        writer.set_header_size(HEADER_BYTES)
        writer.set_page_size(PAGE_BYTES)
        writer.add_schema(schema)
        writer.write_raw_data(rows)
        writer.commit()

    def of_all_types(number: int) -> dict[str, Any]:
        return {
            **_rows([number])[0],
            "exact": float("nan") if number == 3 else number / 3,
            "id": number << 35,
            "weight": float(number),
            "boxes": np.arange(2 * number, dtype=np.int32).reshape(-1, 2) * 1000,
            "mask": np.ones((2, 2), np.float32),
            "tokens": np.array([number, -129, 1 << 40], np.int64),
        }

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write("small", SCHEMA, _rows(list(range(5))))
        write("types", ALL_TYPES, [of_all_types(number) for number in range(6)])
        write("pages", SCHEMA, [{**row, "data": b"d" * 9000, "text": "t" * 5000} for row in _rows(list(range(12)))])
        write("group", SCHEMA, _rows(list(range(9))), 3)
        write("plain", {"x": {"type": "int64"}}, [{"x": number} for number in range(4)])
        _FILES.update({path.name: path.read_bytes() for path in Path().iterdir()})


# Damages: of bytes, of what a header says, of rows, of indices.


NUMBERS = [
    0,
    1,
    -1,
    2,
    7,
    8,
    255,
    256,
    32767,
    32768,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    -(1 << 31),
    1 << 32,
    (1 << 63) - 1,
]
NUMBERS += [1 << 63, -(1 << 63), 1 << 64, 10**30, 10**400, 0.5, 1e308, float("inf"), float("nan")]
VALUES = [
    *NUMBERS,
    None,
    True,
    "",
    "x",
    "BLOB_DATA",
    "RAW_DATA",
    "string",
    "int32",
    "bytes",
    "../x",
    "\0",
    "\ud800",
    [],
    {},
]
VALUES += [[[]], {"a": {"type": "int32", "shape": [1 << 32, 1 << 32]}}, [-1, -1], [1 << 40, -1], [1] * 70]


def flip_bytes(draws: random.Random, first: Path) -> None:
    path = _some_file(draws, first)
    data = bytearray(path.read_bytes())
    for _ in range(draws.choice((1, 1, 2, 8, 64))):
        data[_place(draws, data)] = draws.choice((0, 1, 0x7F, 0x80, 0xFF, draws.randrange(256)))
    path.write_bytes(data)


def copy_bytes(draws: random.Random, first: Path) -> None:
    path = _some_file(draws, first)
    data = bytearray(path.read_bytes())
    size = draws.choice((1, 4, 8, 100, 4096))
    start, end = _place(draws, data), _place(draws, data)
    data[end : end + draws.choice((size, 0))] = data[start : start + size]
    path.write_bytes(data)


def cut(draws: random.Random, first: Path) -> None:
    path = _some_file(draws, first)
    with path.open("r+b") as file:
        file.truncate(draws.choice((0, 1, 7, 8, 100, draws.randrange(path.stat().st_size + 1), 1 << 22)))


def other_kind(draws: random.Random, first: Path) -> None:
    path = _some_file(draws, first)
    path.unlink()
    draws.choice(
        (lambda: os.mkfifo(path), path.mkdir, lambda: path.symlink_to(path), lambda: path.symlink_to("/dev/zero"), int)
    )()


def other_file(draws: random.Random, first: Path) -> None:
    path = _some_file(draws, first)
    path.write_bytes(_FILES[draws.choice(sorted(_FILES))])


def note(draws: random.Random, first: Path) -> None:
    """A note that says where new files are."""
    names = _group(first.name)
    new = {name: draws.choice((f"{name}.partial-1-2", "small", "../x.partial-", first.name, "")) for name in names}
    for name in names:
        (first.parent / f"{name}.partial-1-2").write_bytes(_FILES[draws.choice(sorted(_FILES))])
    content: Any = {"files": new, "indices": {f"{name}.db": f"{name}.db.partial-1-2" for name in names}}
    if draws.random() < 0.5:
        content = _changed(draws, content)
    text = json.dumps(content)
    (first.parent / f"{names[0]}.mv").write_text(text[: draws.choice((None, None, len(text) // 2))])


def change_header(draws: random.Random, first: Path) -> None:
    _rewrite_header(draws, first, lambda content: _changed(draws, content))


def change_pages(draws: random.Random, first: Path) -> None:
    def change(content: Any) -> Any:
        for _ in range(draws.choice((1, 2, 4))):
            page = draws.choice(content["page"])
            key = draws.choice(sorted(page))
            if key == "row_group_ids":
                page[key] = [{"id": _number(draws), "offset": _number(draws)} for _ in range(draws.randrange(4))]
            else:
                page[key] = _number(draws) if key != "page_type" else draws.choice(("BLOB_DATA", "RAW_DATA"))
        if draws.random() < 0.2:
            content["page"] = content["page"] * draws.choice((2, 100, 10_000))
        return content

    _rewrite_header(draws, first, change)


def change_schema(draws: random.Random, first: Path) -> None:
    def change(content: Any) -> Any:
        schema = content["schema"][0]
        field = schema["schema"][draws.choice(sorted(schema["schema"]))]
        draws.choice(
            (
                lambda: field.update(type=draws.choice(("int32", "int64", "float32", "float64", "string", "bytes"))),
                lambda: field.update(shape=[_number(draws) for _ in range(draws.randrange(5))]),
                lambda: schema["schema"].update({f"f{i}": {"type": "int32"} for i in range(draws.choice((3, 3000)))}),
                lambda: draws.shuffle(schema["blob_fields"]),
                lambda: content.update(index_fields=[{"index_field": draws.choice(sorted(schema["schema"]))}] * 2),
                lambda: content.update(shard_addresses=content["shard_addresses"] * draws.choice((2, 5000))),
            )
        )()
        return content

    _rewrite_header(draws, first, change)


def bomb_header(draws: random.Random, first: Path) -> None:
    """A header whose JSON takes far more memory than its bytes."""
    count = draws.choice((1 << 10, 1 << 14, 1 << 18, 1 << 20))
    text = draws.choice(
        (
            lambda: "[" * count,
            lambda: "[" * 900 + "]" * 900,
            lambda: '{"a":' * count,
            lambda: f"[{'[],' * count}0]",
            lambda: f"[{'{},' * count}0]",
            lambda: f"[{'1e9,' * count}0]",
            lambda: '"' + "\U0001f600" + "a" * count * 4 + '"',
            lambda: "{" + ",".join(f'"{i:x}":{i}' for i in range(count // 8)) + "}",
            lambda: "9" * count,
            lambda: f'{{"version":"3.0","schema":[{{}}],"page":[{"null," * count}null]}}',
        )
    )().encode()
    data = first.read_bytes()
    first.write_bytes(len(text).to_bytes(8, "little") + text + data[len(text) + 8 :])


def change_rows(draws: random.Random, first: Path) -> None:
    """Another raw part or blob part of some row, or what its lengths say."""
    data = bytearray(first.read_bytes())
    content = _header(data)
    page = draws.choice(content["page"])
    start = content["header_size"] + page["page_id"] * content["page_size"]
    place = start + draws.choice((0, 0, draws.randrange(page["page_size"])))
    new = draws.choice(
        (
            lambda: _number(draws).to_bytes(8, draws.choice(("little", "big"))),
            lambda: _number(draws).to_bytes(4, "big"),
            lambda: pack({"number": draws.choice((1, "x", 2.5, 1 << 60)), "text": draws.choice(("", 3))}),
            lambda: b"\xdf\xff\xff\xff\xff",
            lambda: b"\xdb\xff\xff\xff\xff",
            lambda: b"\xa3\xff\xfe\xfd",
            lambda: bytes(draws.randrange(256) for _ in range(20)),
        )
    )()
    place += draws.choice((0, 8, 8, 12, 16))
    data[place : place + len(new)] = new
    first.write_bytes(data)


def overlapping_rows(draws: random.Random, first: Path) -> None:
    """All rows of the index are where the largest one is."""
    with _database(first) as connection:
        connection.execute(
            "UPDATE INDEXES SET (PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, "
            "PAGE_OFFSET_BLOB_END) = (SELECT PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, "
            "PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END FROM INDEXES ORDER BY ROW_ID DESC LIMIT 1)"
        )


def change_index(draws: random.Random, first: Path) -> None:
    with _database(first) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(INDEXES)")]
        for _ in range(draws.choice((1, 2, 5))):
            value = draws.choice((*NUMBERS[:20], "x", b"\xff\xfe", "9" * 1000, "1", 1.5))
            connection.execute(
                f'UPDATE INDEXES SET "{draws.choice(columns)}" = ? WHERE ROW_ID % ? = 0',
                (value, draws.choice((1, 2, 5))),
            )


def change_tables(draws: random.Random, first: Path) -> None:
    """An index of valid SQL that does something else."""
    endless = "WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r) SELECT "
    places = "i ROW_ID, 0 PAGE_ID_RAW, 0 PAGE_OFFSET_RAW, 9 PAGE_OFFSET_RAW_END, 0 ROW_GROUP_ID, 0 PAGE_ID_BLOB"
    places += ", 0 PAGE_OFFSET_BLOB, 9 PAGE_OFFSET_BLOB_END, i number_0, i text_0 FROM r"
    bomb = "hex(zeroblob(100000000))"
    kept = draws.choice(
        (
            ("DROP TABLE INDEXES", f"CREATE VIEW INDEXES AS {endless}{places}"),
            ("DROP TABLE SHARD_NAME", f"CREATE VIEW SHARD_NAME AS {endless}i AS NAME FROM r WHERE i < 0"),
            ("DROP TABLE SHARD_NAME", f"CREATE VIEW SHARD_NAME AS SELECT {bomb} AS NAME"),
            ("DROP TABLE INDEXES", "CREATE VIEW INDEXES AS SELECT * FROM INDEXES"),
            ("ALTER TABLE SHARD_NAME RENAME TO s", "CREATE TABLE SHARD_NAME(x, NAME AS (hex(zeroblob(100000000))))",
             "INSERT INTO SHARD_NAME(x) VALUES(1)"),
            ("ALTER TABLE INDEXES RENAME COLUMN PAGE_ID_RAW TO q",
             "ALTER TABLE INDEXES ADD COLUMN PAGE_ID_RAW AS (length(hex(zeroblob(100000000))))"),
            ("DROP TABLE INDEXES", "CREATE VIRTUAL TABLE INDEXES USING fts5(ROW_ID, PAGE_ID_RAW)"),
            ("CREATE INDEX i ON INDEXES(hex(ROW_ID))", "CREATE INDEX j ON INDEXES(ROW_ID DESC)"),
            ("CREATE TRIGGER t AFTER INSERT ON INDEXES BEGIN DELETE FROM INDEXES; END",),
            ("CREATE TABLE more(x)", f"INSERT INTO more {endless} zeroblob(100) FROM r LIMIT 3000"),
            (*(f"CREATE TABLE more{i}({', '.join(f'c{j}' for j in range(200))})" for i in range(40)),),
            ("UPDATE SHARD_NAME SET NAME = zeroblob(3000000)",),
            (f"INSERT INTO SHARD_NAME {endless} i FROM r LIMIT 5000",),
            ("DROP TABLE SHARD_NAME",),
            ("DROP TABLE INDEXES", f"CREATE TABLE INDEXES AS {endless}{places} LIMIT 30000"),
            ("UPDATE INDEXES SET text_0 = zeroblob(1000000)",),
            ("UPDATE INDEXES SET text_0 = CAST(zeroblob(100000) AS TEXT)",),
            ("UPDATE INDEXES SET text_0 = CAST(x'fffefd' AS TEXT)",),
            ("PRAGMA journal_mode=WAL", "UPDATE INDEXES SET ROW_ID = ROW_ID"),
            ("PRAGMA page_size=65536", "VACUUM"),
            ("PRAGMA page_size=512", "VACUUM"),
            ("PRAGMA encoding='UTF-16'", "VACUUM"),
        )
    )  # fmt: skip
    with _database(first) as connection:
        for statement in kept:
            connection.execute(statement)


DESCRIPTIONS = [0, 1, 2, 3, 4, 99, None, "table", "view", "INDEXES", "CREATE TABLE INDEXES(x)"]
DESCRIPTIONS += ["CREATE VIRTUAL TABLE INDEXES USING fts5(ROW_ID)", "CREATE TABLE INDEXES(" + "x," * 30000]
DESCRIPTIONS += ["CREATE TABLE INDEXES(ROW_ID CHECK(" + "(" * 5000, "CREATE VIEW INDEXES AS SELECT 1"]


def rewrite_descriptions(draws: random.Random, first: Path) -> None:
    """What SQLite's own table says of the tables, which it believes."""
    with _database(first) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            f"UPDATE sqlite_master SET {draws.choice(('sql', 'rootpage', 'type', 'name'))} = ? WHERE name = ?",
            (
                draws.choice(DESCRIPTIONS),
                draws.choice(("INDEXES", "SHARD_NAME", "sqlite_autoindex_INDEXES_1")),
            ),
        )


def shared_pages(draws: random.Random, first: Path) -> None:
    """A tree whose branches all lead to the same page: a few pages that represent billions of rows."""
    path = first.with_name(f"{first.name}.db")
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big") or 1 << 16
    with _database(first) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (draws.choice(("INDEXES", "SHARD_NAME")),)
        ).fetchone()[0]
    leaf = bytes(data[(root - 1) * size : root * size])
    pages = len(data) // size
    levels = draws.choice((1, 2, 5, 12))
    for level in range(levels + 1):
        below = pages + level + 2
        cells = (size - 12) // 8
        if level == levels:
            page = leaf
        else:
            page = bytearray(size)
            page[0] = 5
            page[3:5], page[5:7] = cells.to_bytes(2, "big"), (size - cells * 5).to_bytes(2, "big")
            page[8:12] = below.to_bytes(4, "big")
            for cell in range(cells):
                place = size - (cell + 1) * 5
                page[12 + 2 * cell : 14 + 2 * cell] = place.to_bytes(2, "big")
                page[place : place + 5] = below.to_bytes(4, "big") + bytes([draws.choice((1, cell % 128))])
        if level:
            data += page
        else:
            data[(root - 1) * size : root * size] = page
            data += bytes(size)
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    path.write_bytes(data)


DAMAGES = [flip_bytes, flip_bytes, copy_bytes, cut, other_kind, other_file, note, change_header, change_header]
DAMAGES += [change_pages, change_pages, change_schema, bomb_header, change_rows, change_rows, change_rows]
DAMAGES += [
    overlapping_rows,
    change_index,
    change_index,
    change_tables,
    change_tables,
    rewrite_descriptions,
    shared_pages,
]


LAST = [shared_pages, other_kind]


def _some_file(draws: random.Random, first: Path) -> Path:
    return first.with_name(draws.choice(_group(first.name)) + draws.choice(("", "", ".db")))


def _place(draws: random.Random, data: bytearray) -> int:
    """Somewhere in a file, mostly where something is."""
    for _ in range(20):
        place = draws.choice((draws.randrange(len(data)), draws.randrange(min(len(data), 1500)), HEADER_BYTES))
        if data[place] or draws.random() < 0.05:
            return place
    return 0


def _number(draws: random.Random) -> Any:
    return draws.choice(NUMBERS[:16])


def _changed(draws: random.Random, content: Any) -> Any:
    """Change some places of nested values."""
    content = copy.deepcopy(content)
    for _ in range(draws.choice((1, 1, 2, 6))):
        parent, key = {"": content}, ""
        while isinstance(parent[key], (dict, list)) and parent[key] and draws.random() < 0.85:
            parent = parent[key]
            key = draws.choice(sorted(parent) if isinstance(parent, dict) else range(len(parent)))
        if draws.random() < 0.1:
            del parent[key]
        elif draws.random() < 0.1 and isinstance(parent[key], list):
            parent[key] = parent[key] * draws.choice((2, 1000))
        else:
            parent[key] = draws.choice(VALUES)
        if "" in parent:
            content = parent[""]
    return content


def _header(data: bytes | bytearray) -> Any:
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])


def _rewrite_header(draws: random.Random, first: Path, change: Callable[[Any], Any]) -> None:
    path = first.with_name(draws.choice(_group(first.name)))
    data = path.read_bytes()
    text = json.dumps(change(_header(data)), separators=(",", ":")).encode()
    length = (
        len(text) if draws.random() < 0.95 else draws.choice((0, 7, len(text) - 1, len(text) + 1, 1 << 27, 1 << 60))
    )
    path.write_bytes(length.to_bytes(8, "little") + text + data[8 + len(text) :])


@contextlib.contextmanager
def _database(first: Path) -> Any:
    with contextlib.closing(sqlite3.connect(first.with_name(f"{first.name}.db"), isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        steps = iter(range(1000))
        connection.set_progress_handler(lambda: next(steps, None) is None, 1000)  # it may be damaged already
        yield connection


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir="/dev/shm") as shared:
        started = time.monotonic()
        count, wrong = hostile_files(int(sys.argv[2]), int(sys.argv[1]), Path(shared) / "files")
    print(*wrong, f"{count} files in {time.monotonic() - started:.0f} s, {len(wrong)} faults", sep="\n")
