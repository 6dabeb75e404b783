"""Nodes: the parts of a pipeline, and the context of an execution that leads rows through them.

    iterator ──► prepare(root, seed) ──► ExecutionContext      numbers of nodes, block sizes, executor: of one execution
        └──────► root._stream(context, epoch) ◄── blocks ── child._stream(…) ◄── … ◄── source

A node holds settings, and nothing of an execution: several iterators may run through it at once. Its protocol:

- `_stream`, `_stream_from`, `_stream_at`: the blocks of one pass, from a row on, or at some positions. Only the first
  is required; a node that need not do the work of rows before overrides the second, a source the third.
- `_names`, `_size`: column names and number of rows, without reading rows where that is possible.
- `_rows_per_request`, `_materializes`, `_requested_workers`: how large the blocks of children are, and who has to
  compute the transforms that are still deferred (`blocks.py`), with how many workers.
- `_worker_function`: what worker processes call, which are forked before the iterator has threads.
- `_consumer_pass`, `is_paced`, `is_sync`, `is_endless`, `is_random`, `is_shuffled`, `is_sharded`: facts that others
  ask.
"""

import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import typed
from msbridge.dataset import config
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.blocks import Block, output_rows, skip_rows, take_rows
from msbridge.dataset.engine.cache import DatasetCache, check_cache
from msbridge.dataset.engine.executor import MAX_PIECE, Executor, Stage
from msbridge.dataset.row_random import fold_in, splitmix64_array

Release = Callable[[int | None, Any], None]  # lets so many rows pass, and takes data

DICT_SHAPE, DICT_TYPE = (0,), np.dtype(object)  # what a column of dicts is called
ORDER_SEED_OF_SHARDS = 0  # shards must agree on one order although nobody set a seed


class Node:
    """One part of a pipeline: its settings, and the nodes whose rows it takes. Positions are held by iterators only.

    Subclasses implement `_stream` and, where they differ from those of the first child, `_names` and `_size`.

    Args:
        children: the nodes whose rows this one takes, or one of them; None is a source.
        num_parallel_workers: threads for this node; None takes the global setting.
        cache: keeps the rows of readers for later passes.

    Raises:
        TypeError: a child is not a dataset.
    """

    children: "list[Node]"
    parent: "list[weakref.ref[Node]]"
    num_parallel_workers: int | None = None
    cache: DatasetCache | None = None
    shares_input: ClassVar[bool] = False
    _counted_size: int | None = None
    _last_size: int | None = None
    _init_step: int | None = None

    def __init__(
        self,
        children: "Node | list[Node] | tuple[Node, ...] | None" = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        self._take_rows_of(children)
        self.num_parallel_workers = worker_count(num_parallel_workers)
        self.cache = check_cache(cache)

    def _take_rows_of(self, children: "Node | list[Node] | tuple[Node, ...] | None") -> None:
        listed = [] if children is None else [children] if isinstance(children, Node) else children
        for child in typed(listed, "children", (list, tuple)):
            if not isinstance(child, Node):
                raise TypeError(f"Invalid dataset, expected Dataset object, but got {type(child)}!")
        self.children = list(listed)
        self.parent = []
        for child in self.children:
            child.parent.append(weakref.ref(self))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "parent": []}  # a copy has nobody who takes its rows

    def _stream(self, context: "ExecutionContext", epoch: int) -> Iterator[Block]:
        """Yield the rows of one pass; `epoch` numbers the passes of this node within an execution."""
        raise _no_rows(self)

    def _stream_from(self, context: "ExecutionContext", epoch: int, start: int) -> Iterator[Block]:
        """Yield the rows of one pass from row `start` on; operators that can do no work for those before."""
        return skip_rows(self._stream(context, epoch), start)

    def _stream_at(self, context: "ExecutionContext", epoch: int, positions: np.ndarray) -> Iterator[Block]:
        """Yield the rows at these positions of a pass; sources that can do no work for the others.

        They come in the order of the positions, or of each `HELD_ROWS` of them where more would have to be held.
        """
        return take_rows(self._stream(context, epoch), positions)

    def _names(self) -> list[str]:
        """Return the column names in order."""
        return self._first()._names()

    def _size(self) -> int | None:
        """Return the number of rows of one pass, or None where only running tells."""
        return self._first()._size()

    def _first(self) -> "Node":
        """Return the first child, whose columns and rows a node has unless it says otherwise."""
        if not self.children:
            raise _no_rows(self)
        return self.children[0]

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Run one pass in the calling thread."""
        context = prepare(self, config.draw_seed())
        return output_rows(self._stream(context, 0), context.stage(self, "rows"))

    def _workers(self) -> int:
        """How many workers may compute at once: the most that this node, or one whose work is left to it, may have."""
        return max(self._requested_workers(), default=config.get_num_parallel_workers())

    def _rows_per_request(self, asked: int) -> int:
        """Return how many rows this node takes at a time, where `asked` at a time are taken from it."""
        return asked

    def _materializes(self) -> bool:
        """Whether no transforms of earlier nodes are left to be applied to this node's rows."""
        return False

    def _worker_function(self) -> Callable[..., Any] | None:
        """Return the method that this node calls by `Stage.call`, where worker processes shall compute it."""
        return None

    def _display_name(self) -> str:
        """Return what reports call this node."""
        return type(self).__name__

    def _requested_workers(self) -> Iterator[int]:
        if self.num_parallel_workers is not None:
            yield self.num_parallel_workers
        for child in self.children:
            if not child._materializes():
                yield from child._requested_workers()

    def _consumer_pass(self, number: int) -> tuple[int, bool]:
        """Return the pass of this node in which pass `number` of a child lies, and whether it is the last one there."""
        return number, True

    def is_paced(self) -> bool:
        """Whether somewhere a row may wait until those before it were used: each has to be handed on by itself."""
        return self.is_sync() or any(child.is_paced() for child in self.children)

    def is_sync(self) -> bool:
        """Whether there is a `sync_wait`.

        Follows: mindspore.dataset.Dataset.is_sync (2.10).
        """
        return any(child.is_sync() for child in self.children)

    def get_sync_notifiers(self) -> dict[str, Release]:
        """Return what lets rows pass at each `sync_wait` below, by the name of its condition.

        Follows: mindspore.dataset.Dataset.get_sync_notifiers (2.10).
        """
        return {name: release for child in self.children for name, release in child.get_sync_notifiers().items()}

    def disable_sync(self) -> None:
        """Let all rows pass at each `sync_wait` below.

        Follows: mindspore.dataset.Dataset.disable_sync (2.10).
        """
        for child in self.children:
            child.disable_sync()

    def is_endless(self) -> bool:
        """Whether a pass never ends."""
        return any(child.is_endless() for child in self.children)

    def is_random(self) -> bool:
        """Whether this node applies random transforms."""
        return False

    def is_shuffled(self) -> bool:
        """Whether the order of rows is random.

        Follows: mindspore.dataset.Dataset.is_shuffled (2.10).
        """
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether only a shard of the rows is read.

        Follows: mindspore.dataset.Dataset.is_sharded (2.10).
        """
        return any(child.is_sharded() for child in self.children)

    def get_dataset_size(self) -> int:
        """Return the number of rows (batches, after `batch`) of one pass; endless repeats count once.

        Follows: mindspore.dataset.Dataset.get_dataset_size (2.10).
        """
        size = self._size()
        if size is not None:
            self._last_size = size
            return size
        if self._counted_size is None:
            self._counted_size = sum(block.size for block in self._stream(prepare(self, config.draw_seed()), 0))
        self._last_size = self._counted_size
        return self._counted_size

    def __len__(self) -> int:
        return self.get_dataset_size()

    def get_batch_size(self) -> int:
        """Return the batch size of the last `batch` (of several inputs, the last), 1 without one, -1 for a function's.

        Follows: mindspore.dataset.Dataset.get_batch_size (2.10).
        """
        return self.children[-1].get_batch_size() if self.children else 1

    def get_repeat_count(self) -> int:
        """Return the count of the last `repeat`, of the last of several inputs; 1 without one, -1 where it is endless.

        Follows: mindspore.dataset.Dataset.get_repeat_count (2.10).
        """
        return self.children[-1].get_repeat_count() if self.children else 1

    def get_col_names(self) -> list[str]:
        """Return the column names in order.

        Follows: mindspore.dataset.Dataset.get_col_names (2.10).
        """
        return self._names()

    def get_class_indexing(self) -> dict[str, Any]:
        """Return the class indices by class name; empty where the source has none.

        Follows: mindspore.dataset.Dataset.get_class_indexing (2.10).
        """
        return self.children[0].get_class_indexing() if self.children else {}

    def num_classes(self) -> int | None:
        """Return the number of classes, or None where the source does not know.

        Follows: mindspore.dataset.Dataset.num_classes (2.10).
        """
        return self.children[0].num_classes() if self.children else None

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """Return the shape of each column, as the first row has it.

        Args:
            estimate: look at all rows instead; a dimension that differs is None.

        Follows: mindspore.dataset.Dataset.output_shapes (2.10).
        """
        typed(estimate, "estimate", bool)
        shapes: list[list[int | None]] | None = None
        for row in self._rows():
            found: list[list[int | None]] = [list(getattr(value, "shape", DICT_SHAPE)) for value in row.values()]
            if shapes is not None:
                found = [
                    [a if a == b else None for a, b in zip(*pair, strict=True)]
                    for pair in zip(shapes, found, strict=True)
                ]
            shapes = found
            if not estimate:
                break
        return shapes or []

    def output_types(self) -> list[np.dtype]:
        """Return the numpy dtype of each column, as the first row has it.

        Follows: mindspore.dataset.Dataset.output_types (2.10).
        """
        for row in self._rows():
            kinds = [getattr(value, "dtype", DICT_TYPE) for value in row.values()]
            return [np.dtype(kind.kind) if kind.kind in "US" else kind for kind in kinds]
        return []

    def set_init_step(self, init_step: int) -> None:
        """Set the row (batch, after `batch`) that new iterators begin with, counted over all their passes.

        Args:
            init_step: how many rows are done already. Iterators begin in pass `init_step // get_dataset_size()`, which
                counts as one of theirs, with its order and its random numbers.

        Follows: mindspore.dataset.Dataset.set_init_step (2.10).
        """
        self._init_step = init_step

    def get_init_step(self) -> int:
        """Return what was set with `set_init_step`, here or below the operators of one input, else 0.

        Follows: mindspore.dataset.Dataset.get_init_step (2.10).
        """
        if self._init_step is not None:
            return self._init_step
        return self.children[0].get_init_step() if len(self.children) == 1 else 0


def _no_rows(node: Node) -> NotImplementedError:
    return NotImplementedError(f"{type(node).__name__} has no rows of its own: it is no reader and no operator.")


@dataclass(eq=False, repr=False)
class Operator(Node):
    """A node that takes the rows of one input; its fields are the operator's arguments."""

    input_dataset: InitVar[Node]

    def __post_init__(self, input_dataset: Node) -> None:
        self._take_rows_of([input_dataset])
        worker_count(self.num_parallel_workers)


@dataclass(eq=False, repr=False)
class Junction(Node):
    """A node that takes the rows of several inputs."""

    datasets: InitVar[Node | Sequence[Node]]

    def __post_init__(self, datasets: Node | Sequence[Node]) -> None:
        self._take_rows_of(datasets if isinstance(datasets, Node) else list(datasets))
        nodes = [id(node) for child in self.children for node in walk(child, into_shared=False)]
        if len(set(nodes)) < len(nodes):
            raise ValueError(
                "The data pipeline is not a tree (i.e., one node has 2 consumers): it joins a dataset twice."
            )


@dataclass(frozen=True, slots=True)
class ExecutionContext:
    """Settings of one execution of a pipeline, which its iterator hands to every node.

    Attributes:
        seed: of the whole execution.
        stream_ids: a number for each node, by identity, so that nodes draw different random numbers.
        needs_row_keys: some transform draws random numbers, so rows need keys.
        block_sizes: how many rows at a time are taken from each node, by identity: sources make blocks of so many.
        executor: of the iterator; without one, everything is computed in the thread that asks.
        order_seed: where set, orders come from it and are the same in each epoch (both parts of a split must agree).
        consumers: the node that takes a node's rows, by identity.
        callback_watchers: what tells a node's callbacks where the execution is, by identity.
        replacement_rows: the rows that replace those for which a node fails, by identity.
    """

    seed: int
    stream_ids: dict[int, int]
    needs_row_keys: bool
    block_sizes: dict[int, int]
    executor: Executor | None = None
    order_seed: int | None = None
    consumers: dict[int, Node] = field(default_factory=dict)
    callback_watchers: dict[int, Any] = field(default_factory=dict)
    replacement_rows: dict[int, Any] = field(default_factory=dict)

    def stage(self, node: Node, what: str = "") -> Stage:
        """Return the stage at which `node` computes; one that computes two things has two."""
        if self.executor is None:
            return Stage(1)
        return self.executor.stage((id(node), what), node._workers(), what or node._display_name())

    def generator(self, node: Node, epoch: int) -> np.random.Generator:
        """Return the generator from which `node` takes its order in this epoch."""
        if self.order_seed is not None:
            return np.random.default_rng(fold_in(self.order_seed, self.stream_ids[id(node)]))
        return np.random.default_rng(fold_in(self.seed, self.stream_ids[id(node)], epoch))

    def epoch_of(self, node: Node, number: int) -> tuple[int, bool]:
        """Return the epoch of the whole pipeline in which a node's pass lies, and whether it is the last one there."""
        is_last = True
        while id(node) in self.consumers:
            node = self.consumers[id(node)]
            number, last_here = node._consumer_pass(number)
            is_last = is_last and last_here
        return number, is_last

    def keys(self, node: Node, epoch: int, indices: np.ndarray) -> np.ndarray | None:
        """Return the keys of a source's rows, which are numbered by `indices` within this epoch."""
        if not self.needs_row_keys:
            return None
        return splitmix64_array(
            np.uint64(fold_in(self.seed, self.stream_ids[id(node)], epoch)) ^ indices.astype(np.uint64)
        )

    def with_fixed_order(self, order_seed: int) -> "ExecutionContext":
        """Return a context whose nodes keep one order in all epochs."""
        return replace(self, order_seed=order_seed)


def prepare(root: Node, seed: int, executor: Executor | None = None) -> ExecutionContext:
    """Number the nodes of a pipeline and find out whether its rows need keys."""
    stream_ids: dict[int, int] = {}
    consumers: dict[int, Node] = {}
    needs_row_keys = False
    for node in walk(root):
        stream_ids.setdefault(id(node), len(stream_ids) + 1)
        consumers.update((id(child), node) for child in node.children)
        needs_row_keys = needs_row_keys or node.is_random()
    block_sizes: dict[int, int] = {}
    _set_block_sizes(root, 1, block_sizes)
    return ExecutionContext(seed, stream_ids, needs_row_keys, block_sizes, executor, consumers=consumers)


def _set_block_sizes(node: Node, count: int, sizes: dict[int, int]) -> None:
    count = sizes[id(node)] = min(count, sizes.get(id(node), MAX_PIECE))
    for child in node.children:
        _set_block_sizes(child, node._rows_per_request(count), sizes)


def fork_workers(root: Node, context: ExecutionContext) -> None:
    """Start the processes of a pipeline's nodes."""
    for node in walk(root):
        function = node._worker_function()
        if function is not None and hasattr(os, "fork"):
            context.stage(node).fork(node._workers(), function)


def walk(root: Node, *, into_shared: bool = True) -> Iterator[Node]:
    """Visit a pipeline's nodes from the sources to the end, so that nodes added later change no earlier numbers.

    Args:
        root: the end.
        into_shared: visit also what several parts of one `split` have below them.
    """
    if into_shared or not root.shares_input:
        for child in root.children:
            yield from walk(child, into_shared=into_shared)
    yield root
