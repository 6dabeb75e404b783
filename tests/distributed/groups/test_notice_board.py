"""What processes tell one another; here boards of several ranks on one store."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import torch.distributed as dist

from msbridge.distributed.groups import notice_board
from msbridge.distributed.groups.notice_board import Board

LONG_S = 60.0  # more than a busy machine needs to let the others come


@pytest.fixture
def boards(monkeypatch):
    """Three ranks, which wait for as long as it takes."""
    monkeypatch.setattr(notice_board, "_MAX_WAIT_S", LONG_S)
    monkeypatch.setattr(notice_board, "_LEFT_TO_THEM_S", 0.0)
    store = dist.HashStore()
    return [Board(store, rank, 3) for rank in range(3)]


def test_who_is_lost_hears_how_the_others_ended(boards, monkeypatch):
    try:
        raise ValueError("the data are bad.")
    except ValueError as error:
        monkeypatch.setattr(sys, "last_value", error, raising=False)
    boards[2].tell_end()
    monkeypatch.delattr(sys, "last_value")
    boards[1].tell_end()
    said = boards[0].what_of_others()
    assert said.startswith("Rank 1 has come to the end of its script. Rank 2 ended with ValueError: the data are bad (")
    assert "test_notice_board.py, line" in said


def test_who_does_not_wait_is_named(boards, monkeypatch):
    monkeypatch.setattr(notice_board, "_MAX_WAIT_S", 0.0)
    monkeypatch.setattr(notice_board, "_call_with_timeout", lambda limit_s, ask: ask())  # late answers, too
    assert [one.what_of_others() for one in boards[:2]] == [
        "Nothing is heard of ranks 1, 2: killed, or busy with something else.",
        "Nothing is heard of rank 2: killed, or busy with something else.",
    ]


def test_nothing_is_said_where_all_wait(boards):
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(Board.what_of_others, boards)) == [""] * 3


def agreements(boards, *ranks, timeout_s=LONG_S):
    return [boards[rank].agreement("some", ranks, timedelta(seconds=timeout_s)) for rank in ranks]


def test_equal_operations_agree_whoever_comes_first(boards):
    with ThreadPoolExecutor(2) as threads:
        ended = threads.map(
            lambda one: [one.on(f"AllReduce {number % 70}") for number in range(3 * notice_board._MAX_OPERATIONS)],
            agreements(boards, 0, 2),
        )
        assert len(list(ended)) == 2


def test_what_is_new_to_one_alone_is_compared(boards):
    first, second = agreements(boards, 0, 1)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda one: one.on("AllReduce of float32 (4,)"), (first, second)))
    second.on("AllReduce of float32 (4,)")  # it has gone on into the operation
    with pytest.raises(ValueError, match=r"rank 0 calls AllReduce of float32 \(5,\), but rank 1 AllReduce .*\(4,\)"):
        first.on("AllReduce of float32 (5,)")


def test_who_does_not_come_is_not_waited_for_for_ever(boards):
    with pytest.raises(RuntimeError, match="wait timeout"):
        agreements(boards, 0, 1, timeout_s=0.05)[0].on("Barrier")


@pytest.mark.parametrize("first", [0, 1])
def test_what_is_received_is_compared_with_what_is_sent(boards, first):
    own, other = agreements(boards, 0, 1)
    for one in (own, other):
        one.on_transfer(0, 1, 0, "5 elements of float32")
    sends = lambda: own.on_transfer(0, 1, 0, "6 elements of float32")  # noqa: E731
    expects = lambda: other.on_transfer(0, 1, 0, "3 elements of float32")  # noqa: E731
    (sends, expects)[first]()
    with pytest.raises(ValueError, match=r"rank \d (sends 6|expects 3) .*, but rank \d (sends 6|expects 3) elements"):
        (sends, expects)[1 - first]()
