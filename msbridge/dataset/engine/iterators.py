"""Iterators: the only place that holds the position in a pipeline."""

import weakref
from collections import deque
from collections.abc import Callable
from collections.abc import Iterator as PythonIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

import msbridge.ops  # noqa: F401 - the Tensors that are returned have the methods that it attaches
from msbridge.core.checks.arguments import int_within, require_type
from msbridge.core.context.context import torch_device
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.construction import share
from msbridge.core.tensor.tensor import Tensor, wrap_numpys
from msbridge.dataset import config
from msbridge.dataset.engine.blocks import output_rows, row_shapes, row_types, skip_rows
from msbridge.dataset.engine.execution.executor import Executor
from msbridge.dataset.engine.execution.pipeline_report import PipelineReport
from msbridge.dataset.engine.execution.prefetch import DirectRows, PrefetchedRows
from msbridge.dataset.engine.nodes import ExecutionContext, HasNode, Node, fork_workers, node_of, prepare
from msbridge.dataset.engine.operators.select import Project
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.device.channel import send

__all__ = ["DictIterator", "Iterator", "TupleIterator"]

Row = dict[str, Any]
_EPOCH_END: Row = {}
METADATA = "_meta-"  # how the names of columns begin that no row shows, unless they are renamed


class Iterator:
    """Successive passes over a dataset; a pass left half-way is continued by the next loop.

    Args:
        dataset: the pipeline.
        num_epochs: number of passes; -1 is any number.
        output_numpy: yield ndarrays instead of Tensors.
        do_copy: accepted without effect.
    """

    _columns: str | list[str] | None = None  # to keep, in order

    def __init__(
        self, dataset: HasNode, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> None:
        int_within(num_epochs, "num_epochs", -1)
        require_type(output_numpy, "output_numpy", bool)
        require_type(do_copy, "do_copy", bool)
        if num_epochs == 0:
            raise RuntimeError("Syntax error. num_epochs must be -1 or positive, got 0.")
        node = node_of(dataset) if self._columns is None else Project(dataset, self._columns)
        names = node.names()  # a pipeline that is not sound fails here
        if visible := [name for name in names if not name.startswith(METADATA)]:
            node = node if len(visible) == len(names) else Project(node, visible)
        self._node = node
        self._num_epochs = num_epochs
        self._output_numpy = output_numpy
        self._context = prepare(node, config.draw_seed())
        self._epoch, self._step = _place(node, dataset.get_init_step(), num_epochs)
        self._resumed_at = self._step if self._epoch or self._step else None  # until the thread is started there
        self._executor: Executor | None = None
        self._rows: PrefetchedRows | DirectRows | None = None
        self._ends_prefetch: weakref.finalize[..., Iterator] | None = None
        self._ends_executor: weakref.finalize[..., Iterator] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        row = self._next_row()
        self._step += 1
        return self._form(row)

    def _form(self, row: Row) -> Any:
        raise NotImplementedError

    def _next_row(self) -> Row:
        if self._num_epochs != -1 and self._epoch >= self._num_epochs:
            self.stop()
            raise pipeline_error(
                f"User tries to fetch data beyond the specified number of epochs: num_epochs is {self._num_epochs}."
            )
        if self._rows is None:
            self._open()
        elif self._rows.is_inherited:  # this is a forked process: it continues by itself, from here
            self._resumed_at = self._step
            self._executor = None
            self._open()
        try:
            row = self._rows.take()  # type: ignore[union-attr]
        except StopIteration:  # nobody may ever ask for the next pass; the executor waits for it
            self._close_rows()
            row = _EPOCH_END
        except BaseException:
            self.stop()
            raise
        if row is _EPOCH_END:
            self._epoch += 1
            self._step = 0
            if self._num_epochs == -1:
                self._close_rows()
            elif self._epoch == self._num_epochs:
                self.stop()
            raise StopIteration
        return row

    def _open(self) -> None:
        """Start the thread: for all passes that were announced, else for one (nobody may ever ask for the next)."""
        resumed_at, self._resumed_at = self._resumed_at, None
        last = self._num_epochs if self._num_epochs != -1 else self._epoch + 1
        epochs = range(self._epoch, last)
        if config.get_debug_mode():
            self._rows = DirectRows(_passes(self._node, self._context, epochs, resumed_at))
            return
        is_new = self._executor is None
        if self._executor is None:
            self._executor = Executor()
            self._ends_executor = _finalizer(self, self._executor.close)
        node, context = self._node, replace(self._context, executor=self._executor)
        prefetch, meter = config.get_prefetch_size(), self._executor.meter
        if is_new:
            fork_workers(node, context)  # before this iterator has threads
        self._rows = PrefetchedRows(lambda: _passes(node, context, epochs, resumed_at), prefetch, _size_of, meter)
        self._ends_prefetch = _finalizer(self, self._rows.close)

    def _close_rows(self) -> None:
        if self._ends_prefetch is not None:
            self._ends_prefetch()
        self._rows = self._ends_prefetch = None

    def stop(self) -> None:
        """Stop the threads and processes that read ahead; reading on restarts the pass.

        Follows: mindspore.dataset iterators' stop (2.10).
        """
        self._close_rows()
        if self._ends_executor is not None:
            self._ends_executor()
        self._executor = self._ends_executor = None

    def release(self) -> None:
        """Stop the threads and processes that read ahead.

        Follows: mindspore.dataset iterators' release (2.10).
        """
        self.stop()

    def report(self) -> PipelineReport | None:
        """Return the times so far, node by node; None before the first row and after `stop`."""
        return None if self._executor is None else self._executor.report()

    def position(self) -> dict[str, int]:
        """Return the position: the seed of the run, the pass, and the number of rows read in it."""
        return {"seed": self._context.seed, "epoch": self._epoch, "step": self._step}

    def seek(self, position: dict[str, int]) -> None:
        """Continue from a position that `position` returned, with the same orders and random numbers."""
        self.stop()
        self._context = prepare(self._node, position["seed"])
        self._epoch, self._step = position["epoch"], position["step"]
        self._resumed_at = self._step
        self._open()

    def begin_at(self, step: int, seed: int) -> None:
        """Begin at a row that is counted over all passes, with the orders and random numbers of `seed`."""
        epoch, step = _place(self._node, step, self._num_epochs)
        self.seek({"seed": seed, "epoch": epoch, "step": step})

    def get_dataset_size(self) -> int:
        """Return the number of rows of one pass."""
        return self._node.count_rows()

    def get_batch_size(self) -> int:
        """Return the batch size."""
        return self._node.rows_per_batch()

    def get_repeat_count(self) -> int:
        """Return the repeat count."""
        return self._node.repetitions()

    def get_col_names(self) -> list[str]:
        """Return the column names in order."""
        return self._node.names()

    def output_shapes(self) -> list[list[int | None]]:
        """Return the shape of each column."""
        return row_shapes(self._node.rows())

    def output_types(self) -> list[np.dtype]:
        """Return the dtype of each column."""
        return row_types(self._node.rows())

    def _value(self, value: Any) -> Any:
        if self._output_numpy:
            return value
        if isinstance(value, dict):
            return {key: self._value(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):  # within a dict
            return type(value)(map(self._value, value))
        if not isinstance(value, np.ndarray) or value.dtype.kind in "US":  # MindSpore yields these as they are, too
            return value
        return _to_tensors([value])[0]


def _to_tensors(arrays: list[np.ndarray]) -> list[Tensor]:
    """Return Tensors of arrays of numbers, on the context's device."""
    link.bytes_sent += sum(array.nbytes for array in arrays)
    datas = list(map(share, arrays))
    device = torch_device()
    if device.type != "cpu":
        datas = send(datas, device)
    return list(map(wrap_numpys, datas))


class DictIterator(Iterator):
    """Rows as dicts from column name to value.

    Follows: mindspore.dataset.DictIterator (2.10).
    """

    if TYPE_CHECKING:

        def __next__(self) -> dict[str, Any]: ...

    def _form(self, row: Row) -> dict[str, Any]:
        return {name: self._value(value) for name, value in row.items()}


class TupleIterator(Iterator):
    """Rows as lists of values in the order of the columns.

    Follows: mindspore.dataset.TupleIterator (2.10).
    """

    def __init__(
        self,
        dataset: HasNode,
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> None:
        if columns is not None:
            self._columns = require_type(columns, "columns", (list, str))
        super().__init__(dataset, num_epochs, output_numpy, do_copy)

    if TYPE_CHECKING:

        def __next__(self) -> list[Any]: ...

    def _form(self, row: Row) -> list[Any]:
        values = list(row.values())
        if self._output_numpy or any(type(value) is not np.ndarray or value.dtype.kind in "US" for value in values):
            return list(map(self._value, values))
        return _to_tensors(values)


def _finalizer(iterator: Iterator, close: Callable[[], None]) -> "weakref.finalize[..., Iterator]":
    """Let `close` be called when the iterator is collected; at exit, all workers are closed and waited for together."""
    finalizer = weakref.finalize(iterator, close)
    finalizer.atexit = False
    return finalizer


def _place(node: Node, step: int, num_epochs: int) -> tuple[int, int]:
    """Return the pass and the row within it of a step that is counted over all passes."""
    if step == 0:
        return 0, 0
    size = node.count_rows()
    if step < 0:
        raise pipeline_error(f"Cannot reset the pipeline, reset step must be >= 0. step: {step}")
    if size == 0 or step >= size * num_epochs > 0:
        raise pipeline_error(
            "Cannot reset the pipeline, reset step must be less than dataset_size * num_epochs. "
            f"step: {step}, dataset_size: {size}, num_epochs: {num_epochs}"
        )
    return (0, step) if node.is_endless() else divmod(step, size)


def _passes(node: Node, context: ExecutionContext, epochs: range, resumed_at: int | None) -> PythonIterator[Row]:
    for epoch in epochs:
        if resumed_at is None:
            stream = node.stream(context, epoch)
        elif config.get_fast_recovery():
            stream = node.stream_from(context, epoch, resumed_at)
        else:
            for earlier in range(epoch):
                deque(node.stream(context, earlier), maxlen=0)
            stream = skip_rows(node.stream(context, epoch), resumed_at)
        resumed_at = None
        yield from output_rows(stream, context.stage(node, "rows"))
        yield _EPOCH_END


def _size_of(row: Row) -> int:
    return sum(value.nbytes for value in row.values() if isinstance(value, np.ndarray))
