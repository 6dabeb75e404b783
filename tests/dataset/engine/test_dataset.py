"""The fluent class: unsound pipelines and wrong arguments. Judge: what MindSpore 2.10 answered."""

import copy
import re
from collections.abc import Iterator

import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.engine import dataset as engine_datasets
from tests.dataset.pipelines import counting


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
    assert ds.ZipDataset((data, ds.RenameDataset(copy.copy(data), "x", "y"))).get_col_names() == ["x", "y"]
    assert ds.ConcatDataset([data, copy.copy(data)]).get_dataset_size() == 10
    assert ds.RepeatDataset(ds.TakeDataset(ds.SkipDataset(data, 1), 2), 3).get_dataset_size() == 6


def test_a_pipeline_is_a_tree() -> None:
    data = ds.NumpySlicesDataset(list(range(5)), ["x"], shuffle=False)
    for join in (lambda: data + data, lambda: data.zip(data.rename("x", "y").batch(2)), lambda: data.concat([data])):
        with pytest.raises(ValueError, match="not a tree"):
            join()
    first, second = data.split([2, 3], randomize=False)
    assert len((first + second).concat(data)) == 10


def test_a_dataset_without_rows_can_be_built_but_not_read():
    assert ds.Dataset(num_parallel_workers=2).num_parallel_workers == 2
    with pytest.raises(NotImplementedError, match="has no rows"):
        ds.Dataset().get_dataset_size()


@pytest.mark.parametrize("wrong", [None, "x", [1]])
def test_an_operator_is_built_on_a_dataset_only(wrong):
    with pytest.raises(TypeError, match="expected Dataset object"):
        ds.BatchDataset(wrong, 2)


def test_notebooks_show_the_nodes_from_the_source_on_and_read_nothing() -> None:
    def rows() -> Iterator[int]:
        raise AssertionError("was read")
        yield

    first = ds.GeneratorDataset(rows, ["x", "y"]).map([vision.Decode(), vision.Resize(3)], "x").batch(4)
    shown = ds.zip((first, ds.NumpySlicesDataset({"z": [1]}, shuffle=False))).repeat(2)._repr_html_()
    cells = [text.replace("\N{NO-BREAK SPACE}", ">") for text in re.findall(r"<td[^>]*>(.*?)</td>", shown)]
    assert list(zip(cells[::2], cells[1::2], strict=True)) == [
        (">>>Generator", "column_names=[x, y]"),
        (">>>Map", "operations=[Decode, Resize], input_columns=[x]"),
        (">>>Batch", "batch_size=4"),
        (">>>NumpySlices", "column_names=[z]"),
        ("Zip", ""),
        ("Repeat", "count=2"),
    ]


@pytest.mark.parametrize(
    ("base", "names"),
    [
        (
            engine_datasets.VisionBaseDataset,
            "MnistDataset Cifar10Dataset ImageFolderDataset USPSDataset",
        ),
        (engine_datasets.TextBaseDataset, "TextFileDataset CLUEDataset AGNewsDataset IMDBDataset IWSLT2017Dataset"),
        (engine_datasets.AudioBaseDataset, "YesNoDataset GTZANDataset LJSpeechDataset"),
        (engine_datasets.UnionBaseDataset, "GeneratorDataset CSVDataset MindDataset Caltech101Dataset BatchDataset"),
    ],
)
def test_readers_have_the_base_of_their_kind(base: type, names: str) -> None:
    """As MindSpore 2.10's `__mro__` says, which was compared for all its datasets."""
    kinds = {engine_datasets.VisionBaseDataset, engine_datasets.TextBaseDataset, engine_datasets.AudioBaseDataset}
    for name in names.split():
        found = {kind for kind in kinds if issubclass(getattr(ds, name), kind)}
        assert found == {kind for kind in kinds if issubclass(base, kind)}
