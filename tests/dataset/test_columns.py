"""project, rename, filter, zip, concat, apply, flat_map. Judge: what MindSpore 2.10 answered."""

import pytest
from pipelines import column, counting, rows

import msbridge.dataset as ds


def test_project_and_rename() -> None:
    assert counting().rename(["a"], ["x"]).project(["x"]).get_col_names() == ["x"]
    assert counting().project(["b", "a"]).get_col_names() == ["b", "a"]
    assert rows(counting(1).rename("a", "x").project("x")) == [{"x": 0}]


def test_filter_keeps_what_is_true() -> None:
    assert column(counting().filter(lambda a: a % 2 == 0, ["a"])) == [0, 2, 4]
    assert rows(counting(3).filter(lambda a, b: bool(a > 0))) == [{"a": 1, "b": 1.5}, {"a": 2, "b": 3.0}]
    assert column(counting(3).filter(lambda a: int(a) % 2, "a")) == [1]
    assert counting(3).filter(lambda a: a % 2 == 0, ["a"]).get_dataset_size() == 2


def test_filter_between_maps() -> None:
    data = counting(200).map(lambda a: a + 1, "a").filter(lambda a: a % 3 == 0, "a").map(lambda a: -a, "a").batch(10)
    assert [value for part in column(data) for value in part] == [-value for value in range(3, 201, 3)]


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


def test_apply() -> None:
    assert counting(3).apply(lambda data: data.batch(2)).get_dataset_size() == 2


def test_flat_map() -> None:
    data = ds.NumpySlicesDataset([2, 3], shuffle=False)
    flat = data.flat_map(lambda count: ds.NumpySlicesDataset(list(range(int(count))), ["n"], shuffle=False))
    assert column(flat, "n") == [0, 1, 0, 1, 2]
    assert flat.get_col_names() == ["n"]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: counting().project(["q"]), "'q' does not exist"),
        (lambda: counting().rename(["q"], ["x"]), "'q' does not exist"),
        (lambda: counting().rename(["a"], ["b"]), "'b' already exists"),
        (lambda: counting().filter(lambda a: True, ["q"]), "'q' does not exist"),
        (lambda: counting().concat(counting().rename("a", "z")), "column names and their order must be the same"),
        (lambda: ds.zip((counting(), counting())), "'a' occurs in more than one dataset"),
    ],
)
def test_a_pipeline_that_is_not_sound_raises_when_iterated(make: object, says: str) -> None:
    data = make()
    with pytest.raises(RuntimeError, match=says):
        data.create_tuple_iterator()


def test_a_failing_predicate_raises_on_reading() -> None:
    with pytest.raises(RuntimeError, match="the predicate of filter"):
        column(counting().filter(lambda a: 1 // 0, ["a"]))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: counting().project(["a", "a"]), ValueError),
        (lambda: counting().rename(["a"], ["x", "y"]), ValueError),
        (lambda: counting().concat(5), TypeError),
        (lambda: counting().filter(3), TypeError),
        (lambda: ds.zip(counting()), TypeError),
        (lambda: ds.zip((counting(),)), ValueError),
        (lambda: ds.zip((counting(), 3)), TypeError),
        (lambda: counting().apply(5), TypeError),
        (lambda: counting().apply(lambda data: 5), TypeError),
    ],
)
def test_wrong_arguments_raise_at_once(make: object, kind: type) -> None:
    with pytest.raises(kind):
        make()
