"""DatasetBase: what a dataset reports about itself, and what is done with all of its rows at once."""

import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.html.notebook_table import html_table
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.blocks import row_shapes, row_types
from msbridge.dataset.engine.cache import DatasetCache, check_cache
from msbridge.dataset.engine.iterators import DictIterator, TupleIterator
from msbridge.dataset.engine.nodes import Node, Release, node_of
from msbridge.dataset.engine.pipeline_json import pipeline_json, sort_keys, steps_of, write_plan
from msbridge.dataset.engine.saving import save_rows


class DatasetBase:
    """A dataset: its node, and the datasets whose rows it takes. Positions are held by iterators only.

    Args:
        children: the datasets whose rows this one takes, or one of them; None is a source.
        num_parallel_workers: threads for this dataset; None takes the global setting.
        cache: keeps the rows of readers for later passes.

    Raises:
        TypeError: a child is not a dataset.
    """

    children: "list[DatasetBase]"
    parent: "list[weakref.ref[DatasetBase]]"
    num_parallel_workers: int | None
    cache: DatasetCache | None
    _counted_rows: int | None = None
    _last_size: int | None = None
    _is_size_set: bool = False
    _init_step: int | None = None
    _input_indexs: Any = ()

    def __init__(self, children: Any = None, num_parallel_workers: int | None = None, cache: Any = None) -> None:
        listed = [] if children is None else [children] if isinstance(children, DatasetBase) else children
        self._take_rows_of(require_type(listed, "children", (list, tuple)))
        self.num_parallel_workers = worker_count(num_parallel_workers)
        self.cache = check_cache(cache)

    def _take_rows_of(self, children: "Iterable[DatasetBase]") -> None:
        self.children, self.parent = list(children), []
        for child in self.children:
            node_of(child)
            child.parent.append(weakref.ref(self))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "parent": []}  # a copy has nobody who takes its rows

    @property
    def _node(self) -> Node:
        """The node of this dataset, which an execution walks through."""
        raise NotImplementedError(f"{type(self).__name__} has no rows: it is neither a reader nor an operator.")

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> DictIterator:
        """Return an iterator over rows as dicts from column name to Tensor.

        Args:
            num_epochs: number of passes; -1 is any number. One `for` loop is one pass.
            output_numpy: yield ndarrays.
            do_copy: accepted without effect.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `num_epochs` is less than -1.
            RuntimeError: `num_epochs` is 0, or the pipeline is not sound (a missing column, a doubled name).

        Follows: mindspore.dataset.Dataset.create_dict_iterator (2.10).
        """
        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(
        self,
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> TupleIterator:
        """Return an iterator over rows as lists of Tensors, in the order of the columns.

        Args:
            columns: names to keep, in order; None is all.
            num_epochs: number of passes; -1 is any number.
            output_numpy: yield ndarrays.
            do_copy: accepted without effect.

        Follows: mindspore.dataset.Dataset.create_tuple_iterator (2.10).
        """
        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def __iter__(self) -> TupleIterator:
        return self.create_tuple_iterator(num_epochs=1)

    def is_sync(self) -> bool:
        """Whether there is a `sync_wait`.

        Follows: mindspore.dataset.Dataset.is_sync (2.10).
        """
        return self._node.is_sync()

    def get_sync_notifiers(self) -> dict[str, Release]:
        """Return the functions that let rows pass at each `sync_wait` below, by the name of its condition.

        Follows: mindspore.dataset.Dataset.get_sync_notifiers (2.10).
        """
        return self._node.sync_notifiers()

    def disable_sync(self) -> None:
        """Let all rows pass at each `sync_wait` below.

        Follows: mindspore.dataset.Dataset.disable_sync (2.10).
        """
        self._node.disable_sync()

    def is_shuffled(self) -> bool:
        """Whether the order of rows is random.

        Follows: mindspore.dataset.Dataset.is_shuffled (2.10).
        """
        return self._node.is_shuffled()

    def is_sharded(self) -> bool:
        """Whether only a shard of the rows is read.

        Follows: mindspore.dataset.Dataset.is_sharded (2.10).
        """
        return self._node.is_sharded()

    def get_dataset_size(self) -> int:
        """Return the number of rows (batches, after `batch`) of one pass; endless repeats count once.

        Follows: mindspore.dataset.Dataset.get_dataset_size (2.10).
        """
        if not self._is_size_set:
            self._last_size = self._node.count_rows()
        return self._last_size  # type: ignore[return-value]

    def __len__(self) -> int:
        return self.get_dataset_size()

    def get_batch_size(self) -> int:
        """Return the batch size of the last `batch` (of several inputs, the last), 1 without one, -1 for a function's.

        Follows: mindspore.dataset.Dataset.get_batch_size (2.10).
        """
        return self._node.rows_per_batch()

    def get_repeat_count(self) -> int:
        """Return the count of the last `repeat`, of the last of several inputs; 1 without one, -1 where it is endless.

        Follows: mindspore.dataset.Dataset.get_repeat_count (2.10).
        """
        return self._node.repetitions()

    def get_col_names(self) -> list[str]:
        """Return the column names in order.

        Follows: mindspore.dataset.Dataset.get_col_names (2.10).
        """
        return self._node.names()

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
        require_type(estimate, "estimate", bool)
        return row_shapes(self._node.rows(), estimate)

    def output_types(self) -> list[np.dtype]:
        """Return the numpy dtype of each column, as the first row has it.

        Follows: mindspore.dataset.Dataset.output_types (2.10).
        """
        return row_types(self._node.rows())

    def set_init_step(self, init_step: int) -> None:
        """Set the row (batch, after `batch`) that new iterators begin with, counted over all their passes.

        Args:
            init_step: how many rows are done already. Iterators begin in pass `init_step // get_dataset_size()`, which
                counts as one of theirs, with its order and its random numbers.

        Follows: mindspore.dataset.Dataset.set_init_step (2.10).
        """
        self._init_step = init_step

    def get_init_step(self) -> int:
        """Return the step set with `set_init_step`, here or below the operators of one input, else 0.

        Follows: mindspore.dataset.Dataset.get_init_step (2.10).
        """
        if self._init_step is not None:
            return self._init_step
        return self.children[0].get_init_step() if len(self.children) == 1 else 0

    @property
    def dataset_size(self) -> int | None:
        """The number of rows that `get_dataset_size` returned last; None before. One that is set is what it returns.

        Follows: mindspore.dataset.Dataset.dataset_size (2.10).
        """
        return self._last_size

    @dataset_size.setter
    def dataset_size(self, value: int | None) -> None:
        self._last_size, self._is_size_set = value, value is not None

    @property
    def input_indexs(self) -> Any:
        """The setting for the inputs of a graph; nothing here depends on it.

        Follows: mindspore.dataset.Dataset.input_indexs (2.10).
        """
        return self._input_indexs or (self.children[0].input_indexs if self.children else self._input_indexs)

    @input_indexs.setter
    def input_indexs(self, value: Any) -> None:
        self._input_indexs = value

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Let rows pass at a `sync_wait`, and hand data to its callback.

        Args:
            condition_name: the name that was given to `sync_wait`.
            num_batch: how many batches pass; None is as many as `sync_wait` says.
            data: what the callback takes.

        Raises:
            TypeError: `condition_name` is not a string.
            RuntimeError: there is no such condition, or `num_batch` is not a positive int.

        Follows: mindspore.dataset.Dataset.sync_update (2.10).
        """
        if num_batch is not None and not (isinstance(num_batch, int) and num_batch > 0):
            self.disable_sync()
            raise RuntimeError(f"Sync_update batch size can only be positive integer, got: {num_batch}.")
        releases = self.get_sync_notifiers()
        if require_type(condition_name, "condition_name", str) not in releases:
            self.disable_sync()
            raise RuntimeError(f"Condition name not found: {condition_name!r}; there are {list(releases)}.")
        releases[condition_name](None if num_batch is None else num_batch * self.get_batch_size(), data)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows of one pass to MindRecord files; `MindDataset` reads them.

        Integers and booleans are stored as int32 or int64, floats as float32 or float64, whichever holds them.

        Args:
            file_name: the file; with several, numbers are appended.
            num_files: how many files, up to 1000.
            file_type: only "mindrecord".

        Raises:
            TypeError: an argument is of another type.
            ValueError: `num_files` or `file_type` is not one that is allowed.
            RuntimeError: a file exists already, its folder does not, or the rows differ in shape beyond the first axis.

        Follows: mindspore.dataset.Dataset.save (2.10).
        """
        save_rows(self._node, file_name, num_files, file_type)

    def _repr_html_(self) -> str:
        return html_table(("node", "settings"), steps_of(self._node))

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """Return the pipeline as a dict that JSON holds; with `filename`, write it there too.

        Follows: mindspore.dataset.Dataset.to_json (2.10).
        """
        plan: dict[str, Any] = sort_keys(pipeline_json(self._node))
        if filename:
            write_plan(plan, filename)
        return plan

    def reset(self) -> None:
        """Do nothing: a dataset holds no position; the next iterator begins at the first row.

        Follows: mindspore.dataset.Dataset.reset (2.10).
        """
