"""TFRecordToMR. Judge: MindSpore 2.10's documentation of it; the real one needs TensorFlow."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from msbridge.dataset.mindrecord import SUCCESS, TFRecordToMR
from tests.dataset.record_files import stored_rows
from tests.dataset.tfrecords import tfrecord


def feature(shape: list[int], dtype: Any, **more: Any) -> Any:
    return SimpleNamespace(shape=shape, dtype=dtype, **more)


FEATURES = {
    "image/bytes": feature([], SimpleNamespace(name="string")),
    "name": feature([], "string"),
    "label": feature([], "int64"),
    "weight": feature([], "float32"),
    "ids": feature([3], "int64"),
    "points": feature([2], "float32"),
    "flag": feature([], "bool", default_value=True),
}
ROW = {"image/bytes": b"\xff\0", "name": "é", "label": -7, "weight": 0.5, "ids": [1, 2, 300], "points": [0.25, 4.0]}


@pytest.fixture
def source(folder: Path) -> str:
    (folder / "x.tf").write_bytes(tfrecord([ROW, ROW | {"label": 8, "flag": 0}]))
    return "x.tf"


def test_features_become_fields(source: str) -> None:
    made = TFRecordToMR(source, "x.mr", FEATURES, ["image/bytes"])
    assert made.mindrecord_schema["image_bytes"] == {"type": "bytes"}
    assert made.mindrecord_schema["ids"] == {"type": "int64", "shape": [3]}
    assert made.transform() is SUCCESS
    first, second = stored_rows("x.mr")
    np.testing.assert_array_equal(first.pop("ids"), [1, 2, 300])
    np.testing.assert_array_equal(first.pop("points"), np.float32([0.25, 4]))
    assert first == {"image_bytes": b"\xff\0", "name": "é", "label": -7, "weight": 0.5, "flag": 1}
    assert (second["label"], second["flag"]) == (8, 0)


@pytest.mark.parametrize(
    "features",
    [
        {"label": feature([2], "int64")},
        {"name": feature([], "int64")},
        {"label": feature([], "string")},
        {"unknown": feature([], "int64")},
    ],
)
def test_what_does_not_fit_names_the_file(source: str, features: Any) -> None:
    with pytest.raises(ValueError, match=r"feature_dict parameter error: x\.tf"):
        TFRecordToMR(source, "x.mr", features).transform()


@pytest.mark.parametrize(
    "arguments",
    [
        (3, "d", {}), ("s", 3, {}), ("s", "d", None), ("s", "d", {"a": 3}), ("s", "d", {"a": feature([], "complex64")}),
        ("s", "d", {"a": feature([0], "int64")}), ("s", "d", {"a": feature([1, 2], "int64")}),
        ("s", "d", {"a": feature([2], "string")}), ("s", "d", {"a": feature([], "int64")}, ["a"]),
        ("s", "d", {"a": feature([], "string")}, "a"), ("s", "d", {"a": feature([], "string")}, ["b"]),
    ],
)  # fmt: skip
def test_arguments_that_are_refused(arguments: Any) -> None:
    with pytest.raises(ValueError, match=r"feature_dict|bytes_fields|source|destination"):
        TFRecordToMR(*arguments)


def test_what_is_no_tfrecord_file(folder: Path) -> None:
    (folder / "x.tf").write_bytes(b"nothing at all, but long enough")
    with pytest.raises(RuntimeError, match=r"x\.tf is not a TFRecord file"):
        TFRecordToMR("x.tf", "x.mr", {"a": feature([], "int64")}).transform()
