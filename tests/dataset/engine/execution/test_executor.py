"""Stages: when threads compute, and what they keep: the order, the random numbers, the errors."""

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import transforms, vision
from msbridge.dataset.engine.execution import executor
from msbridge.dataset.engine.execution.executor import Executor, Stage
from msbridge.dataset.engine.nodes import prepare
from msbridge.dataset.transforms import base
from tests.dataset.pipeline_faults import CONSUMERS, FAULTS, NODES, WORKERS, Case
from tests.dataset.pipelines import column, counting

WAIT_S = 120.0


@pytest.fixture
def spread_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything counts as slow, and as waiting: all workers compute from the first item on."""
    monkeypatch.setattr(executor, "MIN_SLOW_ITEMS", 0)
    monkeypatch.setattr(executor, "SLOW_S", -1.0)
    monkeypatch.setattr(executor, "PIECE_S", 0.0)
    monkeypatch.setattr(executor, "core_count", lambda: 64)


def meeting(threads: int) -> Callable[..., Any]:
    """A function that returns its argument once so many threads are in it."""
    together = threading.Barrier(threads, timeout=WAIT_S)

    def meet(value: Any, *_: Any) -> Any:
        together.wait()
        return value

    return meet


@pytest.mark.usefixtures("spread_all")
@pytest.mark.parametrize(
    "make",
    [
        lambda data, meet: data.map(meet, "a", num_parallel_workers=3),
        lambda data, meet: data.filter(lambda a: meet(a) >= 0, "a", num_parallel_workers=3),
    ],
    ids=["map", "filter"],
)
def test_functions_are_called_on_several_rows_at_once(make: Callable[..., ds.Dataset]) -> None:
    assert column(make(counting(12), meeting(3))) == list(range(12))


@pytest.mark.usefixtures("spread_all")
def test_several_batches_are_put_together_at_once() -> None:
    data = counting(12).project("a").batch(2, per_batch_map=meeting(3), num_parallel_workers=3)
    assert column(data) == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]


class Overlap(base.Transform):
    """Returns its input; the first call waits for a second one to begin."""

    def __init__(self) -> None:
        self.calls, self.has_company = count(), threading.Event()

    def transform_value(self, value: Any) -> Any:
        if next(self.calls):
            self.has_company.set()
        assert self.has_company.wait(WAIT_S)
        return value


@pytest.mark.usefixtures("spread_all")
@pytest.mark.parametrize(
    "end",
    [lambda data: data.batch(1), lambda data: data, lambda data: data.map(lambda a: a, "a").shuffle(3)],
    ids=["batch", "rows", "shuffle"],
)
def test_rows_are_transformed_while_others_are(end: Callable[[ds.Dataset], ds.Dataset]) -> None:
    data = end(counting(8).map(Overlap(), "a", num_parallel_workers=2))
    assert sorted(np.ravel(column(data)).tolist()) == list(range(8))


def test_nodes_add_their_workers_where_no_user_code_runs() -> None:
    data = counting(8).map(vision.Invert(), "a", num_parallel_workers=3)
    assert data.batch(2, num_parallel_workers=2)._node.workers(calls_user_code=False) == 6  # one reads
    assert data.batch(2, num_parallel_workers=2)._node.workers() == 3


def test_quick_functions_are_called_in_order_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "SLOW_S", 60.0)  # on a busy machine even these take long now and then
    seen: list[tuple[int, int]] = []
    data = counting(200).map(lambda a: seen.append((int(a), threading.get_ident())) or a, "a", num_parallel_workers=8)
    assert column(data) == list(range(200))
    assert [number for number, _ in seen] == list(range(200))
    assert len({thread for _, thread in seen}) == 1


def _random(images: ds.Dataset) -> ds.Dataset:
    by_hand = transforms.Compose([vision.RandomCrop(3), lambda image: vision.RandomHorizontalFlip(0.5)(image)])
    data = images.map(vision.RandomCrop(5), "x").map(by_hand, "x").shuffle(8).map(vision.RandomVerticalFlip(0.5), "x")
    return data.batch(3, per_batch_map=lambda x, info: ([vision.RandomInvert(0.5)(image) for image in x],))


def test_random_numbers_do_not_depend_on_threads(seeded: None, request: pytest.FixtureRequest) -> None:
    images = np.random.default_rng(0).integers(0, 255, (20, 6, 6, 3)).astype(np.uint8)
    data = _random(ds.NumpySlicesDataset(images, ["x"], num_samples=20))
    alone = column(data, "x")
    request.getfixturevalue("spread_all")
    assert column(data, "x") == alone


@pytest.mark.usefixtures("spread_all")
def test_rows_before_a_failing_one_are_delivered() -> None:
    iterator = counting(9).map(lambda a: 1 // (5 - int(a)), "a").create_tuple_iterator(output_numpy=True)
    assert [int(next(iterator)[0]) for _ in range(5)] == [0, 0, 0, 0, 1]
    with pytest.raises(RuntimeError, match="ZeroDivisionError") as caught:
        next(iterator)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.usefixtures("spread_all")
def test_large_results_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "MAX_PENDING_BYTES", 3000)
    large = ([np.zeros(1000, np.uint8)] * 2,)
    data = counting(40).project("a").batch(2, per_batch_map=lambda a, info: large, num_parallel_workers=8)
    iterator = data.create_tuple_iterator(output_numpy=True)
    for _ in range(10):
        next(iterator)
    assert iterator._executor._stages[data._node, ""]._room() == 1


def test_rows_of_a_batch_are_shared_out() -> None:
    meet = meeting(3)
    stage = Stage(3, Executor())
    stage._waits = True

    assert list(stage.map(lambda item: stage.map_rows(meet, item), [list(range(6))])) == [list(range(6))]


def test_the_first_failing_row_of_several_threads_is_raised() -> None:
    stage = Stage(3, Executor())
    stage._waits = True
    with pytest.raises(ZeroDivisionError):
        next(stage.map(lambda item: stage.map_rows(lambda row: 1 / row, item), [[3, 2, 0, "x"]]))


@pytest.mark.usefixtures("spread_all")
def test_many_iterators_end_their_threads() -> None:
    before = set(threading.enumerate())
    iterators = [iter(counting(100).map(lambda a: a, "a").batch(4)) for _ in range(64)]
    firsts = [next(iterator)[0].asnumpy().tolist() for iterator in iterators]
    assert firsts == [[0, 1, 2, 3]] * 64
    iterators.clear()
    for thread in set(threading.enumerate()) - before:
        thread.join(WAIT_S)
    assert set(threading.enumerate()) <= before


class Meeting:
    """A source whose rows are ready when several are asked for at once."""

    def __init__(self, count: int) -> None:
        self._meet = meeting(count)

    def __len__(self) -> int:
        return 12

    def __getitem__(self, index: int) -> int:
        return self._meet(index)


@pytest.mark.usefixtures("spread_all")
@pytest.mark.parametrize("arguments", [{}, {"batch_sampler": [[number] for number in range(12)]}])
def test_several_rows_of_a_source_are_read_at_once(arguments: dict) -> None:
    if not arguments:
        arguments = {"shuffle": False}
    data = ds.GeneratorDataset(Meeting(3), ["a"], num_parallel_workers=3, python_multiprocessing=False, **arguments)
    assert np.ravel(column(data)).tolist() == list(range(12))


def test_a_source_gives_blocks_where_a_batch_takes_them() -> None:
    data = ds.GeneratorDataset(lambda: ((number,) for number in range(40)), ["a"])
    run = prepare(data.batch(32)._node, 0)
    assert [block.size for block in data._node.stream(run, 0)] == [1, 2, 4, 8, 16, 9]
    assert [block.size for block in data._node.stream(prepare(data._node, 0), 0)] == [1] * 40


def test_the_rows_before_a_failing_one_leave_the_source() -> None:
    data = ds.GeneratorDataset(lambda: ((1 // (39 - number),) for number in range(50)), ["a"])
    iterator = data.batch(13).create_tuple_iterator(output_numpy=True)
    assert [len(next(iterator)[0]) for _ in range(3)] == [13, 13, 13]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        next(iterator)


CASES = [
    Case(fault, node, workers, consumer, at=7)
    for fault in FAULTS
    for node in NODES
    for workers in WORKERS
    for consumer in CONSUMERS
    if Case.is_possible(fault, node, workers)
    and (consumer == "iterator" or (fault, node) in (("error", "map"), ("killed", "source")))
]


@pytest.mark.process
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fault_in_user_code_is_told_and_leaves_nothing(case: Case) -> None:
    """The long form, with random draws, is tests/soak/faults.py."""
    assert case.run() is None
