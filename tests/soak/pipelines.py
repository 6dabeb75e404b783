"""Pipelines with faults, left half-way, forked and read by several threads, compared with what they must give."""

import gc
import os
import random
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import msbridge.dataset as ds

HANGS_S = 60
FAULTS = 20  # more are not told
ERRORS = (ValueError, KeyError, MemoryError, StopIteration, SystemExit, KeyboardInterrupt, GeneratorExit)


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Make and read pipelines until time.monotonic() passes `deadline`.

    Returns:
        How many were read, and the faults found.
    """
    choose, count, faults = random.Random(seed), 0, []
    cases = (_read, _fail, _abandon, _fork, _share)
    before = _threads()
    while time.monotonic() < deadline and len(faults) < FAULTS:
        case, own = choose.choice(cases), choose.getrandbits(32)
        found: list[str | None] = []
        thread = threading.Thread(target=lambda: found.append(_caught(case, own)), daemon=True)  # noqa: B023
        thread.start()
        thread.join(HANGS_S)
        count += 1
        if not found:
            faults.append(f"{case.__name__} of seed {own} hangs")
            break
        if found[0] is not None:
            faults.append(f"{case.__name__} of seed {own}: {found[0]}")
    left = _left(before)
    if left > 0:
        faults.append(f"{left} threads of pipelines are left after {count} cases")
    return count, faults


def _caught(case: Callable[[random.Random], str | None], seed: int) -> str | None:
    try:
        return case(random.Random(seed))
    except BaseException:
        return traceback.format_exc()


class _Pipeline:
    """A pipeline of random parts, and the batches that it must give in some order."""

    def __init__(self, choose: random.Random, error: type[BaseException] | None = None) -> None:
        self.rows = choose.randrange(1, 200)
        self.batch = choose.randrange(1, 9)
        at = choose.randrange(self.rows)

        def shifted(value: Any) -> Any:
            if error is not None and int(value) == at:
                raise error("of the soak")
            return value + 1000

        def source() -> Iterator[tuple[int]]:
            for value in range(self.rows):
                if error is not None and place == "source" and value == at:
                    raise error("of the soak")
                yield (value,)

        place = choose.choice(["map", "source", "batch"]) if error is not None else ""
        data: Any
        if place == "source" or choose.random() < 0.5:
            data = ds.GeneratorDataset(source, ["x"])
        else:
            data = ds.NumpySlicesDataset(np.arange(self.rows), ["x"], shuffle=choose.random() < 0.5)
        if place == "batch":
            data = data.batch(self.batch, per_batch_map=lambda values, info: ([shifted(value) for value in values],))
        else:
            data = data.map(shifted if place != "source" else (lambda value: value + 1000), ["x"])
            if choose.random() < 0.3:
                data = data.shuffle(choose.randrange(2, 50))
            data = data.batch(self.batch)
        self.data = data

    def iterator(self, epochs: int = 1) -> Any:
        return self.data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)

    def wrong(self, batches: list[Any]) -> str | None:
        """Return what is wrong with all batches of one pass, or None."""
        values = sorted(int(value) for batch in batches for value in batch)
        expected = list(range(1000, 1000 + self.rows))
        return None if values == expected else f"{len(values)} rows instead of {self.rows}, or others"


def _read(choose: random.Random) -> str | None:
    pipeline, epochs = _Pipeline(choose), choose.randrange(1, 4)
    iterator = pipeline.iterator(epochs)
    for _ in range(epochs):
        if found := pipeline.wrong([row[0] for row in iterator]):
            return found
    return None


def _fail(choose: random.Random) -> str | None:
    error = choose.choice(ERRORS)
    seen = 0
    try:
        for _ in _Pipeline(choose, error).iterator():
            seen += 1
    except RuntimeError as caught:
        return None if error.__name__ in str(caught) else f"{error.__name__} became {caught!r:.300}"
    except BaseException as caught:
        return f"{error.__name__} reached the consumer as {type(caught).__name__}"
    return f"{error.__name__} was lost: the pipeline ended after {seen} batches"


def _abandon(choose: random.Random) -> str | None:
    pipeline = _Pipeline(choose)
    for _ in range(choose.randrange(1, 20)):
        iterator = pipeline.iterator(choose.choice([1, 2, -1]))
        for _ in range(choose.randrange(4)):
            if next(iterator, None) is None:
                break  # the end of its data
        if choose.random() < 0.3:
            iterator.release()
        elif choose.random() < 0.5:
            cycle = [iterator]
            cycle.append(cycle)  # type: ignore[arg-type]
            del cycle
        del iterator
        if choose.random() < 0.1:
            gc.collect()
    return None


def _fork(choose: random.Random) -> str | None:
    """A child continues an iterator, makes its own, drops it, or ends at once; then the parent continues."""
    pipeline = _Pipeline(choose)
    iterator = pipeline.iterator()
    first = [row[0] for row, _ in zip(iterator, range(choose.randrange(5)), strict=False)]
    kept = list(first)
    iterator, first = pipeline.iterator(), []
    for _ in range(len(kept)):
        first.append(next(iterator)[0])
    what = choose.randrange(4)
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(HANGS_S // 2)
            wrong = None
            if what == 0:
                wrong = pipeline.wrong(first + [row[0] for row in iterator])
            elif what == 1:
                wrong = pipeline.wrong([row[0] for row in pipeline.iterator()])
            elif what == 2:
                del iterator
                gc.collect()
            status = 0 if wrong is None else 2
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        return f"the child ({what}) ended with {status}"
    return pipeline.wrong(first + [row[0] for row in iterator])


def _share(choose: random.Random) -> str | None:
    """Several threads read one dataset, each by an iterator of its own."""
    pipeline = _Pipeline(choose)
    found: list[str | None] = []

    def read() -> None:
        found.append(pipeline.wrong([row[0] for row in pipeline.iterator()]))

    threads = [threading.Thread(target=read, daemon=True) for _ in range(choose.randrange(2, 5))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANGS_S)
    if len(found) < len(threads):
        return "a reader failed or hangs"
    return next((one for one in found if one), None)


def _threads() -> int:
    return sum(thread.name == "msbridge-dataset" for thread in threading.enumerate())


def _left(before: int) -> int:
    """Return how many threads more than `before` do not end."""
    gc.collect()
    patience = time.monotonic() + 10
    while _threads() > before and time.monotonic() < patience:
        time.sleep(0.05)
    return _threads() - before
