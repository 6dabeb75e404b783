"""Iterators: forms, epochs, positions, the thread behind them. Judge: what MindSpore 2.10 answered."""

import gc
import threading
import time

import numpy as np
import pytest
from pipelines import column, counting, generated

import msbridge.dataset as ds
from msbridge.core.tensor import Tensor


def test_forms() -> None:
    row = next(counting().create_dict_iterator())
    assert {name: (type(value), str(value.dtype), value.shape) for name, value in row.items()} == {
        "a": (Tensor, "Int64", ()),
        "b": (Tensor, "Float64", ()),
    }
    assert [type(value) for value in next(counting().create_tuple_iterator())] == [Tensor, Tensor]
    assert isinstance(next(iter(counting())), list)
    assert [type(value) for value in next(counting().create_tuple_iterator(output_numpy=True))] == [np.ndarray] * 2


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint32", "uint64", "float16", "bool", "int8"])
def test_dtypes_survive_as_tensors(kind: str) -> None:
    data = ds.NumpySlicesDataset(np.arange(2).astype(kind), shuffle=False)
    assert str(next(data.create_tuple_iterator())[0].dtype).lower() == kind


def test_strings_stay_arrays() -> None:
    value = next(ds.NumpySlicesDataset(["x"], shuffle=False).create_tuple_iterator())[0]
    assert isinstance(value, np.ndarray)
    assert value == "x"


def test_columns_are_chosen() -> None:
    assert next(counting().create_tuple_iterator(columns=["b"], output_numpy=True)) == [np.array(0.0)]
    with pytest.raises(RuntimeError, match="'q' does not exist"):
        counting().create_tuple_iterator(columns=["q"])


def test_an_iterator_gives_any_number_of_passes() -> None:
    iterator = counting(3).create_dict_iterator()
    assert [len(list(iterator)) for _ in range(3)] == [3, 3, 3]


def test_a_given_number_of_passes_ends() -> None:
    iterator = counting(3).create_dict_iterator(num_epochs=2)
    assert [len(list(iterator)) for _ in range(2)] == [3, 3]
    with pytest.raises(RuntimeError, match="beyond the specified number of epochs"):
        next(iterator)


def test_after_the_end_comes_the_next_pass() -> None:
    iterator = ds.NumpySlicesDataset([1, 2], shuffle=False).create_tuple_iterator(output_numpy=True)
    assert [next(iterator, None) for _ in range(4)] == [[1], [2], None, [1]]


def test_a_half_used_iterator_continues() -> None:
    iterator = counting(5).create_dict_iterator(output_numpy=True)
    next(iterator)
    next(iterator)
    assert [int(row["a"]) for row in iterator] == [2, 3, 4]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"num_epochs": 0}, RuntimeError),
        ({"num_epochs": -2}, ValueError),
        ({"num_epochs": "a"}, TypeError),
        ({"output_numpy": 1}, TypeError),
    ],
)
def test_wrong_arguments_raise(arguments: dict, kind: type) -> None:
    with pytest.raises(kind):
        counting().create_dict_iterator(**arguments)


def test_rows_have_memory_of_their_own() -> None:
    source = np.zeros((4, 2))
    data = ds.NumpySlicesDataset(source, shuffle=False)
    for (value,) in data.create_tuple_iterator(output_numpy=True):
        value += 1
    for (value,) in data.batch(2).create_tuple_iterator(output_numpy=True):
        value += 1
    assert not source.any()


def test_a_position_is_taken_up_again() -> None:
    data = counting(40).shuffle(40).map(lambda a: a, "a").batch(4)
    iterator = data.create_dict_iterator(output_numpy=True)
    list(iterator)
    for _ in range(3):
        next(iterator)
    position = iterator.position()
    rest = [row["a"].tolist() for row in iterator]
    other = data.create_dict_iterator(output_numpy=True)
    other.seek(position)
    assert [row["a"].tolist() for row in other] == rest
    assert [row["a"].tolist() for row in other] == [row["a"].tolist() for row in iterator]


def test_output_shapes_may_look_at_all_rows() -> None:
    data = generated([(np.zeros((2, size)),) for size in (3, 4)])
    assert (data.output_shapes(), data.output_shapes(estimate=True)) == ([[2, 3]], [[2, None]])


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "msbridge-dataset"]


def ended(before: list[threading.Thread]) -> bool:
    """Wait for the threads started since to end; they do so as soon as they are scheduled."""
    gc.collect()
    for thread in set(threads()) - set(before):
        thread.join(10)
    return set(threads()) <= set(before)


def test_a_dropped_iterator_ends_its_thread() -> None:
    before = threads()
    iterator = counting(100000).create_dict_iterator()
    next(iterator)
    assert len(threads()) == len(before) + 1
    del iterator
    assert ended(before)


def test_a_consumer_that_raises_leaves_no_thread() -> None:
    before = threads()

    def consume() -> None:
        for _ in counting(100000):
            raise KeyError("the consumer's own error")

    with pytest.raises(KeyError):
        consume()
    assert ended(before)


def test_a_failing_source_leaves_no_thread() -> None:
    before = threads()
    with pytest.raises(RuntimeError):
        column(counting(5).map(lambda a: 1 // 0, "a"))
    assert ended(before)


def test_a_source_is_closed_when_its_reader_stops() -> None:
    closed = threading.Event()

    def source():
        try:
            for value in range(10**6):
                yield (value,)
        finally:
            closed.set()

    iterator = ds.GeneratorDataset(source, ["x"]).create_dict_iterator()
    next(iterator)
    iterator.release()
    assert closed.wait(10)


def test_the_thread_runs_ahead_only_so_far() -> None:
    made: list[int] = []
    ahead = threading.Event()

    def source():
        for value in range(1000):
            made.append(value)
            if len(made) == ds.config.get_prefetch_size():
                ahead.set()
            yield (value,)

    iterator = ds.GeneratorDataset(source, ["x"]).create_dict_iterator()
    next(iterator)
    assert ahead.wait(10)
    rested(iterator)
    assert len(made) <= ds.config.get_prefetch_size() + 2


def rested(iterator: ds.DictIterator) -> None:
    """Let the thread run until it has nothing more to do."""
    while iterator._channel._filling:
        time.sleep(0)


def test_large_rows_wait_in_small_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    from msbridge.dataset.engine import channel

    monkeypatch.setattr(channel, "LIMIT_BYTES", 1000)
    made: list[int] = []
    data = generated([(np.zeros(1000, np.uint8),) for _ in range(50)]).map(lambda x: made.append(1) or x, "x")
    iterator = data.create_dict_iterator(output_numpy=True)
    next(iterator)
    rested(iterator)
    assert len(made) < 10
    assert len(list(iterator)) == 49
