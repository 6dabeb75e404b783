"""Dicts in rows: any Python objects, as MindSpore 2.10 hands them on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msbridge as ms
import msbridge.dataset as ds


def column(rows: list[Any], form: Callable[[Any], Any] = lambda data: data, output_numpy: bool = True) -> Any:
    """Return the first value that is read."""
    data = form(ds.GeneratorDataset([(row,) for row in rows], ["d"], shuffle=False))
    return next(data.create_dict_iterator(num_epochs=1, output_numpy=output_numpy))["d"]


def test_numbers_and_strings_are_arrays_and_the_rest_is_as_it_was():
    thing = object()
    tensor = ms.Tensor([1.0])
    row = {"none": None, "int": 3, "bool": True, "str": "x", "bytes": b"q", "thing": thing, "tensor": tensor, 1: 1j}
    found = column([row | {"list": [1, "a", None], "inner": {"pair": (1, 2.0)}, "half": np.float16(2)}])
    assert found["none"] is None
    assert found["thing"] is thing
    assert found["tensor"] is tensor
    assert (found["bytes"], found[1]) == (b"q", 1j)
    for key, dtype in (("int", np.int64), ("bool", np.bool_), ("str", "<U1"), ("half", np.float16)):
        assert (found[key].dtype, found[key].shape) == (np.dtype(dtype), ())
    assert [type(item) for item in found["list"]] == [np.ndarray, np.ndarray, type(None)]
    assert [item.dtype for item in found["inner"]["pair"]] == [np.int64, np.float64]


def test_arrays_in_dicts_are_tensors_unless_arrays_are_asked_for():
    found = column([{"a": np.arange(2), "b": [1], "c": "x", "d": None}], output_numpy=False)
    assert isinstance(found["a"], ms.Tensor)
    assert isinstance(found["b"][0], ms.Tensor)
    assert isinstance(found["c"], np.ndarray)
    assert found["d"] is None


def test_functions_get_the_objects_themselves():
    found = column([{"a": 1, "n": None}], lambda data: data.map(lambda row: {"kinds": [type(row["a"]).__name__]}))
    assert found["kinds"][0] == "int"
    rows = [{"a": 1}]
    column(rows, lambda data: data.map(lambda row: row.update(b=2) or row))
    assert rows == [{"a": 1}]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ((1, 1.5), np.array([1.0, 1.5])),
        ((b"x", b"yy"), np.array([b"x", b"yy"])),
        (([1, 2], [3, 4]), np.array([[1, 2], [3, 4]])),
        ((ms.Tensor([1.0]), ms.Tensor([2.0])), np.array([[1], [2]], np.float32)),
    ],
)
def test_batches_stack_them_key_by_key(values, wanted):
    found = column([{"a": value} for value in values], lambda data: data.batch(2))["a"]
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"a": None}] * 2, "failed to create a NumPy array of what column 'd' holds at 'a'"),
        ([{"a": [1]}, {"a": [1, 2]}], "failed to create a NumPy array"),
        ([{"a": {"b": 1}}] * 2, "failed to create a NumPy array"),
        ([{"a": 1}, {"b": 1}], "dicts with different keys in column 'd'"),
    ],
)
def test_what_cannot_be_stacked_is_refused(rows, words):
    with pytest.raises(RuntimeError, match=words):
        column(rows, lambda data: data.batch(2))


def test_per_batch_map_combines_dicts_as_it_likes():
    rows = [{"a": 1, "n": None}, {"a": 2, "n": None}]
    found = column(rows, lambda data: data.batch(2, per_batch_map=lambda taken, info: (taken,)))
    assert (found["n"], [item.tolist() for item in found["a"]]) == ([None, None], [1, 2])
    found = column(rows, lambda data: data.batch(2, per_batch_map=lambda taken, info: ({"size": len(taken)},)))
    assert found["size"] == 2


def test_shape_and_type_of_a_column_of_dicts():
    data = ds.GeneratorDataset([({"a": 1},)], ["d"])
    assert (data.output_shapes(), data.output_types()) == ([[0]], [np.dtype(object)])


def test_what_per_batch_map_returns_must_form_arrays():
    with pytest.raises(RuntimeError, match=r"(?s)In what per_batch_map returned\..*\nTypeError: "):
        column([1, 2], lambda data: data.batch(2, per_batch_map=lambda taken, info: ([None, None],)))


def test_the_error_of_a_function_is_told_once_with_the_frames_of_the_user() -> None:
    def broken(x):
        raise ValueError("broken row")

    data = ds.NumpySlicesDataset([1, 2], ["x"]).map(broken, ["x"])
    with pytest.raises(RuntimeError, match="In map operation broken") as caught:
        list(data.create_tuple_iterator())
    text = str(caught.value)
    assert text.count("ValueError: broken row") == 1
    assert text.count("File ") == 1
