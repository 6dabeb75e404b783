"""Dataset.save writes MindRecord files. Judge: the schemas that MindSpore 2.10 writes."""

from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset.mindrecord import FileReader
from tests.dataset.pipelines import column, counting


@pytest.mark.parametrize(
    ("dtype", "stored"),
    [
        *(("bool", "int32"), ("int8", "int32"), ("uint16", "int32"), ("int32", "int32"), ("uint32", "int64")),
        *(("uint64", "int64"), ("float16", "float32"), ("float32", "float32"), ("float64", "float64")),
    ],
)
def test_dtypes_and_shapes(folder: Path, dtype: str, stored: str) -> None:
    ds.NumpySlicesDataset({"one": [np.ones((), dtype)], "more": [np.ones((2, 3), dtype)]}, shuffle=False).save("file")
    assert FileReader("file").schema() == {"one": {"type": stored}, "more": {"type": stored, "shape": [-1, 3]}}
    row = next(ds.MindDataset("file").create_dict_iterator(1, True))
    assert (row["more"].dtype, row["more"].shape, row["one"].tolist()) == (np.dtype(stored), (2, 3), 1)


def test_strings_bytes_and_rows_of_several_lengths(folder: Path) -> None:
    rows = [("x", b"p", np.arange(2)), ("yy", b"q", np.arange(3))]
    ds.GeneratorDataset(rows, ["text", "raw", "ids"], shuffle=False).save("file")
    data = ds.MindDataset("file", shuffle=False)
    assert column(data, "text") == ["x", "yy"]
    assert column(data, "ids") == [[0, 1], [0, 1, 2]]
    assert FileReader("file").schema()["raw"] == {"type": "bytes"}


def test_several_files(folder: Path) -> None:
    counting(5).save("part", 2)
    assert sorted(path.name for path in folder.iterdir()) == ["part0", "part0.db", "part1", "part1.db"]
    assert sorted(column(ds.MindDataset("part0"))) == [0, 1, 2, 3, 4]


def test_files_that_exist_stay(folder: Path) -> None:
    counting(2).save("file")
    with pytest.raises(RuntimeError, match="exist"):
        counting(3).save("file")
    assert len(column(ds.MindDataset("file"))) == 2


def test_what_cannot_be_stored(folder: Path) -> None:
    with pytest.raises(RuntimeError, match="no rows"):
        counting(2).skip(2).save("file")
    with pytest.raises(RuntimeError, match="dict"):
        counting(2).map(lambda a: {"k": a}, "a").save("file")
    with pytest.raises(UserWarning, match="every repetition"):
        counting(2).repeat(2).save("file")


@pytest.mark.parametrize("rows", [[np.zeros((2, 3)), np.zeros((2, 4))], [np.zeros(2), np.array(1.0)]])
def test_rows_that_would_be_read_back_in_another_shape_are_refused(folder: Path, rows: list) -> None:
    with pytest.raises(RuntimeError, match="only the first axis may differ"):
        ds.GeneratorDataset([(row,) for row in rows], ["x"], shuffle=False).save(str(folder / "x.mindrecord"))
    assert not list(folder.glob("x.mindrecord*"))
