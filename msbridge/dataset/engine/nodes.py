"""Nodes: the parts of a pipeline, and the context of an execution that leads rows through them.

    dataset ──has──► node ──children──► node ──► … ──► Source ──asks──► reader
    iterator ──► prepare(root, seed) ──► ExecutionContext      numbers of nodes, block sizes, executor: of one execution
        └──────► root.stream(context, epoch) ◄── blocks ── child.stream(…) ◄── … ◄── source

A dataset is what scripts hold: MindSpore's class, with its methods. Its node is what an execution walks through. A
node holds settings, and nothing of an execution, so several iterators may run through it at once; all that belongs to
one of them, its executor with the threads included, comes in the context. `Node` is the protocol:

| asked | answered |
|---|---|
| `stream`, `stream_from`, `stream_at` | the blocks of one pass, all of them, from a row on, or at some positions |
| `names`, `size`, `count_rows` | columns and number of rows, without reading rows where that is possible |
| `children`, `display_name` | whose rows it takes, what reports call it |
| `rows_per_request`, `consumer_pass` | what it asks of its children: rows at a time, passes in one of its own |
| `materializes`, `requested_workers`, `worker_function` | who computes the transforms that are deferred, and where |
| `rows_per_batch`, `repetitions`, `is_…`, `sync_notifiers` | facts that datasets and other nodes ask |

Only `stream` is required; the rest has the answer of the first child. A node that need not do the work of rows before
overrides `stream_from`, a source `stream_at`. There are three kinds: an `Operator` has one input and a `Junction`
several, their fields being the operator's arguments, and a `Source` asks its reader.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from msbridge.dataset import config
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.blocks import Block, output_rows, skip_rows, take_rows
from msbridge.dataset.engine.cache import DatasetCache
from msbridge.dataset.engine.execution.executor import MAX_PIECE, Executor, Stage
from msbridge.dataset.engine.execution.prefetch import in_pipeline_thread
from msbridge.dataset.row_random import fold_in, splitmix64_array

Release = Callable[[int | None, Any], None]  # lets so many rows pass, and takes data

ORDER_SEED_OF_SHARDS = 0  # shards must agree on one order although nobody set a seed


class Node(ABC):
    """A part of a pipeline: its settings, and the nodes whose rows it takes.

    Attributes:
        children: the nodes whose rows it takes.
        num_parallel_workers: threads for this node; None takes the global setting.
        cache: keeps the rows that it computes for later passes.
        shares_input: several nodes have the same child, each for a part of its rows.
        counted_rows: how many rows a pass had where only running shows it.
    """

    children: "Sequence[Node]" = ()
    num_parallel_workers: int | None = None
    cache: DatasetCache | None = None
    shares_input: ClassVar[bool] = False
    counted_rows: int | None = None

    @abstractmethod
    def stream(self, context: "ExecutionContext", epoch: int) -> Iterator[Block]:
        """Yield the rows of one pass; `epoch` numbers the passes of this node within an execution."""

    def stream_from(self, context: "ExecutionContext", epoch: int, start: int) -> Iterator[Block]:
        """Yield the rows of one pass from row `start` on; operators that can do no work for those before."""
        return skip_rows(self.stream(context, epoch), start)

    def stream_at(self, context: "ExecutionContext", epoch: int, positions: np.ndarray) -> Iterator[Block]:
        """Yield the rows at these positions of a pass; sources that can do no work for the others.

        They come in the order of the positions, or of each `MAX_HELD_ROWS` of them where more would have to be held.
        """
        return take_rows(self.stream(context, epoch), positions)

    def names(self) -> list[str]:
        """Return the column names in order."""
        return self.children[0].names()

    def size(self) -> int | None:
        """Return the number of rows of one pass, or None where only running shows it."""
        return self.size_from(Node.size)

    def size_from(self, size_of: Callable[["Node"], int | None]) -> int | None:
        """Return the number of rows of one pass from those of the inputs, or None where they do not decide it."""
        return size_of(self.children[0])

    def count_rows(self) -> int:
        """Return the number of rows of one pass; endless repeats count once.

        Where only running shows it, the inputs are counted, so that a source runs and what is mapped or batched does
        not: a user's function is only called for rows that are read.
        """
        size = self.size()
        if size is not None:
            return size
        if self.counted_rows is None:
            size = self.size_from(Node.count_rows)
            self.counted_rows = self._count_by_running() if size is None else size
        return self.counted_rows

    def _count_by_running(self) -> int:
        context = prepare(self, config.draw_seed())

        def sizes() -> Iterator[int]:
            return (block.size for block in self.stream(context, 0))

        return sum(sizes() if config.get_debug_mode() else in_pipeline_thread(sizes))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Run one pass in the calling thread."""
        context = prepare(self, config.draw_seed())
        return output_rows(self.stream(context, 0), context.stage(self, "rows"))

    def display_name(self) -> str:
        """Return the name of this node in reports."""
        return f"{type(self).__name__}Dataset"

    def calls_user_code(self) -> bool:
        """Whether what this node computes calls a user's functions, which may count on its number of workers."""
        return True

    def workers(self, calls_user_code: bool = True) -> int:
        """Return the number of concurrent workers, by what is requested here and where work is left to this node.

        Args:
            calls_user_code: they are as many as the most that a node requests. Transforms get as many as all of them
                together: in MindSpore one node reads, the next transforms and the last collates at the same time.
        """
        requests = list(self.request_workers())
        if not any(requests):
            return config.get_num_parallel_workers()
        numbers = [count or 1 for count in requests]
        return max(numbers) if calls_user_code else sum(numbers)

    def request_workers(self) -> Iterator[int | None]:
        """Yield the numbers of workers requested here, and at the nodes whose work is left to this one."""
        yield self.num_parallel_workers
        for child in self.children:
            if not child.materializes():
                yield from child.request_workers()

    def rows_per_request(self, asked: int) -> int:
        """Return the number of rows that this node takes at a time, where `asked` at a time are taken from it."""
        return asked

    def materializes(self) -> bool:
        """Whether no transforms of earlier nodes are left to be applied to this node's rows."""
        return False

    def worker_function(self) -> Callable[..., Any] | None:
        """Return the method that this node calls by `Stage.call`, where worker processes shall compute it.

        They are forked before the iterator has threads.
        """
        return None

    def consumer_pass(self, number: int) -> tuple[int, bool]:
        """Return the pass of this node in which pass `number` of a child lies, and whether it is the last one there."""
        return number, True

    def rows_per_batch(self) -> int:
        """Return the size of the last `batch` (of several inputs, the last), 1 without one, -1 for a function's."""
        return self.children[-1].rows_per_batch() if self.children else 1

    def repetitions(self) -> int:
        """Return the count of the last `repeat` (of several inputs, the last), 1 without one, -1 for an endless one."""
        return self.children[-1].repetitions() if self.children else 1

    def is_paced(self) -> bool:
        """Whether somewhere a row may wait until those before it were used: each has to be passed on by itself."""
        return self.is_sync() or any(child.is_paced() for child in self.children)

    def is_sync(self) -> bool:
        """Whether there is a `sync_wait`."""
        return any(child.is_sync() for child in self.children)

    def sync_notifiers(self) -> dict[str, Release]:
        """Return the functions that let rows pass at each `sync_wait` below, by the name of its condition."""
        return {name: release for child in self.children for name, release in child.sync_notifiers().items()}

    def disable_sync(self) -> None:
        """Let all rows pass at each `sync_wait` below."""
        for child in self.children:
            child.disable_sync()

    def is_endless(self) -> bool:
        """Whether a pass never ends."""
        return any(child.is_endless() for child in self.children)

    def is_random(self) -> bool:
        """Whether this node applies random transforms."""
        return False

    def is_shuffled(self) -> bool:
        """Whether the order of rows is random."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether only a shard of the rows is read."""
        return any(child.is_sharded() for child in self.children)


class HasNode(Protocol):
    """The protocol of holders of a node: a dataset."""

    @property
    def _node(self) -> Node: ...
    def get_init_step(self) -> int: ...


Input = HasNode | Node


def node_of(dataset: Input) -> Node:
    """Return the node of a dataset.

    Raises:
        TypeError: it is not a dataset.
    """
    node = dataset if isinstance(dataset, Node) else getattr(dataset, "_node", None)
    if not isinstance(node, Node):
        raise TypeError(f"Invalid dataset, expected Dataset object, but got {type(dataset)}!")
    return node


@dataclass(eq=False, repr=False)
class Operator(Node):
    """A node that takes the rows of one input; its fields are the operator's arguments."""

    input_dataset: InitVar[Input]

    def __post_init__(self, input_dataset: Input) -> None:
        self.children = (node_of(input_dataset),)
        worker_count(self.num_parallel_workers)


@dataclass(eq=False, repr=False)
class Junction(Node):
    """A node that takes the rows of several inputs."""

    datasets: InitVar[Input | Sequence[Input]]

    def __post_init__(self, datasets: Input | Sequence[Input]) -> None:
        self.children = tuple(map(node_of, datasets if isinstance(datasets, Sequence) else [datasets]))
        nodes = [node for child in self.children for node in walk(child, into_shared=False)]
        if len(set(nodes)) < len(nodes):
            raise ValueError(
                "The data pipeline is not a tree (i.e., one node has 2 consumers): it joins a dataset twice."
            )


class Reader(Protocol):
    """The protocol of sources: a dataset that reads rows."""

    num_parallel_workers: int | None
    cache: DatasetCache | None
    _counted_rows: int | None

    def _stream(self, context: "ExecutionContext", epoch: int) -> Iterator[Block]: ...
    def _stream_from(self, context: "ExecutionContext", epoch: int, start: int) -> Iterator[Block]: ...
    def _stream_at(self, context: "ExecutionContext", epoch: int, positions: np.ndarray) -> Iterator[Block]: ...
    def _names(self) -> list[str]: ...
    def _size(self) -> int | None: ...
    def _materializes(self) -> bool: ...
    def _worker_function(self) -> Callable[..., Any] | None: ...
    def is_shuffled(self) -> bool: ...
    def is_sharded(self) -> bool: ...


class Source(Node):
    """The node of a reader. It keeps nothing itself: those of one reader are equal, and represent one node.

    A reader does not keep its node, so that no circle of references delays the end of a large source.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and other.reader is self.reader

    def __hash__(self) -> int:
        return hash(id(self.reader))

    @property
    def num_parallel_workers(self) -> int | None:  # type: ignore[override]
        return self.reader.num_parallel_workers

    @property
    def counted_rows(self) -> int | None:
        return self.reader._counted_rows

    @counted_rows.setter
    def counted_rows(self, count: int | None) -> None:
        self.reader._counted_rows = count

    def stream(self, context: "ExecutionContext", epoch: int) -> Iterator[Block]:
        return self.reader._stream(context, epoch)

    def stream_from(self, context: "ExecutionContext", epoch: int, start: int) -> Iterator[Block]:
        return self.reader._stream_from(context, epoch, start)

    def stream_at(self, context: "ExecutionContext", epoch: int, positions: np.ndarray) -> Iterator[Block]:
        return self.reader._stream_at(context, epoch, positions)

    def names(self) -> list[str]:
        return self.reader._names()

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        return self.reader._size()

    def display_name(self) -> str:
        return type(self.reader).__name__

    def materializes(self) -> bool:
        return self.reader._materializes()

    def worker_function(self) -> Callable[..., Any] | None:
        return self.reader._worker_function()

    def is_shuffled(self) -> bool:
        return self.reader.is_shuffled()

    def is_sharded(self) -> bool:
        return self.reader.is_sharded()


@dataclass(frozen=True, slots=True)
class ExecutionContext:
    """Settings of one execution of a pipeline, which its iterator hands to every node.

    Attributes:
        seed: of the whole execution.
        stream_ids: a number for each node, so that nodes draw different random numbers.
        needs_row_keys: some transform draws random numbers, so rows need keys.
        block_sizes: how many rows at a time are taken from each node: sources make blocks of so many.
        executor: of the iterator; without one, everything is computed in the thread that asks.
        order_seed: where set, orders come from it and are the same in each epoch (both parts of a split must agree).
        consumers: the node that takes a node's rows.
        callback_watchers: what notifies a node's callbacks of the position of the execution.
        replacement_rows: the rows that replace those for which a node fails.
        samplers: the sampler of each reader.
    """

    seed: int
    stream_ids: dict[Node, int]
    needs_row_keys: bool
    block_sizes: dict[Node, int]
    executor: Executor | None = None
    order_seed: int | None = None
    consumers: dict[Node, Node] = field(default_factory=dict)
    callback_watchers: dict[Node, Any] = field(default_factory=dict)
    replacement_rows: dict[Node, Any] = field(default_factory=dict)
    samplers: dict[Node, Any] = field(default_factory=dict)

    def stage(self, node: Node, what: str = "") -> Stage:
        """Return the stage at which `node` computes; one that also computes what was left to it has two."""
        if self.executor is None:
            return Stage(1)
        workers = node.workers(node.calls_user_code() and not what)
        return self.executor.stage((node, what), workers, what or node.display_name())

    def generator(self, node: Node, epoch: int) -> np.random.Generator:
        """Return the generator from which `node` takes its order in this epoch."""
        if self.order_seed is not None:
            return np.random.default_rng(fold_in(self.order_seed, self.stream_ids[node]))
        return np.random.default_rng(fold_in(self.seed, self.stream_ids[node], epoch))

    def epoch_of(self, node: Node, number: int) -> tuple[int, bool]:
        """Return the epoch of the whole pipeline in which a node's pass lies, and whether it is the last one there."""
        is_last = True
        while node in self.consumers:
            node = self.consumers[node]
            number, last_here = node.consumer_pass(number)
            is_last = is_last and last_here
        return number, is_last

    def keys(self, node: Node, epoch: int, indices: np.ndarray) -> np.ndarray | None:
        """Return the keys of a source's rows, which are numbered by `indices` within this epoch."""
        if not self.needs_row_keys:
            return None
        return splitmix64_array(np.uint64(fold_in(self.seed, self.stream_ids[node], epoch)) ^ indices.astype(np.uint64))

    def with_fixed_order(self, order_seed: int) -> "ExecutionContext":
        """Return a context whose nodes keep one order in all epochs."""
        return replace(self, order_seed=order_seed)


def prepare(root: Node, seed: int, executor: Executor | None = None) -> ExecutionContext:
    """Number the nodes of a pipeline and find out whether its rows need keys."""
    stream_ids: dict[Node, int] = {}
    consumers: dict[Node, Node] = {}
    needs_row_keys = False
    for node in walk(root):
        stream_ids.setdefault(node, len(stream_ids) + 1)
        consumers.update((child, node) for child in node.children)
        needs_row_keys = needs_row_keys or node.is_random()
    block_sizes: dict[Node, int] = {}
    _set_block_sizes(root, 1, block_sizes)
    return ExecutionContext(seed, stream_ids, needs_row_keys, block_sizes, executor, consumers=consumers)


def _set_block_sizes(node: Node, count: int, sizes: dict[Node, int]) -> None:
    count = sizes[node] = min(count, sizes.get(node, MAX_PIECE))
    for child in node.children:
        _set_block_sizes(child, node.rows_per_request(count), sizes)


def fork_workers(root: Node, context: ExecutionContext) -> None:
    """Start the processes of a pipeline's nodes."""
    for node in walk(root):
        function = node.worker_function()
        if function is not None and hasattr(os, "fork"):
            context.stage(node).fork(node.workers(), function)


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
