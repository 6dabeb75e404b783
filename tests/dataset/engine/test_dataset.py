"""The fluent class: unsound pipelines and wrong arguments. Judge: what MindSpore 2.10 answered."""

import pytest
from pipelines import counting

import msbridge.dataset as ds


def test_apply() -> None:
    assert counting(3).apply(lambda data: data.batch(2)).get_dataset_size() == 2


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


def test_operators_are_built_by_hand_as_their_methods_build_them():
    data = ds.NumpySlicesDataset(list(range(5)), ["x"], shuffle=False)
    batches = ds.BatchDataset(ds.MapDataset(data, lambda x: x + 1, "x"), 2, True)
    assert [row["x"].tolist() for row in batches.create_dict_iterator(output_numpy=True)] == [[1, 2], [3, 4]]
    assert ds.ZipDataset((data, ds.RenameDataset(data, "x", "y"))).get_col_names() == ["x", "y"]
    assert ds.ConcatDataset([data, data]).get_dataset_size() == 10
    assert ds.RepeatDataset(ds.TakeDataset(ds.SkipDataset(data, 1), 2), 3).get_dataset_size() == 6


def test_a_dataset_without_rows_can_be_built_but_not_read():
    assert ds.Dataset(num_parallel_workers=2).num_parallel_workers == 2
    with pytest.raises(NotImplementedError, match="has no rows"):
        ds.Dataset().get_dataset_size()


@pytest.mark.parametrize("wrong", [None, "x", [1]])
def test_an_operator_is_built_on_a_dataset_only(wrong):
    with pytest.raises(TypeError, match="expected Dataset object"):
        ds.BatchDataset(wrong, 2)
