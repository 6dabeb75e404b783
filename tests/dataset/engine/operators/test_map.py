"""map: columns, order, Python functions, errors. Judge: what MindSpore 2.10 answered."""

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.types.dtype import float32, int32
from msbridge.dataset import transforms, vision
from tests.dataset.pipelines import column, counting, rows


def test_results_take_the_place_of_as_many_inputs() -> None:
    data = ds.NumpySlicesDataset(([1], [2], [3]), ["a", "b", "c"], shuffle=False)
    swapped = data.map(lambda x, y: (x, y), ["c", "a"], ["x", "y"])
    assert swapped.get_col_names() == ["y", "b", "x"]
    assert rows(swapped) == [{"y": 1, "b": 2, "x": 3}]


def test_more_outputs_than_inputs_come_first() -> None:
    data = counting(1).map(lambda x: (x, x + 1), ["a"], ["a", "c"])
    assert data.get_col_names() == ["a", "c", "b"]
    assert rows(data) == [{"a": 0, "c": 1, "b": 0.0}]


def test_fewer_outputs_than_inputs_consume_them() -> None:
    assert rows(counting(2).map(lambda x, y: x + y, ["a", "b"], ["s"])) == [{"s": 0.0}, {"s": 2.5}]


def test_an_output_replaces_a_column_of_its_name() -> None:
    assert rows(counting(1).map(lambda a: a, ["a"], ["b"])) == [{"b": 0}]


def test_without_input_columns_the_first_is_taken() -> None:
    assert rows(counting(2).map(lambda x: x + 10)) == [{"a": 10, "b": 0.0}, {"a": 11, "b": 1.5}]


def test_operations_run_in_order() -> None:
    assert column(counting(2).map([lambda x: x + 1, lambda x: x * 10], "a")) == [10, 20]


def test_functions_and_transforms_mix() -> None:
    operations = [transforms.TypeCast(float32), lambda x: x + np.float32(0.5), transforms.TypeCast(int32)]
    assert column(counting(2).map(operations, "a")) == [0, 1]


def test_compose_is_its_parts() -> None:
    composed = transforms.Compose([lambda x: x + 1, transforms.Compose([lambda x: x * 2])])
    assert column(counting(2).map(composed, "a")) == [2, 4]


def test_old_releases_give_the_column_order_as_fourth_argument() -> None:
    assert counting(1).map(lambda x: x, ["a"], ["a"], ["b", "a"], 2).get_col_names() == ["b", "a"]
    assert counting(1).map(lambda x: x, "a", column_order=["b"]).get_col_names() == ["b"]


def test_the_oldest_releases_give_the_columns_first() -> None:
    assert column(counting(2).map("a", lambda x: x + 1)) == [1, 2]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1, "int64"), (2.5, "float64"), ([1, 2], "int64"), ("s", "<U1"), (True, "bool"), (np.float32(2), "float32")],
)
def test_results_become_arrays(value: object, dtype: str) -> None:
    found = next(counting(1).map(lambda a: value, "a").create_tuple_iterator(output_numpy=True))[0]
    assert str(found.dtype) == dtype


def test_a_function_may_return_a_dict() -> None:
    found = next(counting(1).map(lambda a: {"q": 1}, "a").create_tuple_iterator(output_numpy=True))[0]
    assert found == {"q": np.array(1)}


def test_a_result_is_copied() -> None:
    shared = np.zeros(2)

    def reuse(value: np.ndarray) -> np.ndarray:
        shared[:] = value
        return shared

    assert column(counting(3).map(reuse, "a")) == [[0, 0], [1, 1], [2, 2]]


def test_a_function_may_change_its_argument() -> None:
    data = ds.NumpySlicesDataset({"a": [[1, 2]]}, shuffle=False)

    def clear(value: np.ndarray) -> np.ndarray:
        value[:] = 0
        return value

    changed = data.map(clear, "a")
    assert column(changed) == [[0, 0]]
    assert column(data) == [[1, 2]]


def test_functions_see_rows_in_order_once_each() -> None:
    seen: list[int] = []
    data = counting(70).map(lambda a: seen.append(int(a)) or a, "a").batch(8)
    assert sum(len(part) for part in column(data)) == 70
    assert seen == list(range(70))


def test_an_error_in_a_function_carries_its_traceback() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)user defined Python function.*Call Stack.*in _divide_it") as caught:
        column(counting(2).map(_divide_it, "a"))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def _divide_it(value: np.ndarray) -> float:
    return 1 // 0


def test_rows_before_a_failing_one_are_delivered() -> None:
    iterator = counting(9).map(lambda a: 1 // (5 - int(a)), "a").create_tuple_iterator(output_numpy=True)
    assert [int(next(iterator)[0]) for _ in range(5)] == [0, 0, 0, 0, 1]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        next(iterator)


@pytest.mark.parametrize(
    ("operation", "inputs", "outputs", "says"),
    [
        (lambda x: x, ["zz"], None, "'zz' does not exist; the columns are"),
        (lambda x, y: x + y, ["a", "b"], None, "number of columns returned in 'map' operations: 1"),
        (lambda x: (x, x), ["a"], None, "number of columns returned in 'map' operations: 2"),
        (lambda x: x, ["a"], ["x", "y"], "the number of 'output_columns': 2"),
        (lambda x: None, ["a"], None, "user defined Python function"),
        (lambda x, y: (x, y), None, None, "user defined Python function"),
        (transforms.TypeCast(int32), ["a", "b"], None, "takes one column"),
        (vision.HWC2CHW(), ["a"], None, r"map operation: \[HWC2CHW\] failed.*rank: 0"),
    ],
)
def test_a_wrong_use_raises_on_reading(operation: object, inputs: list[str], outputs: list[str], says: str) -> None:
    with pytest.raises(RuntimeError, match=says):
        column(counting(2).map(operation, inputs, outputs))


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"operations": 5}, ValueError),
        ({"operations": []}, RuntimeError),
        ({"operations": abs, "input_columns": 5}, TypeError),
        ({"operations": abs, "input_columns": ["a", "a"]}, ValueError),
        ({"operations": abs, "num_parallel_workers": 0}, ValueError),
        ({"operations": abs, "callbacks": [object()]}, TypeError),
        ({"operations": abs, "cache": object()}, TypeError),
        ({"operations": abs, "offload": "x"}, TypeError),
    ],
)
def test_wrong_arguments_raise_at_once(arguments: dict, kind: type) -> None:
    with pytest.raises(kind):
        counting().map(**arguments)


def test_more_workers_than_cores_are_accepted() -> None:
    assert column(counting(2).map(lambda x: x, "a", num_parallel_workers=64)) == [0, 1]


def test_multi_column_transforms() -> None:
    pair = ds.NumpySlicesDataset({"a": [[1]], "b": [[2]]}, shuffle=False)
    assert rows(pair.map(transforms.Concatenate(), ["a", "b"], ["c"])) == [{"c": [1, 2]}]
    assert rows(counting(1).map(transforms.Duplicate(), ["a"], ["a", "c"])) == [{"a": 0, "c": 0, "b": 0.0}]


def test_a_pil_image_at_the_end_becomes_an_array() -> None:
    pytest.importorskip("PIL")
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    data = ds.NumpySlicesDataset([image], shuffle=False).map([vision.ToPIL(), lambda picture: picture])
    np.testing.assert_array_equal(next(data.create_tuple_iterator(output_numpy=True))[0], image)
