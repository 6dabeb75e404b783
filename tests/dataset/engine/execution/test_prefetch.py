"""The thread behind an iterator: when it ends, and how far it reads ahead."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset.engine.execution import prefetch
from tests.dataset.pipelines import column, counting, generated
from tests.processes import LIMIT_S

WAIT_S = 120  # for what comes as soon as it is scheduled


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "msbridge-dataset"]


def ended(before: list[threading.Thread]) -> bool:
    """Wait for the threads started since to end; they do so as soon as they are scheduled."""
    gc.collect()
    for thread in set(threads()) - set(before):
        thread.join(WAIT_S)
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
    assert closed.wait(WAIT_S)


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
    assert ahead.wait(WAIT_S)
    rested(iterator)
    assert len(made) <= ds.config.get_prefetch_size() + 2


def rested(iterator: ds.DictIterator) -> None:
    """Let the thread run until it has nothing more to do."""
    while not iterator._rows.channel.rests:
        time.sleep(0)


def test_large_rows_wait_in_small_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefetch, "MAX_BYTES", 1000)
    made: list[int] = []
    data = generated([(np.zeros(1000, np.uint8),) for _ in range(50)]).map(lambda x: made.append(1) or x, "x")
    iterator = data.create_dict_iterator(output_numpy=True)
    next(iterator)
    rested(iterator)
    assert len(made) < 10
    assert len(list(iterator)) == 49


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), MemoryError(), StopIteration()])
@pytest.mark.parametrize("place", ["map", "batch", "filter", "batch_size", "source"])
def test_whatever_user_code_raises_reaches_the_consumer_as_an_error(error: BaseException, place: str) -> None:
    """MindSpore 2.10 raises RuntimeError for each: a SystemExit in a worker must not end the script."""
    data, fail = counting(5), raising(error)
    broken = {
        "map": lambda: data.map(fail, "a"),
        "batch": lambda: data.batch(2, per_batch_map=fail),
        "filter": lambda: data.filter(fail),
        "batch_size": lambda: data.batch(fail),
        "source": lambda: ds.GeneratorDataset(lambda: (fail() for _ in range(3)), ["a"]),
    }[place]()
    with pytest.raises(RuntimeError, match=type(error).__name__):
        column(broken)


def test_hundreds_of_abandoned_iterators_leave_no_thread() -> None:
    before = threads()
    data = counting(1000).batch(2)
    for _ in range(200):
        for _ in data.create_tuple_iterator(num_epochs=1):
            break
    assert ended(before)


def exit_status(function: Callable[[], Any]) -> int:
    """Run `function` in a forked process: 0 where it returned true; a child that hangs is killed."""
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.alarm(WAIT_S)
            status = 0 if function() else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.process
@pytest.mark.parametrize("held", [False, True], ids=["", "while a thread holds the lock"])
def test_a_forked_process_goes_on_with_an_iterator(held: bool) -> None:
    data = ds.NumpySlicesDataset(np.arange(100), ["a"]).map(lambda a: a + 1, "a").batch(3)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    first = [next(iterator)[0].tolist() for _ in range(5)]
    release, holds = threading.Event(), threading.Event()

    def hold() -> None:
        with iterator._rows.channel.changed:
            holds.set()
            release.wait(WAIT_S)

    def rest() -> bool:
        seen = first + [row[0].tolist() for row in iterator]
        again = [row[0].tolist() for row in iterator]
        return sorted(chain(*seen)) == sorted(chain(*again)) == list(range(1, 101))

    if held:
        holder = threading.Thread(target=hold)
        holder.start()
        assert holds.wait(WAIT_S)
    assert exit_status(rest) == 0
    assert exit_status(lambda: column(counting(5)) == [0, 1, 2, 3, 4]) == 0
    assert exit_status(lambda: iterator.release() is None) == 0
    release.set()
    assert rest()


@pytest.mark.process
def test_a_forked_process_that_exits_does_not_wait_for_the_threads_of_its_parent() -> None:
    iterator = counting(1000).create_tuple_iterator()
    next(iterator)
    child = os.fork()
    if not child:
        signal.alarm(WAIT_S)
        sys.stdout.flush()
        from msbridge.core.runtime import background_threads

        background_threads._end_all()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


STUCK = """
import signal, threading, time
import numpy as np
import msbridge.dataset as ds

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
locked = threading.Lock()
locked.acquire()

def stuck(a):
    if a == 3:
        locked.acquire()
    return a

def source():
    yield from ((i,) for i in range(3))
    time.sleep(3600)

mapped = ds.NumpySlicesDataset(np.arange(9), ["a"], shuffle=False).map(stuck, "a")
sources = [mapped, ds.GeneratorDataset(source, ["a"])]
iterators = [sources[i % 2].create_tuple_iterator(num_epochs=1) for i in range(10)]
for iterator in iterators:
    next(iterator)
print("ready", flush=True)
"""


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(
    ("end", "status", "says"),
    [("", 0, ""), ("raise SystemExit(3)", 3, ""), ("list(iterators[0])", -signal.SIGINT, "KeyboardInterrupt")],
    ids=["the end", "sys.exit", "Ctrl-C"],
)
def test_a_script_with_ten_stuck_pipelines_ends(end: str, status: int, says: str) -> None:
    """At once for all of them, and without a word of the threads."""
    script = [sys.executable, "-c", STUCK + end]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        begin = time.monotonic()
        if status < 0:
            process.send_signal(-status)
        try:
            _, errors = process.communicate(timeout=LIMIT_S)
        finally:
            process.kill()
    assert process.returncode == status
    assert (errors.splitlines() or [""])[-1] == says
    assert "Exception in thread" not in errors
    assert time.monotonic() - begin < 45  # one after the other they would take 5 s each
