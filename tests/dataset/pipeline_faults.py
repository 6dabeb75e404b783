"""Pipelines with a fault in user code, and what has to become of each."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from msbridge import dataset as ds
from msbridge import nn, train

ROWS = 24
SOON_S = 5.0
LOADED_S = 60.0  # beyond, for machines that are busy with other tests


def _killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _raise(error: BaseException) -> None:
    raise error


FAULTS: dict[str, Callable[[], Any]] = {
    "error": lambda: 1 // 0,
    "exit": lambda: _raise(SystemExit(3)),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "stop": lambda: _raise(StopIteration()),
    "nothing": lambda: None,
    "killed": _killed,
    "gone": lambda: os._exit(7),
}
ENDS = ("killed", "gone")  # faults of a whole process
NODES = ("source", "map", "per_batch_map", "filter")
CONSUMERS = ("iterator", "train", "sink")
WORKERS = {"alone": (1, False), "threads": (3, False), "processes": (2, True)}


@dataclass(frozen=True)
class Case:
    """A fault in row `at` of a node, with its workers, and who reads the rows."""

    fault: str
    node: str
    workers: str
    consumer: str
    at: int

    def __str__(self) -> str:
        return f"{self.fault} in {self.node}, {self.workers}, {self.consumer}"

    @staticmethod
    def is_possible(fault: str, node: str, workers: str) -> bool:
        """Whether the fault can occur: only worker processes may be killed; a predicate has none, and may be None."""
        if workers == "processes":
            return node != "filter"
        return fault not in ENDS and (fault, node) != ("nothing", "filter")

    def run(self) -> str | None:
        """Return what is wrong, in a sentence, or None."""
        before, children = set(threading.enumerate()), _children()
        begin, seen, caught = time.monotonic(), 0, None
        try:
            for _ in self._read():
                seen += 1
        except RuntimeError as error:
            caught = error
        except BaseException as error:
            return f"{self}: the consumer got {error!r}"
        took = time.monotonic() - begin
        if caught is None:
            return f"{self}: it was lost; {seen} rows came"
        if self.consumer == "iterator" and seen > self.at:
            return f"{self}: {seen} rows came before row {self.at} failed"
        if took > SOON_S + LOADED_S:
            return f"{self}: told only after {took:.1f} s"
        caught.__traceback__ = None
        del caught
        gc.collect()
        for thread in set(threading.enumerate()) - before:
            thread.join(SOON_S + LOADED_S)
        if left := set(threading.enumerate()) - before:
            return f"{self}: threads are left: {left}"
        return f"{self}: processes are left: {left}" if (left := _children() - children) else None

    def _read(self) -> Any:
        if self.consumer == "iterator":
            return self._data().create_tuple_iterator(num_epochs=1)
        net = nn.Dense(1, 1)
        model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))
        model.train(1, self._data(), dataset_sink_mode=self.consumer == "sink")
        return ()

    def _data(self) -> ds.Dataset:
        count, in_processes = WORKERS[self.workers]
        fail, at = FAULTS[self.fault], self.at

        def checked(value: Any) -> Any:
            return fail() if int(np.ravel(value)[0]) == at else value

        class Source:
            def __len__(self) -> int:
                return ROWS

            def __getitem__(self, index: int) -> Any:
                value = np.full(1, index, np.float32)
                return (checked(value), value) if place == "source" else (value, value)

        place = self.node
        data: ds.Dataset = ds.GeneratorDataset(
            Source(), ["x", "y"], shuffle=False, num_parallel_workers=count, python_multiprocessing=in_processes
        )
        if place == "map":
            data = data.map(checked, "x", num_parallel_workers=count, python_multiprocessing=in_processes)
        elif place == "filter":
            data = data.filter(lambda x: checked(x) >= 0, "x", num_parallel_workers=count)
        elif place == "per_batch_map":
            return data.batch(
                1,
                num_parallel_workers=count,
                per_batch_map=lambda x, y, info: ([checked(row) for row in x], y),
                python_multiprocessing=in_processes,
            )
        return data.batch(1)


def _children() -> set[str]:
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())
