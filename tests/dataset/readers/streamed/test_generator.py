"""GeneratorDataset. Judge: what MindSpore 2.10 answered."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import int32, int64
from tests.dataset.pipelines import column, generated, rows


def numbers():
    for value in range(5):
        yield (value,)


class Squares:
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> tuple:
        return np.array(index), np.float32(index**2)


class Restarting:
    def __iter__(self):
        self.value = 0
        return self

    def __next__(self) -> tuple:
        self.value += 1
        if self.value > 3:
            raise StopIteration
        return (self.value,)


def test_a_generator_function() -> None:
    data = ds.GeneratorDataset(numbers, ["a"])
    assert (data.get_dataset_size(), column(data), column(data)) == (5, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert column(ds.GeneratorDataset(numbers, ["a"], num_samples=3)) == [0, 1, 2]
    assert column(ds.GeneratorDataset(numbers, "a", shuffle=True)) == [0, 1, 2, 3, 4]


def test_iterables_can_be_read_again() -> None:
    for source, expected in ((Restarting(), [1, 2, 3]), (numbers(), [0, 1, 2, 3, 4])):
        data = ds.GeneratorDataset(source, ["a"])
        assert (column(data), column(data), data.get_dataset_size()) == (expected, expected, len(expected))


def test_random_access() -> None:
    assert column(ds.GeneratorDataset(Squares(), ["a", "b"], shuffle=False), "b") == [0, 1, 4, 9]
    assert sorted(column(ds.GeneratorDataset(Squares(), ["a", "b"]))) == [0, 1, 2, 3]
    assert column(ds.GeneratorDataset(Squares(), ["a", "b"], num_shards=2, shard_id=1, shuffle=False)) == [1, 3]
    assert column(ds.GeneratorDataset(Squares(), ["a", "b"], sampler=[1, 1, 2])) == [1, 1, 2]
    assert ds.GeneratorDataset(Squares(), ["a", "b"])[2] == (np.array(2), np.float32(4))


def test_a_schema_gives_names_and_types_in_the_place_of_others(tmp_path: Path) -> None:
    content = [{"name": "a", "type": "int64", "rank": 0}, {"name": "b", "type": "float32", "rank": 0}]
    (tmp_path / "schema.json").write_text(json.dumps({"datasetType": "TF", "columns": content}))
    schema = ds.Schema()
    schema.add_column("a", int64, [3, 3])  # shapes are not looked at
    schema.add_column("b", "float32")
    for given in (schema, str(tmp_path / "schema.json")):
        data = ds.GeneratorDataset(Squares(), ["x", "y"], [int32, int32], given, shuffle=False)
        assert (data.get_col_names(), column(data, "b")) == (["a", "b"], [0, 1, 4, 9])


def test_values_of_other_types_than_the_schema_has_raise() -> None:
    schema = ds.Schema()
    schema.add_column("a", "string")
    assert column(ds.GeneratorDataset([("x",), ("yz",)], schema=schema, shuffle=False)) == ["x", "yz"]
    with pytest.raises(RuntimeError, match="column_types"):
        column(ds.GeneratorDataset([(1,), (2,)], schema=schema))


def test_a_row_may_be_a_single_value() -> None:
    assert column(ds.GeneratorDataset([np.array([1, 2]), np.array([3, 4])], ["x"], shuffle=False), "x") == [
        [1, 2],
        [3, 4],
    ]
    assert column(generated([[1, 2], [3, 4]]), "x") == [[1, 2], [3, 4]]
    assert rows(generated([[1, 2]], ["a", "b"])) == [{"a": 1, "b": 2}]


@pytest.mark.parametrize(
    "make", [list, iter, lambda values: (value for value in values), lambda values: map(int, values)]
)
def test_a_row_may_be_any_iterable(make: Callable[[tuple[int, ...]], Iterable[int]]) -> None:
    assert rows(generated((make((1, 2)) for _ in range(1)), ["a", "b"])) == [{"a": 1, "b": 2}]
    assert rows(generated((make((1,)) for _ in range(1)), ["a"])) == [{"a": 1}]  # not an array of one number


def test_values_become_arrays() -> None:
    row = next(
        generated([(1, 2.5, [1, 2], "s", True, Tensor([1]))], list("abcdef")).create_tuple_iterator(output_numpy=True)
    )
    assert [(str(value.dtype), value.shape) for value in row] == [
        ("int64", ()),
        ("float64", ()),
        ("int64", (2,)),
        ("<U1", ()),
        ("bool", ()),
        ("int64", (1,)),
    ]


def test_a_reused_buffer_is_copied() -> None:
    def source():
        buffer = np.zeros(1)
        for value in range(20):
            buffer[:] = value
            yield (buffer,)

    assert column(ds.GeneratorDataset(source, ["x"]).batch(20), "x") == [[[value] for value in range(20)]]


def test_column_types_are_compared() -> None:
    assert column(ds.GeneratorDataset(lambda: iter([(np.int32(1),)]), ["x"], column_types=[int32]), "x") == [1]
    with pytest.raises(RuntimeError, match="column_types"):
        column(ds.GeneratorDataset(lambda: iter([(1,)]), ["x"], column_types=[int32]), "x")


def test_batches_chosen_by_the_user() -> None:
    chosen = ds.GeneratorDataset(Squares(), ["a", "b"], batch_sampler=[[0, 1], [3]])
    assert (column(chosen), chosen.get_dataset_size()) == ([[0, 1], [3]], 2)
    summed = ds.GeneratorDataset(
        Squares(), ["a"], batch_sampler=[[0, 1], [3]], collate_fn=lambda rows: (sum(int(row[0]) for row in rows),)
    )
    assert column(summed) == [1, 3]


@pytest.mark.parametrize(
    "source",
    [
        lambda: (1 // 0 for _ in range(2)),
        lambda: iter([(1, 2)]),
        lambda: iter([(None,)]),
        lambda: iter([(1j,)]),
        lambda: iter([([[1], [1, 2]],)]),
        lambda: iter([(np.array([1, "a"], dtype=object),)]),
        [(None,)],
    ],
)
def test_rows_that_are_no_rows_raise_on_reading(source: object) -> None:
    with pytest.raises(RuntimeError, match="user defined Python function"):
        column(ds.GeneratorDataset(source, ["x"], shuffle=False), "x")


def test_an_empty_source_raises() -> None:
    with pytest.raises(RuntimeError, match="at least one row"):
        ds.GeneratorDataset([], ["x"]).get_dataset_size()


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: ds.GeneratorDataset(5, ["x"]), TypeError),
        (lambda: ds.GeneratorDataset(numbers), ValueError),
        (lambda: ds.GeneratorDataset(numbers, []), ValueError),
        (lambda: ds.GeneratorDataset(numbers, ["a", "a"]), ValueError),
        (lambda: ds.GeneratorDataset(numbers, [1]), TypeError),
        (lambda: ds.GeneratorDataset(numbers, ["a"], sampler=[1]), ValueError),
        (lambda: ds.GeneratorDataset(numbers, ["a"], num_shards=2, shard_id=0), ValueError),
        (lambda: ds.GeneratorDataset(Squares(), ["a"], sampler=ds.PKSampler(1)), ValueError),
        (lambda: ds.GeneratorDataset(numbers, ["a"], schema="s"), ValueError),
        (lambda: ds.GeneratorDataset(numbers, schema=[1]), ValueError),
        (lambda: ds.GeneratorDataset(numbers, schema=ds.Schema()), RuntimeError),
    ],
)
def test_wrong_arguments_raise_at_once(make: object, kind: type) -> None:
    with pytest.raises(kind):
        make()


def test_a_source_that_raises_stop_iteration_does_not_end_the_epoch_early() -> None:
    class Source:
        def __getitem__(self, index: int) -> int:
            return next(iter([])) if index == 2 else index

        def __len__(self) -> int:
            return 4

    rows = iter(ds.GeneratorDataset(Source(), ["a"], shuffle=False).create_tuple_iterator(output_numpy=True))
    assert [int(next(rows)[0]), int(next(rows)[0])] == [0, 1]
    with pytest.raises(RuntimeError, match="source of GeneratorDataset: __getitem__"):
        next(rows)


@pytest.mark.parametrize(
    ("source", "second"),
    [(lambda: numbers(), [0, 1, 2, 3, 4]), (lambda: zip([0, 1, 2]), [0, 1, 2]), (lambda: iter([(0,), (1,)]), [])],
    ids=["generator", "zip", "iterator"],
)
def test_what_a_second_pass_finds(source: object, second: list[int]) -> None:
    data = ds.GeneratorDataset(source(), ["a"])
    assert column(data)
    assert column(data) == second


def test_the_length_of_a_source_is_known_where_it_has_one() -> None:
    """As MindSpore 2.10."""
    sources = (range(5), [1, 2, 3], lambda: iter([(1,)]))
    assert [ds.GeneratorDataset(source, ["a"], num_samples=2).source_len for source in sources] == [5, 3, -1]
