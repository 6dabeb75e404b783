"""Locks that copies do not share, and that forked processes find free."""

import copy
import os
import pickle
import signal
import threading

import pytest

from msbridge.core.runtime.fork_safe_lock import Turn
from tests.core.threads import in_thread


def enter(turn: Turn) -> bool:
    with turn, turn:
        return True


def test_others_wait_and_copies_do_not() -> None:
    turn = Turn()
    with turn:
        assert enter(turn)
        assert in_thread(lambda: enter(copy.deepcopy(turn)))
        assert in_thread(lambda: enter(pickle.loads(pickle.dumps(turn))))
        with pytest.raises(TimeoutError):
            in_thread(lambda: enter(turn), timeout_s=0.05)


@pytest.mark.process
def test_a_forked_process_waits_for_no_thread_that_it_lacks() -> None:
    theirs, ours, has, may_end = Turn(), Turn(), threading.Event(), threading.Event()

    def hold() -> None:
        with theirs:
            has.set()
            may_end.wait(120)

    holder = threading.Thread(target=hold)
    holder.start()
    assert has.wait(120)
    with ours:
        child = os.fork()
        if not child:
            signal.alarm(120)
            os._exit(0 if enter(theirs) and enter(ours) else 1)
        status = os.waitpid(child, 0)[1]
    may_end.set()
    holder.join(120)
    assert status == 0
