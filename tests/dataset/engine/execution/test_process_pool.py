"""Worker processes: what they compute, how they end, and whom they tell."""

import gc
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.engine.execution.process_pool import Processes
from tests.dataset.pipelines import column, counting
from tests.processes import LIMIT_S

pytestmark = pytest.mark.process

SOON_S = 60.0  # of a machine that is busy with other tests; it would never come to an end


@pytest.fixture
def pool():
    made: list[Processes] = []

    def make(function: Callable[..., Any], count: int = 1) -> Processes:
        made.append(Processes(count, function, "Map"))
        return made[-1]

    yield make
    for each in made:
        each.close()


def running(pids: list[int]) -> list[int]:
    """Those of the processes that are there, zombies included."""
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def workers(iterator: ds.DictIterator) -> list[int]:
    stages = iterator._executor._stages.values()
    return [pid for stage in stages if stage._processes is not None for pid in stage._processes.pids()]


def test_a_function_has_what_the_script_made(pool: Callable[..., Processes]) -> None:
    known = {"of": "the closure"}
    assert pool(lambda key: (known[key], os.getpid() != parent)).call("of") == ("the closure", True)


parent = os.getpid()


def test_what_a_function_raises_comes_with_its_traceback(pool: Callable[..., Processes]) -> None:
    with pytest.raises(ZeroDivisionError):
        pool(lambda: 1 // 0).call()
    with pytest.raises(
        RuntimeError, match=r"(?s)user defined Python function.*in divide_it\n    return 1 // 0"
    ) as caught:
        column(counting(2).map(divide_it, "a", num_parallel_workers=2, python_multiprocessing=True))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def divide_it(value: np.ndarray) -> float:
    return 1 // 0


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_no_exception_ends_a_process(error: BaseException, pool: Callable[..., Processes]) -> None:
    def fail() -> None:
        raise error

    made = pool(fail)
    for _ in range(2):
        with pytest.raises(type(error)):
            made.call()


def test_a_result_that_cannot_be_sent_is_an_error(pool: Callable[..., Processes]) -> None:
    with pytest.raises(RuntimeError, match="cannot go to another process"):
        pool(lambda: (yield)).call()


@pytest.mark.parametrize(
    ("end", "says"), [(lambda: os.kill(os.getpid(), signal.SIGKILL), "SIGKILL"), (lambda: os._exit(7), "exit code 7")]
)
def test_a_process_that_ends_is_an_error_soon(end: Callable[[], Any], says: str) -> None:
    data = counting(20).map(lambda a: end() if a == 9 else a, "a", num_parallel_workers=2, python_multiprocessing=True)
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match=f"Worker process .* of MapDataset.*{says}"):
        column(data)
    assert time.monotonic() - begin < SOON_S


def test_a_process_killed_from_outside_is_an_error_soon() -> None:
    def wait(value: np.ndarray) -> np.ndarray:
        time.sleep(3600 if value == 5 else 0.02)  # so long that a process gets one row at a time
        return value

    iterator = counting(9).map(wait, "a", num_parallel_workers=1, python_multiprocessing=True).create_tuple_iterator()
    for _ in range(2):
        next(iterator)
    (pid,) = workers(iterator)
    begin = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="Worker process"):
        list(iterator)
    assert time.monotonic() - begin < SOON_S
    assert not running([pid])


class Source:
    def __len__(self) -> int:
        return 30

    def __getitem__(self, index: int) -> tuple[int, np.ndarray]:
        return index, _drawn()


def _drawn() -> np.ndarray:
    image = vision.RandomCrop(2)(np.arange(48, dtype=np.uint8).reshape(4, 4, 3))
    return np.append(image.astype(np.float64), [random.random(), np.random.rand(), float(torch.rand(()))])


def _mapped(count: int) -> ds.Dataset:
    return counting(30).map(lambda a: _drawn(), "a", num_parallel_workers=count, python_multiprocessing=True)


def _batched(count: int) -> ds.Dataset:
    function = lambda a, info: ([_drawn() for _ in a],)  # noqa: E731
    return counting(30).project("a").batch(3, False, count, function, python_multiprocessing=True)


def _read(count: int) -> ds.Dataset:
    return ds.GeneratorDataset(Source(), ["b", "a"], num_parallel_workers=count, shuffle=False)


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("make", [_mapped, _batched, _read])
def test_random_numbers_do_not_depend_on_the_number_of_processes(make: Callable[[int], ds.Dataset]) -> None:
    rows = column(make(2))
    assert len({str(row) for row in rows}) == len(rows)
    assert column(make(3)) == column(make(2)) == rows


def test_a_source_with_one_worker_is_read_in_this_process() -> None:
    seen: list[int] = []

    class Noting(Source):
        def __getitem__(self, index: int) -> tuple[int, int]:
            seen.append(index)
            return index, 0

    column(ds.GeneratorDataset(Noting(), ["a", "b"], shuffle=False))
    assert seen == list(range(30))
    column(ds.GeneratorDataset(Noting(), ["a", "b"], num_parallel_workers=2))
    assert seen == list(range(30))
    column(ds.GeneratorDataset(Noting(), ["a", "b"], num_parallel_workers=2, python_multiprocessing=False))
    assert sorted(seen[30:]) == list(range(30))


@pytest.mark.parametrize("shared", [True, False])
def test_large_rows(shared: bool, request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: ds.config.set_enable_shared_mem(True))
    ds.config.set_enable_shared_mem(shared)
    data = counting(12).map(lambda a: np.full((300, 300), a), "a", num_parallel_workers=2, python_multiprocessing=True)
    rows = [row["a"] for row in data.create_dict_iterator(output_numpy=True)]
    assert [int(row[0, 0]) for row in rows] == list(range(12))
    assert all((row == row[0, 0]).all() for row in rows)


@pytest.mark.parametrize("how", ["dropped", "stopped", "left half-way", "read to the end", "failed"])
def test_no_process_is_left(how: str) -> None:
    data = counting(50).map(
        lambda a: 1 // (40 - a) if how == "failed" else a, "a", num_parallel_workers=3, python_multiprocessing=True
    )
    iterator = data.create_tuple_iterator(num_epochs=1)
    next(iterator)
    pids = workers(iterator)
    assert len(running(pids)) == 3
    if how == "stopped":
        iterator.stop()
    elif how == "left half-way":
        for _ in iterator:
            break
        del iterator
    elif how == "failed":
        with pytest.raises(RuntimeError):
            list(iterator)
    elif how == "read to the end":
        list(iterator)
    else:
        del iterator
    gc.collect()
    assert not running(pids)


def test_processes_serve_all_passes_of_an_iterator() -> None:
    iterator = (
        counting(4)
        .map(lambda a: os.getpid(), "a", None, 2, python_multiprocessing=True)
        .create_tuple_iterator(output_numpy=True)
    )
    passes = [{int(row[0]) for row in iterator} for _ in range(3)]
    assert set().union(*passes) <= set(workers(iterator))


def test_processes_beside_other_threads_and_pipelines() -> None:
    iterators = [iter(_mapped(2).batch(4)) for _ in range(4)]
    assert [len(list(iterator)) for iterator in iterators] == [8] * 4


ENDING = """
import os, signal, sys, time
import numpy as np
import msbridge.dataset as ds

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it

def stuck(a):
    if a == 5:
        while True:
            time.sleep(1)
    return a

data = ds.NumpySlicesDataset(np.arange(20), ["a"], shuffle=False)
iterator = data.map(stuck, "a", num_parallel_workers=2, python_multiprocessing=True).create_tuple_iterator()
next(iterator)
stages = iterator._executor._stages.values()
print(*[pid for stage in stages if stage._processes for pid in stage._processes.pids()], flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("end", ["raise SystemExit(3)", "list(iterator)", "Ctrl-C"])
def test_a_script_that_ends_leaves_no_process(end: str) -> None:
    code = ENDING + ("list(iterator)" if end == "Ctrl-C" else end)
    script = [sys.executable, "-c", code]
    with subprocess.Popen(
        script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    ) as process:
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        if end == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
        elif end == "list(iterator)":
            process.terminate()
        try:
            process.communicate(timeout=LIMIT_S)
        finally:
            process.kill()
    deadline = time.monotonic() + SOON_S
    while running(pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = running(pids)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
