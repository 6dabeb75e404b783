"""The thread behind an iterator: when it ends, and how far it reads ahead."""

import gc
import threading
import time

import numpy as np
import pytest
from pipelines import column, counting, generated

import msbridge.dataset as ds


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
