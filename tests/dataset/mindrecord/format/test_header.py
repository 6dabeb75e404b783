"""A header that says what cannot be, or takes far more memory than its bytes, is refused."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from msbridge.dataset.mindrecord import FileReader, FileWriter
from tests.dataset.record_files import write_small

LARGEST = 64 * 1024**2


def put(path: Path, text: bytes) -> None:
    data = path.read_bytes()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + len(text) :])


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    data = path.read_bytes()
    content = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    change(content)
    put(path, json.dumps(content).encode())


def page(number: int, **values: Any) -> Callable[[Any], None]:
    return lambda content: content["page"][number].update(values)


def groups(*offsets: Any) -> Callable[[Any], None]:
    return page(1, row_group_ids=[{"id": number, "offset": offset} for number, offset in enumerate(offsets)])


def shape(*sizes: int) -> Callable[[Any], None]:
    return lambda content: content["schema"][0]["schema"].update(data={"type": "int64", "shape": list(sizes)})


HOSTILE: dict[str, Callable[[Any], Any]] = {
    "rows for ever": page(0, end_row_id=1 << 60),
    "fewer than no rows": page(0, end_row_id=-1),
    "rows from the middle": page(0, start_row_id=2),
    "rows of infinity": page(0, end_row_id=float("inf")),
    "rows of nothing": page(0, end_row_id=float("nan")),
    "page before the file": page(0, page_id=-1),
    "page behind the file": page(1, page_id=1 << 40),
    "page of less than nothing": page(1, page_size=-1),
    "group before the page": groups(-1),
    "group behind the page": groups(1 << 40),
    "groups in disorder": groups(20, 0),
    "no groups": groups(),
    "a thousand and one files": lambda content: content.update(shard_addresses=[f"x{i}" for i in range(1001)]),
    "one file twice": lambda content: content.update(shard_addresses=["small", "small"]),
    "a file elsewhere": lambda content: content.update(shard_addresses=[".."]),
    "a name of 300 letters": lambda content: content.update(shard_addresses=["x" * 300]),
    "a name of no letters": lambda content: content.update(shard_addresses=["\ud800"]),
    "an index of bytes": lambda content: content.update(index_fields=[{"index_field": "data"}]),
    "an index twice": lambda content: content.update(index_fields=[{"index_field": "number"}] * 2),
    "a shape of 2 ** 70": shape(1 << 70, -1),
    "a shape of 70 dimensions": shape(*[1] * 70),
    "pages of 10 ** 400": lambda content: content.update(page_size=10**400),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_header_that_cannot_be_is_refused(folder: Path, name: str) -> None:
    path = write_small()
    edit(path, HOSTILE[name])
    for read in (lambda: list(FileReader("small").get_next()), lambda: FileWriter.open_for_append("small")):
        with pytest.raises(RuntimeError, match="Invalid file, small"):
            read()


def test_a_shape_whose_size_has_more_than_64_bits_fits_no_row(folder: Path) -> None:
    edit(write_small(), shape(1 << 32, 1 << 32))
    with pytest.raises(RuntimeError, match="small: row 0 cannot be read"):
        list(FileReader("small").get_next())


BOMBS: dict[str, Callable[[int], str]] = {
    "lists": lambda count: "[" + "[]," * count + "0]",
    "nested lists": lambda count: "[" * count,
    "nested maps": lambda count: '{"a":' * count,
    "numbers": lambda count: "[" + "1e9," * count + "0]",
    "names": lambda count: "{" + ",".join(f'"{number:x}":0' for number in range(count)) + "}",
    "wide letters": lambda count: '"\U0001f600' + "a" * 4 * count + '"',
    "digits": lambda count: "9" * count,
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("count", [30_000, 1_000_000])
def test_a_header_takes_no_more_memory_than_its_file_justifies(folder: Path, name: str, count: int) -> None:
    path = write_small()
    put(path, BOMBS[name](count).encode())
    size = path.stat().st_size
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match=r"small: failed to (parse|read) header"):
            FileReader("small")
        assert tracemalloc.get_traced_memory()[1] < size + LARGEST
    finally:
        tracemalloc.stop()


def test_many_pages_are_read(folder: Path) -> None:
    writer = FileWriter("many")
    writer.set_header_size(1 << 20)
    writer.set_page_size(1 << 15)
    writer.add_schema({"number": {"type": "int32"}, "data": {"type": "bytes"}})
    writer.write_raw_data([{"number": number, "data": b"x" * 32_000} for number in range(1500)])
    writer.commit()
    assert [row["number"] for row in FileReader("many").get_next()] == list(range(1500))


def test_an_error_shows_the_beginning_of_a_long_value(folder: Path) -> None:
    path = write_small()
    edit(path, lambda content: content.update(version="9" * 100_000))
    with pytest.raises(RuntimeError, match=r"its version is '9{100,600} …") as found:
        FileReader("small")
    assert len(str(found.value)) < 1000
