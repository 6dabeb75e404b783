"""take, skip, filter, project, rename. Judge: what MindSpore 2.10 answered."""

import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import column, counting, rows


def test_take_and_skip() -> None:
    assert column(counting().take(2)) == [0, 1]
    assert column(counting().skip(2)) == [2, 3, 4]
    assert column(counting().skip(1).take(2)) == [1, 2]
    assert column(counting().batch(2).take(1)) == [[0, 1]]
    assert [counting().take(-1).get_dataset_size(), counting().take(100).get_dataset_size()] == [5, 5]
    assert (counting(2).skip(5).get_dataset_size(), column(counting(2).skip(5))) == (0, [])


def test_take_reads_little_more_than_it_needs() -> None:
    seen: list[int] = []
    data = ds.GeneratorDataset(lambda: (seen.append(value) or (value,) for value in range(10**9)), ["x"])
    assert column(data.take(3), "x") == [0, 1, 2]
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda data: data.take(0), ValueError),
        (lambda data: data.take(-2), ValueError),
        (lambda data: data.take("a"), TypeError),
        (lambda data: data.skip(-1), ValueError),
        (lambda data: data.skip("a"), TypeError),
    ],
)
def test_wrong_counts_raise(make: object, kind: type) -> None:
    with pytest.raises(kind, match="count"):
        make(counting())


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


def test_a_failing_predicate_raises_on_reading() -> None:
    with pytest.raises(RuntimeError, match="the predicate of filter"):
        column(counting().filter(lambda a: 1 // 0, ["a"]))
