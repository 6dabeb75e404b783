"""Nodes of datasets, and what is known about their rows."""

import copy
import gc
import inspect
import pickle
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset.engine import nodes
from tests.dataset.pipelines import generated


def test_output_shapes_may_look_at_all_rows() -> None:
    data = generated([(np.zeros((2, size)),) for size in (3, 4)])
    assert (data.output_shapes(), data.output_shapes(estimate=True)) == ([[2, 3]], [[2, None]])


def test_dataset_size_is_known_when_it_was_asked_for():
    data = ds.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"])
    batches = data.batch(2)
    assert batches.dataset_size is None
    assert batches.get_dataset_size() == batches.dataset_size == 3
    assert data.dataset_size is None


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), StopIteration(), KeyError("ours")])
def test_whatever_a_predicate_raises_while_rows_are_counted_is_a_runtime_error(error: BaseException) -> None:
    def fail(_: np.ndarray) -> bool:
        raise error

    data = ds.NumpySlicesDataset([1, 2, 3], ["x"]).filter(fail, "x")
    with pytest.raises(RuntimeError, match=type(error).__name__):
        data.get_dataset_size()


def below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def test_datasets_have_nodes_and_are_none() -> None:
    assert not [kind for kind in below(ds.Dataset) if issubclass(kind, nodes.Node)]
    assert not [kind for kind in below(nodes.Node) if issubclass(kind, ds.Dataset)]


def test_a_pipeline_walks_through_the_nodes_of_its_datasets() -> None:
    source = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
    data = source.map(lambda x: x, "x").batch(2)
    kinds = [type(node).__name__ for node in nodes.walk(data._node)]
    assert kinds == ["Source", "Map", "Batch"]
    assert nodes.node_of(source) == source._node == next(nodes.walk(data._node))
    assert nodes.node_of(source) != ds.NumpySlicesDataset([1], ["x"])._node


def test_the_arguments_of_an_operator_are_read_and_written_in_its_node() -> None:
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
    assert (data.batch_size, data.drop_remainder, data.num_parallel_workers, data.cache) == (2, False, None, None)
    data.drop_remainder = True
    assert [row[0].tolist() for row in data.create_tuple_iterator(output_numpy=True)] == [[1, 2]]
    assert "drop_remainder" not in vars(data)
    with pytest.raises(AttributeError, match="'BatchDataset' object has no attribute 'stream'"):
        data.stream


def test_signatures_are_those_of_the_operators() -> None:
    assert list(inspect.signature(ds.SkipDataset).parameters) == ["input_dataset", "count"]
    skipped = ds.SkipDataset(count=1, input_dataset=ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False))
    assert [row["x"].tolist() for row in skipped.create_dict_iterator(output_numpy=True)] == [2]


def test_a_dropped_source_is_gone_at_once() -> None:
    """No circle leads from a reader to its node and back: a large array does not wait for the garbage collector."""
    data = generated([(1,)])
    gone = weakref.ref(data)
    mapped = data.batch(1)
    assert len(mapped) == 1
    gc.disable()
    try:
        del data, mapped
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies_have_nodes(copied: Callable[[Any], Any]) -> None:
    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).take(2).batch(2)
    again = copied(data)
    assert [row[0].tolist() for row in again.create_tuple_iterator(output_numpy=True)] == [[1, 2]]
    assert again.batch_size == 2


def test_subclasses_of_users_work() -> None:
    class Halves(ds.BatchDataset):
        def __init__(self, data: ds.Dataset) -> None:
            super().__init__(data, data.get_dataset_size() // 2)
            self.remark = "mine"

    class Digits(ds.GeneratorDataset):
        def __init__(self) -> None:
            super().__init__([(digit,) for digit in range(10)], ["digit"], shuffle=False)

        def get_class_indexing(self) -> dict[str, int]:
            return {"zero": 0}

    halves = Halves(Digits())
    assert (halves.batch_size, halves.remark, len(halves)) == (5, "mine", 2)
    assert halves.get_class_indexing() == {"zero": 0}
    assert isinstance(halves.map(lambda digit: digit, "digit"), ds.MapDataset)


@pytest.mark.parametrize("ask", [lambda data: data.get_col_names(), lambda data: data.batch(2), list])
def test_a_dataset_without_rows_says_so(ask: Callable[[ds.Dataset], Any]) -> None:
    with pytest.raises(NotImplementedError, match="Dataset has no rows"):
        ask(ds.Dataset())
