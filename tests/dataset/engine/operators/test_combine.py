"""zip, concat, flat_map. Judge: what MindSpore 2.10 answered."""

import msbridge.dataset as ds
from tests.dataset.pipelines import column, counting, rows


def test_zip_ends_with_the_shortest() -> None:
    data = ds.zip((counting(3).project(["a"]), counting(2).project(["b"])))
    assert (data.get_dataset_size(), data.get_col_names()) == (2, ["a", "b"])
    assert rows(data) == [{"a": 0, "b": 0.0}, {"a": 1, "b": 1.5}]
    assert counting(2).zip(counting(3).rename(["a", "b"], ["c", "d"])).get_col_names() == ["a", "b", "c", "d"]


def test_zip_of_batches_and_rows() -> None:
    data = ds.zip((counting(6).project("a").batch(2), counting(6).project("b").map(lambda b: b, "b")))
    assert rows(data)[2] == {"a": [4, 5], "b": 3.0}


def test_concat_puts_rows_behind_each_other() -> None:
    assert column(counting(2) + counting(3)) == [0, 1, 0, 1, 2]
    assert column(counting(2).concat([counting(1), counting(1)])) == [0, 1, 0, 0]
    assert (counting(2) + counting(3)).get_dataset_size() == 5
    assert column((counting(2) + counting(3)).batch(3)) == [[0, 1, 0], [1, 2]]


def test_flat_map() -> None:
    data = ds.NumpySlicesDataset([2, 3], shuffle=False)
    flat = data.flat_map(lambda count: ds.NumpySlicesDataset(list(range(int(count))), ["n"], shuffle=False))
    assert column(flat, "n") == [0, 1, 0, 1, 2]
    assert flat.get_col_names() == ["n"]
