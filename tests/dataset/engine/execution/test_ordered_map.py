"""OrderedParallelMap: items computed by several threads at once, in their order."""

import threading
from collections.abc import Iterator

import pytest

from msbridge.core.runtime.bounded_channel import ChannelClosed
from msbridge.dataset.engine.execution.ordered_map import OrderedParallelMap

WAIT_S = 120.0


def spread(items, compute, threads: int = 3, room: int = 6) -> OrderedParallelMap:
    return OrderedParallelMap(iter(items), compute, lambda: threads, lambda: room)


def ended(made: OrderedParallelMap) -> bool:
    made.join(WAIT_S)
    return not made.is_alive()


def test_several_items_are_computed_at_once_and_come_in_order() -> None:
    together = threading.Barrier(3, timeout=WAIT_S)

    def compute(item: int) -> int:
        together.wait()
        return item * 10

    made = spread(range(9), compute)
    assert list(made) == [item * 10 for item in range(9)]
    assert ended(made)


def test_a_quick_item_waits_for_a_slow_one_before_it() -> None:
    others = threading.Event()

    def compute(item: int) -> int:
        if item:
            others.set()
        assert others.wait(WAIT_S)
        return item

    assert list(spread(range(4), compute)) == [0, 1, 2, 3]


def test_no_more_items_are_under_way_than_there_is_room() -> None:
    taken: list[int] = []
    full = threading.Event()

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            if item == 3:
                full.set()
            yield item

    made = spread(items(), lambda item: item, room=4)
    assert full.wait(WAIT_S)
    with made.changed:
        assert len(taken) <= 5
    assert list(made) == list(range(100))


def test_an_error_comes_when_its_item_is_due() -> None:
    made = spread([1, 2, 0, 4], lambda item: 1 / item)
    assert [next(made), next(made)] == [1, 0.5]
    with pytest.raises(ZeroDivisionError):
        next(made)
    assert next(made) == 0.25


def test_an_error_of_the_stream_comes_behind_its_items() -> None:
    def items() -> Iterator[int]:
        yield from range(5)
        raise OSError("no more")

    made = spread(items(), lambda item: item)
    assert [next(made) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(OSError, match="no more"):
        next(made)
    assert ended(made)
    with pytest.raises(StopIteration):
        next(made)


def test_closing_ends_the_threads_and_the_stream() -> None:
    closed, begun, release = threading.Event(), threading.Event(), threading.Event()

    def items() -> Iterator[int]:
        try:
            yield from range(10**9)
        finally:
            closed.set()

    def compute(item: int) -> int:
        begun.set()
        assert release.wait(WAIT_S)
        return item

    made = spread(items(), compute)
    assert begun.wait(WAIT_S)
    made.close()
    with pytest.raises(ChannelClosed):
        next(made)
    release.set()
    assert closed.wait(WAIT_S)
    assert ended(made)
