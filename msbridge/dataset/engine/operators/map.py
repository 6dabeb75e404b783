"""The map operator: operations on columns of each row."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset import config
from msbridge.dataset.arguments import optional_names, row_sizes
from msbridge.dataset.callback import Watch, check_callbacks
from msbridge.dataset.debug import with_hooks
from msbridge.dataset.engine.blocks import (
    Block,
    Column,
    Indexed,
    check_columns,
    replace_columns,
    replace_names,
    split_rows,
    with_row_numbers,
)
from msbridge.dataset.engine.cache import DatasetCache, check_cache
from msbridge.dataset.engine.execution.executor import Stage
from msbridge.dataset.engine.in_memory_rows import ArrayRows
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Operator
from msbridge.dataset.engine.operators.failing import ReplacementRows, replace_failing, skip_failing
from msbridge.dataset.engine.user_values import as_array, pipeline_error, user_error
from msbridge.dataset.row_random import BlockRandom, splitmix64
from msbridge.dataset.transforms.base import ChainStep, Transform, as_list, enter_row, is_pil, leave_row
from msbridge.dataset.transforms.compose import Compose, call


@dataclass(eq=False, repr=False)
class Map(Operator):
    """Operations on columns of each row.

    Transforms of this package join the column's chain and are computed later, on whole batches. A Python callable is
    called here, once for each row: in their order as long as it is quick, and by several workers where it is not.
    """

    operations: Any = None
    input_columns: Any = None
    output_columns: Any = None
    num_parallel_workers: int | None = None
    python_multiprocessing: bool = False
    cache: DatasetCache | None = None
    callbacks: Any = None
    max_rowsize: Any = None
    offload: bool | None = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        row_sizes(self.max_rowsize)
        if self.offload is not None:
            require_type(self.offload, "offload", bool)
        self.callbacks = check_callbacks(self.callbacks)
        self.operations = flatten_operations(self.operations)
        if check_cache(self.cache) is not None and self.is_random():
            raise RuntimeError(
                "For 'map', random transforms cannot be applied before a cache: their results would be kept."
            )
        self.input_columns = optional_names(self.input_columns, "input_columns")
        self.output_columns = optional_names(self.output_columns, "output_columns")
        require_type(self.python_multiprocessing, "python_multiprocessing", bool)

    def materializes(self) -> bool:
        return not self._is_deferred

    @property
    def _is_deferred(self) -> bool:
        transforms = all(isinstance(operation, Transform) and operation.deferrable for operation in self.operations)
        return transforms and not config.get_debug_mode()

    def display_name(self) -> str:
        return f"{super().display_name()}({', '.join(map(_name, self.operations))})"

    def request_workers(self) -> Iterator[int | None]:
        own, *others = super().request_workers()
        yield own or config.get_num_parallel_workers()
        yield from others

    def is_random(self) -> bool:
        return any(isinstance(operation, Transform) and not operation.deterministic for operation in self.operations)

    def _columns(self, names: list[str]) -> tuple[list[str], list[str]]:
        inputs = self.input_columns or names[:1]
        check_columns(inputs, names, "map")
        return inputs, self.output_columns or inputs

    def names(self) -> list[str]:
        names = self.children[0].names()
        return replace_names(names, *self._columns(names))

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._stream_rows(self.children[0].stream(context, epoch), context, epoch, 0)

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        if config.get_error_samples_mode() is not config.ErrorSamplesMode.RETURN:  # which rows fail counts before
            return super().stream_from(context, epoch, start)
        return self._stream_rows(self.children[0].stream_from(context, epoch, start), context, epoch, start)

    def is_paced(self) -> bool:
        return bool(self.callbacks) or super().is_paced()

    def _stream_rows(
        self, stream: Iterator[Block], context: ExecutionContext, epoch: int, start: int
    ) -> Iterator[Block]:
        """Map the rows; where one may fail, or callbacks are notified, each by itself before the next one comes.

        Such rows are computed in every pass, a cache or not: kept ones would neither fail nor be reported.
        """
        if not self.callbacks and config.get_error_samples_mode() is config.ErrorSamplesMode.RETURN:
            if self.cache is not None:
                yield from self._map_cached(stream, self.cache, context, epoch, start)
            else:
                yield from self._map_stream(stream, context, epoch, start)
            return

        def compute_row(row: Block, number: int) -> Block:
            return self._map_one(row, context, epoch, start + number)

        if not self.callbacks:
            yield from self._good_rows(stream, compute_row, context)
            return
        if self not in context.callback_watchers:
            context.callback_watchers[self] = Watch(self.callbacks)
        watch = context.callback_watchers[self]
        whole_epoch, is_last = context.epoch_of(self, epoch)
        watch.enter(whole_epoch, start)
        yield from self._good_rows(stream, watch.around(compute_row), context)
        if is_last:
            watch.epoch_end()

    def _good_rows(
        self, stream: Iterator[Block], compute: Callable[[Block, int], Block], context: ExecutionContext
    ) -> Iterator[Block]:
        """Compute rows one by one; what becomes of those that fail is a setting."""
        rows = split_rows(stream)
        match config.get_error_samples_mode():
            case config.ErrorSamplesMode.SKIP:
                return skip_failing(rows, compute)
            case config.ErrorSamplesMode.REPLACE:
                return replace_failing(rows, compute, context.replacement_rows.setdefault(self, ReplacementRows()))
            case _:
                return (compute(row, number) for number, row in enumerate(rows))

    def _map_stream(
        self, stream: Iterator[Block], context: ExecutionContext, epoch: int, start: int
    ) -> Iterator[Block]:
        stream_id = splitmix64(context.stream_ids[self])
        if self._is_deferred:
            return self._append_steps(stream, stream_id)
        return self._map_eager(stream, context, stream_id, (context.seed, stream_id, epoch), start)

    def _map_cached(
        self, stream: Iterator[Block], cache: DatasetCache, context: ExecutionContext, epoch: int, start: int
    ) -> Iterator[Block]:
        """Map each row of a source once, and keep it; rows that no source knows by an index are computed again."""
        for number, row in enumerate(split_rows(stream), start):
            names = replace_names(list(row.columns), *self._columns(list(row.columns)))

            def values(_: Any, row: Block = row, number: int = number) -> list[Any]:
                computed = self._map_one(row, context, epoch, number).with_values()
                return [tuple(as_list(column.rows(None))[0] for column in computed.columns.values())]

            known = row.index()
            kept = values(None) if known is None else cache.rows(self, known[0], [known[1]], values)
            yield Block({name: Column([value]) for name, value in zip(names, kept[0], strict=True)}, 1, row.keys)

    def _map_one(self, row: Block, context: ExecutionContext, epoch: int, number: int) -> Block:
        """Map a single row here and now."""
        stream_id = splitmix64(context.stream_ids[self])
        if self._is_deferred:
            return next(self._append_steps(iter([row]), stream_id)).with_values()
        called, failure = self._map_block(row, number, stream_id, (context.seed, stream_id, epoch), Stage(1))
        if failure is not None:
            raise failure
        return called

    def _append_steps(self, stream: Iterator[Block], stream_id: int) -> Iterator[Block]:
        """Append the transforms to the column's steps; they run when its values are needed."""
        steps = tuple(
            ChainStep(operation, splitmix64(stream_id + number)) for number, operation in enumerate(self.operations)
        )
        for block in stream:
            inputs, outputs = self._columns(list(block.columns))
            if len(inputs) != 1:
                name = type(steps[0].transform).__name__
                raise pipeline_error(f"map operation: [{name}] failed. It takes one column, got {inputs}.")
            if len(outputs) != 1:
                raise _wrong_count(1, outputs)
            mapped = _with_steps(block.columns[inputs[0]], steps)
            yield Block(replace_columns(block.columns, inputs, outputs, [mapped]), block.size, block.keys)

    def _map_eager(
        self, stream: Iterator[Block], context: ExecutionContext, stream_id: int, place: tuple[int, ...], number: int
    ) -> Iterator[Block]:
        """Call the operations row by row; rows before a failing one are delivered.

        Args:
            stream: the rows.
            context: of the execution.
            stream_id: sets the random numbers of this node apart.
            place: identifies this pass.
            number: of the first row within the pass.
        """
        stage = context.stage(self)
        calls = stage.map(
            lambda item: self._map_block(item[0], item[1], stream_id, place, stage),
            with_row_numbers(stage.pieces(stream), number),
            rows=lambda item: item[0].size,
            keeps_order=True,
        )
        for block, failure in calls:
            if block.size:
                yield block
            if failure is not None:
                raise failure

    def worker_function(self) -> Callable[..., Any] | None:
        by_itself = self.callbacks or config.get_error_samples_mode() is not config.ErrorSamplesMode.RETURN
        return self._call_rows if self.python_multiprocessing and not self._is_deferred and not by_itself else None

    def _map_block(
        self, block: Block, number: int, stream_id: int, place: tuple[int, ...], stage: Stage
    ) -> tuple[Block, Exception | None]:
        """Return the rows up to a failing one, and its error."""
        inputs, outputs = self._columns(list(block.columns))
        taken = [as_list(block.columns[name].rows(block.keys, map_rows=stage.map_rows)) for name in inputs]
        keys = None if block.keys is None else block.keys ^ np.uint64(stream_id)
        computed, failure = stage.call(self._call_rows, list(zip(*taken, strict=True)), keys, outputs, number, place)
        size = len(computed[0])
        whole = block if size == block.size else block.pick(slice(0, size))
        columns = replace_columns(whole.columns, inputs, outputs, [Column(values) for values in computed])
        return Block(columns, size, whole.keys), failure

    def _call_rows(
        self,
        rows: list[tuple[Any, ...]],
        keys: np.ndarray | None,
        outputs: list[str],
        number: int,
        place: tuple[int, ...],
    ) -> tuple[list[list[Any]], Exception | None]:
        """Return the values of each output for the rows up to a failing one, and its error."""
        draws: Any = [None] * len(rows) if keys is None else BlockRandom(keys)
        computed: list[list[Any]] = [[] for _ in outputs]
        operations = self.operations
        if config.get_debug_mode():
            operations = with_hooks(operations, config.debug_hooks(), _name)
        try:
            for row_number, (row, draw) in enumerate(zip(rows, draws, strict=True), number):
                enter_row(*place, row_number)
                results = call_operations(operations, row, draw)
                if len(results) != len(outputs):
                    raise _wrong_count(len(results), outputs)
                for values, result in zip(computed, results, strict=True):
                    values.append(result)
        except Exception as error:
            return computed, error
        finally:
            leave_row()
        return computed, None


def _with_steps(column: Column, steps: tuple[ChainStep, ...]) -> Column:
    """Append steps to a column; the results of costly ones at the start of the chain are cached beside the source."""
    costly = [number for number, step in enumerate(steps, 1) if step.transform.costly]
    steady = all(step.transform.deterministic for step in steps)
    if not costly or not steady or column.steps or not isinstance(column.base, Indexed):
        return Column(column.base, column.steps + steps)
    if not isinstance(column.base.fetch, ArrayRows):
        return Column(column.base, column.steps + steps)
    kept = column.base.fetch.through(steps[: costly[-1]])
    return Column(Indexed(kept, column.base.indices), steps[costly[-1] :])


def call_operations(operations: list[Callable[..., Any]], row: tuple[Any, ...], draw: Any) -> tuple[Any, ...]:
    """Run operations in sequence on the values of a row; each gets what the one before returned."""
    for number, operation in enumerate(operations):
        try:
            result = call(operation, row, None if draw is None else draw.child(number))
        except RuntimeError as error:
            if isinstance(operation, Transform):
                raise pipeline_error(f"map operation: [{type(operation).__name__}] failed. {error}") from error
            raise user_error(error, f"map operation {_name(operation)}") from error
        except Exception as error:
            raise user_error(error, f"map operation {_name(operation)}") from error
        row = result if isinstance(result, tuple) else (result,)
    try:
        return tuple(value if is_pil(value) else as_array(value) for value in row)
    except TypeError as error:
        raise user_error(error, f"what {_name(operations[-1])} returned") from error


def flatten_operations(operations: Any) -> list[Callable[..., Any]]:
    """Return the operations of `map`'s argument as one list, those inside Composes included.

    Raises:
        ValueError: an operation is not callable.
        RuntimeError: there are none.
    """
    listed = list(operations) if isinstance(operations, (list, tuple)) else [operations]
    if not listed or operations is None:
        raise pipeline_error("Map: No 'operations' are specified.")
    flat: list[Callable[..., Any]] = []
    for operation in listed:
        is_class = isinstance(operation, type) and issubclass(operation, Transform)
        if is_class or hasattr(operation, "construct"):
            raise ValueError(
                "Input operations should be transforms (made, with parentheses) or Python functions, not classes or "
                f"networks, but got: {operation!r}."
            )
        if not callable(operation):
            raise ValueError(
                "Parameter operations's element of method map should be a python function or class method which should "
                "be "
                f"callable, but got: {operation!r}. It doesn't need parentheses for python function or class method."
            )
        flat.extend(operation.parts() if isinstance(operation, Compose) else [operation])
    return flat


def _wrong_count(got: int, outputs: list[str]) -> RuntimeError:
    return pipeline_error(
        "Invalid columns, the number of columns returned in 'map' operations should match the number of "
        f"'output_columns', but got the number of columns returned in 'map' operations: {got}, the number of "
        f"'output_columns': {len(outputs)} {outputs}."
    )


def _name(operation: Any) -> str:
    return getattr(operation, "__name__", type(operation).__name__)
