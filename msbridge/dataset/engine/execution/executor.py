"""Executor: the thread pools of one iterator, one for each stage at which its pipeline computes something.

    iterator ◄── PrefetchedRows ◄── producer thread: node ◄── node ◄── source
                                               │         │
                                             Stage     Stage        one for each node that computes, over all passes
                                               │         │
                                     OrderedParallelMap  (inline)   threads only where items are slow

Why a stage decides by measuring. Handing an item to another thread and back costs about 50 µs, so a map over small
rows is several times slower with threads than without. A stage therefore computes in the thread that asks, and times
it; after `MIN_SLOW_ITEMS` items in a row that took more than `SLOW_S` it goes over to an OrderedParallelMap, for the
rest of the pass. The next pass of the iterator begins with what was learnt. One slow item decides nothing: it may
have met the first call of a library.

Why threads and not processes. numpy, OpenCV and libjpeg leave Python's lock while they work. Only Python code that is
asked for with `python_multiprocessing` is called in processes, which are forked before the iterator has any threads.

How many threads: up to the node's workers where they mostly wait (reading files), and no more than there are cores
where they compute. Threads that a stage may have and does not use help inside of an item: `map_rows` is handed down
to whoever computes the rows of a batch, which are taken one by one (`_SharedRows`), so one large batch uses the cores
as well.

Who ends the threads: the executor refers to its stages and maps, the threads refer to their map only, and the
iterator's finalizer closes the executor. So dropping an iterator at any point of any thread ends everything, without
a lock.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from msbridge.dataset.engine.execution.ordered_map import OrderedParallelMap
from msbridge.dataset.engine.execution.pipeline_report import ENDED, OPEN, Meter, NodeReport, PipelineReport
from msbridge.dataset.engine.execution.process_pool import Processes
from msbridge.dataset.engine.execution.recycled_arrays import RecycledArrays
from msbridge.dataset.transforms.fusion import RowMap

SLOW_S = 1e-3  # an item that takes longer is worth a thread: handing it over and back costs about 50 µs
MIN_SLOW_ITEMS = 2  # so many slow items one after the other, rather than one that met the first call of something
PREFETCH_PER_THREAD = 2  # items under way per thread: as many as are computed may wait for their turn
MAX_PENDING_BYTES = 256 * 2**20  # of results under way, of any number
WAITING_SHARE = 0.5  # who computes for less of its time waits for something else than a core
MAX_PIECE = 64
PIECE_S = 2e-3  # how long a piece of quick rows shall take that goes to another thread
PIECE_OF_PROCESS_S = 10e-3  # … to a process: asking and answering take 0.3 ms of processors, however many rows go along


def core_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Executor:
    """The threads of one iterator, started when they are needed; `close` ends them.

    Iterators are collected at any point of any thread, so closing takes no lock of its own.
    """

    def __init__(self) -> None:
        self.cores = core_count()
        self.is_closed = False
        self.meter = Meter()  # of the rows that are taken
        self.arrays = RecycledArrays()
        OPEN.add(self)
        self._stages: dict[Any, Stage] = {}
        self._parallel_maps: dict[int, OrderedParallelMap] = {}
        self._helpers: ThreadPoolExecutor | None = None

    def report(self) -> PipelineReport:
        """Return the times of the pipeline's stages."""
        parts = [stage.report() for stage in reversed(list(self._stages.values()))]  # they were made from the end on
        parts.sort(key=lambda part: part.name == "rows")
        return self.meter.report(tuple(part for part in parts if part.rows))

    def stage(self, key: Any, workers: int, name: str) -> "Stage":
        """Return the stage of that key, which keeps what it learnt in earlier passes; `name` is for reports."""
        stage = self._stages.get(key)
        if stage is None:
            stage = self._stages.setdefault(key, Stage(workers, self, name))
        return stage

    def add(self, parallel_map: OrderedParallelMap) -> None:
        """Close `parallel_map` when the executor is closed."""
        self._parallel_maps[id(parallel_map)] = parallel_map
        if self.is_closed:
            parallel_map.close()

    def discard(self, parallel_map: OrderedParallelMap) -> None:
        """Close `parallel_map` now."""
        parallel_map.close()
        self._parallel_maps.pop(id(parallel_map), None)

    def helpers(self, work: Callable[[], None], count: int) -> list["Future[None]"]:
        """Let `count` more threads do the work, as soon as they are free; none where the executor is closed."""
        if self._helpers is None:
            self._helpers = ThreadPoolExecutor(self.cores, thread_name_prefix="msbridge-dataset")
        try:
            return [self._helpers.submit(work) for _ in range(count)]
        except RuntimeError:  # shut down meanwhile
            return []

    def close(self) -> None:
        """End the threads; may be called again."""
        if not self.is_closed:
            self.is_closed = True
            OPEN.discard(self)
            ENDED.append(self.report())
        for parallel_map in list(self._parallel_maps.values()):
            parallel_map.close()
        for stage in list(self._stages.values()):
            stage.close()
        if self._helpers is not None:
            self._helpers.shutdown(wait=False, cancel_futures=True)


class Stage:
    """The computation of a node in one iterator, pass after pass.

    Args:
        workers: how many threads may compute at once.
        executor: of the iterator; None computes everything in the thread that asks.
        name: of the node, for reports.
    """

    def __init__(self, workers: int, executor: Executor | None = None, name: str = "") -> None:
        self._workers = workers if executor is not None else 1
        self.executor = executor
        self._name = name
        self._rows = 0
        self._busy_s = 0.0
        self._used = 1
        self._taken = self._ready = 0
        self._processes: Processes | None = None
        self._is_parallel = False  # already while the spread's first thread starts
        self._parallel_map: OrderedParallelMap | None = None
        self._row_s = 0.0  # what a row of the latest item took
        self._item_bytes = 0
        self._slow_items = 0
        self._waits = False  # most of the time, rather than computing

    def report(self) -> NodeReport:
        """Return the work of the stage so far."""
        ready = self._ready / self._taken if self._taken else None
        kind = "threads" if self._processes is None else "processes"
        return NodeReport(self._name, self._workers, self._used, kind, self._rows, self._busy_s, ready)

    def note(self, rows: int, took_s: float) -> None:
        """Count rows that were computed; workers that count at the same moment may lose one another's."""
        self._rows += rows
        self._busy_s += took_s

    def fork(self, count: int, function: Callable[..., Any]) -> None:
        """Let `count` processes compute what `call` is asked for, which is this function; once in an iterator."""
        if self._processes is None:
            self._workers = count
            self._processes = Processes(count, function, self._name)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function, in a process where the stage has some."""
        return function(*arguments) if self._processes is None else self._processes.call(*arguments)

    def close(self) -> None:
        """End the processes."""
        if self._processes is not None:
            self._processes.close()

    def map(
        self,
        compute: Callable[[Any], Any],
        items: Iterable[Any],
        rows: Callable[[Any], int] = lambda item: 1,
        keeps_order: bool = False,
        size_of: Callable[[Any], int] = lambda result: 0,
    ) -> Iterator[Any]:
        """Yield `compute(item)` for the items of a stream, in their order.

        Args:
            compute: called in several threads at once where that pays.
            items: the stream.
            rows: how many rows an item has.
            keeps_order: user code may notice the order of calls: an item is slow only where each of its rows is.
            size_of: a result's size in bytes.
        """
        stream = iter(items)
        executor = self.executor

        def measure(item: Any) -> Any:
            return self._measure(compute, item, rows, keeps_order, size_of)

        if executor is None or not self._is_worth_threads():
            for item in stream:
                yield measure(item)
                if executor is not None and self._is_worth_threads():
                    break
            else:
                return
        assert executor is not None
        self._is_parallel = True
        parallel_map = self._parallel_map = OrderedParallelMap(stream, measure, self._limit, self._room)
        executor.add(parallel_map)
        try:
            for result in parallel_map:
                self._used = max(self._used, parallel_map.running)
                self._taken += 1
                self._ready += parallel_map.was_ready
                yield result
        finally:
            self._is_parallel, self._parallel_map = False, None
            executor.discard(parallel_map)

    def pieces(self, blocks: Iterable[Any]) -> Iterator[Any]:
        """Cut blocks into pieces of at most so many rows as `sizes` says."""
        sizes = self.sizes()
        for block in blocks:
            start = 0
            while start < block.size:
                limit = next(sizes)
                piece = block if start == 0 and block.size <= limit else block.pick(slice(start, start + limit))
                yield piece
                start += piece.size

    def sizes(self, largest: int = MAX_PIECE) -> Iterator[int]:
        """Yield 1, 2, 4 … `largest`: the first row comes early, overhead stays small, and slow rows come by themselves.

        Where other threads compute the rows, yield as many as make the way there worth while.
        """
        size, piece_s = 1, PIECE_S if self._processes is None else PIECE_OF_PROCESS_S
        while True:
            if self._row_s:
                enough = min(max(int(piece_s / self._row_s), 1), largest)
                size = enough if self._is_parallel else min(size, enough)
            yield size
            size = min(size * 2, largest)

    def _measure(
        self,
        compute: Callable[[Any], Any],
        item: Any,
        rows: Callable[[Any], int],
        keeps_order: bool,
        size_of: Callable[[Any], int],
    ) -> Any:
        is_timed = self._slow_items == MIN_SLOW_ITEMS - 1
        began = time.thread_time() if is_timed else 0.0
        begin = time.perf_counter()
        result = compute(item)
        took = time.perf_counter() - begin
        count = rows(item)
        self.note(count, took)
        self._row_s = took / count
        if (self._row_s if keeps_order else took) < SLOW_S:
            self._slow_items = 0
            return result
        if is_timed:
            self._waits = time.thread_time() - began < took * WAITING_SHARE
        self._slow_items += 1
        self._item_bytes = size_of(result)
        return result

    def _is_worth_threads(self) -> bool:
        return self._processes is not None or (self._workers > 1 and self._slow_items >= MIN_SLOW_ITEMS)

    def _limit(self) -> int:
        """The number of useful threads: more than there are cores only where they wait."""
        assert self.executor is not None
        return (
            self._workers
            if self._waits or self._processes is not None
            else min(self._workers, max(self.executor.cores, 2))
        )

    def _room(self) -> int:
        """Return the number of items that may be pending."""
        room = self._limit() * PREFETCH_PER_THREAD
        return min(room, MAX_PENDING_BYTES // self._item_bytes) if self._item_bytes else room

    @property
    def map_rows(self) -> RowMap:
        """The map over rows that the stage hands to whoever computes them."""
        return _StageRowMap(self)

    def share_out(self, call: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        """Call `call` for each row, with the help of threads that this stage may have and does not use."""
        parallel_map, count = self._parallel_map, len(columns[0])
        busy = 1 if parallel_map is None else parallel_map.running
        free = 0 if self.executor is None else min(self._limit() - busy, count - 1)
        if self.executor is None or free < 1:
            return list(map(call, *columns))
        rows = _SharedRows(call, list(zip(*columns, strict=True)))
        helping = self.executor.helpers(rows.take, free)
        rows.take()
        for future in helping:
            if not future.cancel():  # it has begun
                future.result()
        return rows.results()


class _StageRowMap(RowMap):
    """The map over rows of a stage."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def __call__(self, call: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        return self._stage.share_out(call, *columns)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
        executor = self._stage.executor
        return np.empty(shape, dtype) if executor is None else executor.arrays.empty(shape, dtype)


class _SharedRows:
    """Rows that several threads take one by one."""

    def __init__(self, one: Callable[..., Any], rows: list[tuple[Any, ...]]) -> None:
        self._one, self._rows = one, rows
        self._left = iter(range(len(rows)))  # a single step of the interpreter takes the next number
        self._results: list[Any] = [None] * len(rows)
        self._errors: dict[int, BaseException] = {}

    def take(self) -> None:
        """Compute rows until there are no more, or one has failed."""
        for index in self._left:
            try:
                self._results[index] = self._one(*self._rows[index])
            except BaseException as error:
                self._errors[index] = error
                for _ in self._left:  # nobody needs the others
                    pass

    def results(self) -> list[Any]:
        """Return the results, or raise what the first failing row raised."""
        if self._errors:
            raise self._errors[min(self._errors)]
        return self._results
