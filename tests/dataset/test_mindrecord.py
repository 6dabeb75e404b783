"""MindRecord files: ours against those that MindSpore 2.10 wrote, and its answers."""

import copy
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mindrecord_cases import ALL_TYPES, ASKED, CHANGED, NUMBERED, WRITTEN, Rows, names, numbered, outcome, stored, write

import msbridge.dataset as ds
from msbridge.dataset.mindrecord import FileReader, FileWriter, MindPage
from msbridge.dataset.mindrecord.errors import MindRecordException
from msbridge.dataset.mindrecord.integers import compress, expand
from msbridge.dataset.mindrecord.packing import pack, unpack

RECORDED = zipfile.ZipFile(io.BytesIO(Path(__file__).with_name("mindrecord.zip").read_bytes()))
ANSWERS = json.loads(RECORDED.read("answers.json"))
ONE_FILE = [name for name, case in WRITTEN.items() if case.shards == 1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def recorded(folder: Path) -> Path:
    """A folder with the files that MindSpore wrote."""
    RECORDED.extractall(folder, [name for name in RECORDED.namelist() if name != "answers.json"])
    return folder


def same(found: Rows, expected: Rows) -> bool:
    return len(found) == len(expected) and all(
        np.array_equal(row[name], wanted[name], equal_nan=isinstance(row[name], float))
        for row, wanted in zip(found, expected, strict=True)
        for name in wanted
    )


def index(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"{path}.db")
    try:
        return [
            *connection.execute("SELECT * FROM INDEXES ORDER BY ROW_ID"),
            *connection.execute("SELECT * FROM SHARD_NAME"),
        ]
    finally:
        connection.close()


def write_small(name: str = "small", rows: int = 5, **options: Any) -> Path:
    writer = FileWriter(name, **options)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(NUMBERED, "small")
    writer.write_raw_data(numbered(0, rows))
    writer.commit()
    return Path(name)


def numbers(*arguments: Any, **options: Any) -> list[int]:
    data = ds.MindDataset(*arguments, **options)
    return [int(row["number"]) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("name", ONE_FILE)
def test_files_equal_mindspores_byte_for_byte(folder: Path, name: str) -> None:
    write(FileWriter, name, WRITTEN[name])
    assert (folder / name).read_bytes() == RECORDED.read(name)


@pytest.mark.parametrize("name", ONE_FILE)
def test_indices_equal_mindspores(folder: Path, name: str) -> None:
    write(FileWriter, name, WRITTEN[name])
    (folder / "recorded.db").write_bytes(RECORDED.read(f"{name}.db"))
    assert index(folder / name) == index(folder / "recorded")


@pytest.mark.parametrize("name", WRITTEN)
def test_mindspores_files_are_read(recorded: Path, name: str) -> None:
    case = WRITTEN[name]
    reader = FileReader(name if case.shards == 1 else f"{name}0")
    assert reader.schema() == case.schema
    assert reader.len() == len(case.rows)
    assert same(list(reader.get_next()), case.rows)


@pytest.mark.parametrize("expression", ASKED)
def test_answers_are_mindspores(recorded: Path, expression: str) -> None:
    wanted = ANSWERS["asked"][expression]
    found = outcome(expression, names(FileWriter, FileReader, MindPage, ds))
    assert found == wanted or wanted is None


@pytest.mark.parametrize("name", CHANGED)
def test_a_row_that_does_not_fit_is_left_out(folder: Path, name: str) -> None:
    wanted = ANSWERS["stored"][name]
    if len(wanted) == 3:
        assert stored(FileWriter, FileReader, name, CHANGED[name]) == wanted
    else:
        with pytest.warns(UserWarning, match="1 of 3 rows do not fit the schema and are left out: row 1: field"):
            assert stored(FileWriter, FileReader, name, CHANGED[name]) == wanted


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


@pytest.mark.parametrize("mode", [None, True, ds.Shuffle.GLOBAL, ds.Shuffle.ADAPTIVE, ds.Shuffle.PARTIAL])
def test_all_rows_are_shuffled(recorded: Path, mode: Any) -> None:
    data = ds.MindDataset("shards0", shuffle=mode)
    iterator = data.create_dict_iterator(output_numpy=True)
    epochs = [[int(row["number"]) for row in iterator] for _ in range(3)]
    assert all(sorted(epoch) == list(range(12)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) > 1
    assert data.is_shuffled()


@pytest.mark.parametrize("mode", [ds.Shuffle.FILES, ds.Shuffle.INFILE])
def test_files_are_shuffled(folder: Path, mode: ds.Shuffle) -> None:
    write(FileWriter, "many", WRITTEN["shards"])
    data = ds.MindDataset("many0", shuffle=mode)
    iterator = data.create_dict_iterator(output_numpy=True)
    epochs = [np.array([int(row["number"]) for row in iterator]).reshape(3, 4) for _ in range(6)]
    for epoch in epochs:
        in_order = np.sort(epoch, axis=0) if mode == ds.Shuffle.FILES else np.sort(epoch, axis=1)
        np.testing.assert_array_equal(in_order, np.arange(12).reshape(3, 4))
    assert len({tuple(epoch.flat) for epoch in epochs}) > 1
    assert data.is_shuffled()


def test_shuffled_shards_divide_the_rows(recorded: Path) -> None:
    for mode in (ds.Shuffle.FILES, ds.Shuffle.INFILE, ds.Shuffle.GLOBAL):
        parts = [numbers("shards0", shuffle=mode, num_shards=3, shard_id=shard) for shard in range(3)]
        assert sorted(number for part in parts for number in part) == list(range(12))


def test_some_rows_of_each_class(recorded: Path) -> None:
    found = numbers("indexed", sampler=ds.PKSampler(2, class_column="text"))
    assert sorted(number % 3 for number in found) == [0, 0, 1, 1, 2, 2]


def test_a_padded_row_has_all_columns(recorded: Path) -> None:
    sample = {"data": b"pad", "text": "none", "number": -1}
    data = ds.MindDataset("indexed", ["text", "data"], shuffle=False, padded_sample=sample, num_padded=1)
    last = list(data.create_dict_iterator(output_numpy=True, num_epochs=1))[-1]
    assert last["text"] == "none"
    assert last["data"].tobytes() == b"pad"


@pytest.mark.parametrize("mode", [False, ds.Shuffle.FILES])
def test_a_pipeline_may_be_copied(recorded: Path, mode: Any) -> None:
    data = ds.MindDataset("indexed", shuffle=mode)
    assert sum(1 for _ in data.create_tuple_iterator(num_epochs=1)) == 7
    copied = copy.deepcopy(data)
    assert [int(row["number"]) for row in copied.create_dict_iterator(num_epochs=1, output_numpy=True)] == list(
        range(7)
    )


def test_the_old_argument_name(recorded: Path) -> None:
    assert numbers(dataset_file="indexed", shuffle=False) == list(range(7))


@pytest.fixture
def first_release() -> Iterator[None]:
    from msbridge.core import release

    release.set_release("1.1")
    yield
    release.set_release(None)


@pytest.mark.usefixtures("first_release")
def test_scripts_of_r1_get_bytes_as_numbers(recorded: Path) -> None:
    row = next(ds.MindDataset("indexed", shuffle=False).create_dict_iterator(output_numpy=True))
    np.testing.assert_array_equal(row["data"], np.frombuffer(numbered(0, 1)[0]["data"], np.uint8))


def test_images_are_decoded(folder: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    writer = FileWriter("images")
    writer.add_schema({"image": {"type": "bytes"}, "label": {"type": "int32"}})
    writer.write_raw_data([{"image": cv2.imencode(".png", image)[1].tobytes(), "label": 1}])
    writer.commit()
    data = ds.MindDataset("images").map(ds.vision.Decode(), "image")
    np.testing.assert_array_equal(next(data.create_tuple_iterator(output_numpy=True))[0], image[..., ::-1])


def test_a_row_may_be_changed_by_its_user(recorded: Path) -> None:
    data = ds.MindDataset("all_types", shuffle=False)
    for epoch in range(2):
        row = next(data.create_dict_iterator(output_numpy=True))
        np.testing.assert_array_equal(row["mask"], np.zeros((2, 2)), err_msg=f"epoch {epoch}")
        row["mask"][:] = 1


def test_a_batch_of_all_types(recorded: Path) -> None:
    columns = ["label", "mask", "name", "image"]
    batch = next(ds.MindDataset("all_types", columns, shuffle=False).batch(6).create_dict_iterator(output_numpy=True))
    expected = WRITTEN["all_types"].rows
    np.testing.assert_array_equal(batch["label"], np.array([row["label"] for row in expected], np.int32))
    np.testing.assert_array_equal(batch["mask"], np.stack([row["mask"] for row in expected]))
    assert batch["name"].shape == (6,)
    assert batch["image"].shape == (6, 1)


def test_training_on_a_file(folder: Path) -> None:
    from msbridge import Model, nn

    random = np.random.RandomState(0)
    features = random.randn(64, 3).astype(np.float32)
    writer = FileWriter("train", 2)
    writer.add_schema({"x": {"type": "float32", "shape": [3]}, "y": {"type": "float32", "shape": [-1]}})
    writer.write_raw_data([{"x": row, "y": row.sum(keepdims=True)} for row in features])
    writer.commit()
    data = ds.MindDataset("train0", ["x", "y"], shuffle=False).batch(8)
    network = nn.Dense(3, 1, weight_init="zeros")
    Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)).train(20, data, dataset_sink_mode=False)
    np.testing.assert_allclose(network.weight.asnumpy(), np.ones((1, 3)), atol=0.01)


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
    writer._shards[0].file.flush()
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


def test_signs_in_a_folders_name(folder: Path) -> None:
    (folder / "50%41 #x?").mkdir()
    assert numbers(str(write_small(str(folder / "50%41 #x?" / "small"))), shuffle=False) == [0, 1, 2, 3, 4]


def test_a_path_is_mapped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSBRIDGE_PATHS", f"/no/such/data={folder}")
    write_small("/no/such/data/small", 3)
    assert numbers("/no/such/data/small", shuffle=False) == [0, 1, 2]


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


def test_a_missing_file_of_several_is_named(recorded: Path) -> None:
    (recorded / "shards1").unlink()
    with pytest.raises(RuntimeError, match="shards1 can not be found; it was written together with 2 others"):
        FileReader("shards0")


def test_an_integer_out_of_range_is_found_when_it_is_read(folder: Path) -> None:
    writer = FileWriter("wide")
    writer.add_schema({"number": {"type": "int32"}})
    writer.write_raw_data([{"number": 1 << 40}])
    writer.commit()
    assert next(FileReader("wide").get_next()) == {"number": 1 << 40}
    with pytest.raises(RuntimeError, match="column value of 'number' is out of range of int32"):
        numbers("wide")


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integer_arrays_come_back(dtype: type) -> None:
    random = np.random.RandomState(0)
    for count in (0, 1, 3, 4, 5, 200):
        for bits in range(0, np.iinfo(dtype).bits, 8):
            values = random.randint(np.iinfo(dtype).min, np.iinfo(dtype).max, count, dtype) >> random.randint(
                0, bits + 1
            )
            np.testing.assert_array_equal(expand(compress(values), np.dtype(dtype)), values)


@pytest.mark.parametrize(
    "data", [b"", b"\0\0\0", b"\0\0\0\1", b"\0\0\0\1\x40\1", b"\xff\xff\xff\xff\0", b"\0\0\0\1\0\1\1"]
)
def test_a_damaged_integer_array_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="integers"):
        expand(data, np.dtype(np.int32))


@pytest.mark.parametrize(
    "data", [b"", b"\x81", b"\x81\xa1", b"\x81\xa1a", b"\x81\xa1a\xda\xff", b"\x81\x01\x01", b"\x80\x80"]
)
def test_a_damaged_map_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"map|string|name"):
        unpack(data)


def test_maps_come_back() -> None:
    for value in (
        0,
        127,
        128,
        -32,
        -33,
        1 << 16,
        -(1 << 31),
        (1 << 63) - 1,
        -(1 << 63),
        0.5,
        0.1,
        1e300,
        "",
        "é" * 40000,
    ):
        assert unpack(pack({"value": value})) == {"value": value}
    many = {f"f{number}": number for number in range(70)}
    assert unpack(pack(many)) == many


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
