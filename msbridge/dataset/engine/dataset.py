"""Dataset: one node of a pipeline, and the methods that put another node behind it."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from msbridge.dataset import config
from msbridge.dataset.checks import check_type
from msbridge.dataset.engine.block import Block
from msbridge.dataset.engine.run import Run, plan

if TYPE_CHECKING:
    from msbridge.dataset.engine.iterators import DictIterator, TupleIterator
    from msbridge.dataset.engine.samplers import BuiltinSampler


class Dataset:
    """A pipeline up to this node. It holds settings and its parents; positions are held by iterators only.

    Subclasses write `_stream`, `_names` and, where it can be known without running, `_size`.

    Follows: mindspore.dataset.Dataset (2.10).
    """

    def __init__(self, children: "Dataset | Sequence[Dataset] | None" = None) -> None:
        if children is None:
            children = []
        self.children: list[Dataset] = [children] if isinstance(children, Dataset) else list(children)
        self._counted: int | None = None
        self._init_step = 0

    # -- what a node defines ----------------------------------------------------------------------------------------

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        """Give one pass over the rows; `epoch` numbers the passes of this node within a run."""
        raise NotImplementedError

    def _names(self) -> list[str]:
        """Give the column names in order."""
        return self.children[0]._names()

    def _size(self) -> int | None:
        """Give the number of rows of one pass, or None where only running tells."""
        return self.children[0]._size()

    def is_random(self) -> bool:
        """Say whether this node applies random transforms."""
        return False

    # -- nodes behind this one --------------------------------------------------------------------------------------

    def map(
        self,
        operations: Any = None,
        input_columns: str | list[str] | None = None,
        output_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
        column_order: list[str] | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: Any = None,
        offload: bool | None = None,
    ) -> "Dataset":
        """Apply operations to columns of each row.

        Args:
            operations: one or several; transforms of `dataset.vision` / `dataset.transforms`, or callables that take
                one array per input column and return one value per output column.
            input_columns: what the first operation takes; None is the first column.
            output_columns: names of what the last one returns; None keeps the input names. With as many outputs as
                inputs the columns stay where they were, else the new ones come first.
            num_parallel_workers: threads for transforms that release Python's lock; None takes the global setting.
            column_order: names to keep, in order (r1.x; also as fourth argument).
            python_multiprocessing: accepted; callables run in the pipeline's own thread.
            cache: only None.
            callbacks: only None.
            max_rowsize: accepted; no memory is shared between processes.
            offload: only None or False: transforms run on the host.

        Raises:
            TypeError: an argument is of another type.
            ValueError: an operation is not callable, or a column is named twice.

        Follows: mindspore.dataset.Dataset.map (2.10).
        """
        from msbridge.dataset.engine.map import MapDataset

        if isinstance(operations, str) or (
            isinstance(operations, list) and operations and isinstance(operations[0], str)
        ):
            operations, input_columns = input_columns, operations  # r0.x: the columns first
        if isinstance(num_parallel_workers, (list, str)):  # r1.x: column_order is the fourth argument
            workers = column_order if isinstance(column_order, int) else None
            column_order, num_parallel_workers = num_parallel_workers, workers
        node: Dataset = MapDataset(
            self,
            operations,
            input_columns,
            output_columns,
            num_parallel_workers,
            python_multiprocessing,
            cache,
            callbacks,
            max_rowsize,
            offload,
        )
        return node if column_order is None else node.project(column_order)

    def batch(
        self,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: str | list[str] | None = None,
        output_columns: str | list[str] | None = None,
        column_order: list[str] | None = None,
        pad_info: dict[str, Any] | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ) -> "Dataset":
        """Put consecutive rows together along a new leading axis.

        Args:
            batch_size: rows per batch, or a function of a BatchInfo that gives them.
            drop_remainder: leave out an incomplete last batch.
            num_parallel_workers: accepted; batches are put together in the pipeline's thread.
            per_batch_map: takes one list of arrays per input column and a BatchInfo, returns one list per output
                column.
            input_columns: what `per_batch_map` takes; None is all columns.
            output_columns: names of what it returns; None keeps the input names.
            column_order: names to keep, in order (r1.x).
            pad_info: pad rows before putting them together (r1.x; today `padded_batch`).
            python_multiprocessing: accepted; functions run in the pipeline's own thread.
            max_rowsize: accepted; no memory is shared between processes.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `batch_size` is less than 1.

        Follows: mindspore.dataset.Dataset.batch (2.10).
        """
        from msbridge.dataset.engine.batch import BatchDataset
        from msbridge.dataset.engine.padded_batch import PaddedBatchDataset

        node: Dataset
        if pad_info is not None and per_batch_map is None:
            node = PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)
        elif pad_info is not None:
            raise NotImplementedError("For 'batch', pad_info and per_batch_map cannot both be given; use padded_batch.")
        else:
            node = BatchDataset(
                self,
                batch_size,
                drop_remainder,
                num_parallel_workers,
                per_batch_map,
                input_columns,
                output_columns,
                python_multiprocessing,
                max_rowsize,
            )
        return node if column_order is None else node.project(column_order)

    def padded_batch(
        self,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> "Dataset":
        """Put consecutive rows together after padding them to one shape.

        Args:
            batch_size: rows per batch, or a function of a BatchInfo that gives them.
            drop_remainder: leave out an incomplete last batch.
            num_parallel_workers: accepted; batches are put together in the pipeline's thread.
            pad_info: column name → (shape, fill value) or None; a None in the shape, or None for it, is the largest
                of the batch. Columns that are not named are not padded.

        Follows: mindspore.dataset.Dataset.padded_batch (2.10).
        """
        from msbridge.dataset.engine.padded_batch import PaddedBatchDataset

        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    def bucket_batch_by_length(
        self,
        column_names: list[str],
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> "Dataset":
        """Put rows of similar length together.

        Args:
            column_names: what `element_length_function` takes; without it one column, whose first dimension is the
                length.
            bucket_boundaries: rising; the upper bounds (exclusive) of the buckets, a last one takes what is longer.
            bucket_batch_sizes: one per bucket, that is one more than boundaries.
            element_length_function: gives a row's length.
            pad_info: as in `padded_batch`; None pads every column to the largest with zeros.
            pad_to_bucket_boundary: pad unspecified dimensions to the bucket's boundary - 1.
            drop_remainder: leave out incomplete last batches.

        Follows: mindspore.dataset.Dataset.bucket_batch_by_length (2.10).
        """
        from msbridge.dataset.engine.bucket_batch import BucketBatchByLengthDataset

        return BucketBatchByLengthDataset(
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: int) -> "Dataset":
        """Put rows in random order, drawing from a buffer of `buffer_size` rows; another order in each epoch.

        Args:
            buffer_size: in [2, 2^31 - 1]; one of at least the dataset's size shuffles globally.

        Raises:
            TypeError: `buffer_size` is not an int.
            ValueError: it is less than 2.

        Follows: mindspore.dataset.Dataset.shuffle (2.10).
        """
        from msbridge.dataset.engine.shuffle import ShuffleDataset

        return ShuffleDataset(self, buffer_size)

    def repeat(self, count: int | None = None) -> "Dataset":
        """Run through the rows `count` times; None or -1 is endlessly.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or less than -1.

        Follows: mindspore.dataset.Dataset.repeat (2.10).
        """
        from msbridge.dataset.engine.repeat import RepeatDataset

        return RepeatDataset(self, count)

    def take(self, count: int = -1) -> "Dataset":
        """Keep the first `count` rows (batches, behind `batch`); -1 is all.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or less than -1.

        Follows: mindspore.dataset.Dataset.take (2.10).
        """
        from msbridge.dataset.engine.select import TakeDataset

        return self if count == -1 and not isinstance(count, bool) else TakeDataset(self, count)

    def skip(self, count: int) -> "Dataset":
        """Leave out the first `count` rows.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is negative.

        Follows: mindspore.dataset.Dataset.skip (2.10).
        """
        from msbridge.dataset.engine.select import SkipDataset

        return SkipDataset(self, count)

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
    ) -> "Dataset":
        """Keep the rows for which `predicate` is true.

        Args:
            predicate: takes one array per input column.
            input_columns: None is all columns.
            num_parallel_workers: accepted; the predicate runs in the pipeline's own thread.

        Follows: mindspore.dataset.Dataset.filter (2.10).
        """
        from msbridge.dataset.engine.filter import FilterDataset

        return FilterDataset(self, predicate, input_columns, num_parallel_workers)

    def project(self, columns: str | list[str]) -> "Dataset":
        """Keep the named columns, in that order.

        Follows: mindspore.dataset.Dataset.project (2.10).
        """
        from msbridge.dataset.engine.select import ProjectDataset

        return ProjectDataset(self, columns)

    def rename(self, input_columns: str | list[str], output_columns: str | list[str]) -> "Dataset":
        """Give columns other names.

        Follows: mindspore.dataset.Dataset.rename (2.10).
        """
        from msbridge.dataset.engine.select import RenameDataset

        return RenameDataset(self, input_columns, output_columns)

    def zip(self, datasets: "Dataset | tuple[Dataset, ...]") -> "Dataset":
        """Put the columns of other datasets beside this one's, up to the end of the shortest.

        Follows: mindspore.dataset.Dataset.zip (2.10).
        """
        from msbridge.dataset.engine.combine import ZipDataset

        if isinstance(datasets, Dataset):
            datasets = (datasets,)
        check_type(datasets, (tuple, Dataset), "datasets")
        return ZipDataset((self, *datasets))

    def concat(self, datasets: "Dataset | list[Dataset]") -> "Dataset":
        """Put the rows of other datasets behind this one's.

        Follows: mindspore.dataset.Dataset.concat (2.10).
        """
        from msbridge.dataset.engine.combine import ConcatDataset

        check_type(datasets, (list, Dataset), "datasets")
        return ConcatDataset([self, *([datasets] if isinstance(datasets, Dataset) else datasets)])

    def __add__(self, datasets: "Dataset | list[Dataset]") -> "Dataset":
        return self.concat(datasets)

    def split(self, sizes: list[int] | list[float], randomize: bool = True) -> tuple["Dataset", ...]:
        """Divide the rows into parts that never overlap, in whatever epoch.

        Args:
            sizes: row counts, or fractions that sum to 1.
            randomize: divide a random order, fixed by the seed.

        Returns:
            One dataset per size.

        Raises:
            TypeError: `sizes` is not a list.
            ValueError: `sizes` is empty, mixed, not positive, or fractions do not sum to 1.
            RuntimeError: row counts do not sum to the number of rows, or a part would be empty.

        Follows: mindspore.dataset.Dataset.split (2.10).
        """
        from msbridge.dataset.engine.split import split

        return split(self, sizes, randomize)

    def apply(self, apply_func: "Callable[[Dataset], Dataset]") -> "Dataset":
        """Give what `apply_func` makes of this dataset.

        Follows: mindspore.dataset.Dataset.apply (2.10).
        """
        if not callable(apply_func):
            raise TypeError(f"apply_func must be a function, got {type(apply_func)}.")
        made = apply_func(self)
        if not isinstance(made, Dataset):
            raise TypeError(f"apply_func must return a dataset, got {type(made)}.")
        return made

    def flat_map(self, func: "Callable[..., Dataset]") -> "Dataset":
        """Make a dataset of each row, and put them one after the other.

        Args:
            func: takes one array per column.

        Follows: mindspore.dataset.Dataset.flat_map (2.10).
        """
        from msbridge.dataset.engine.flat_map import FlatMapDataset

        return FlatMapDataset(self, func)

    def use_sampler(self, new_sampler: "BuiltinSampler") -> None:
        """Read the source through `new_sampler`.

        Follows: mindspore.dataset.MappableDataset.use_sampler (2.10).
        """
        raise RuntimeError(f"use_sampler needs a dataset with random access, got {type(self).__name__}.")

    # -- iterators --------------------------------------------------------------------------------------------------

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> "DictIterator":
        """Give an iterator over rows as dicts from column name to Tensor.

        Args:
            num_epochs: how many passes it gives; -1 is any number. One `for` loop is one pass.
            output_numpy: give ndarrays.
            do_copy: accepted; each row has memory of its own in any case.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `num_epochs` is less than -1.
            RuntimeError: `num_epochs` is 0, or the pipeline is not sound (a missing column, a doubled name).

        Follows: mindspore.dataset.Dataset.create_dict_iterator (2.10).
        """
        from msbridge.dataset.engine.iterators import DictIterator

        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(
        self,
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> "TupleIterator":
        """Give an iterator over rows as lists of Tensors, in the order of the columns.

        Args:
            columns: names to keep, in order; None is all.
            num_epochs: how many passes it gives; -1 is any number.
            output_numpy: give ndarrays.
            do_copy: accepted; each row has memory of its own in any case.

        Follows: mindspore.dataset.Dataset.create_tuple_iterator (2.10).
        """
        from msbridge.dataset.engine.iterators import TupleIterator

        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def __iter__(self) -> "TupleIterator":
        return self.create_tuple_iterator(num_epochs=1)

    # -- what is known about the rows -------------------------------------------------------------------------------

    def get_dataset_size(self) -> int:
        """Give the number of rows (batches, behind `batch`) of one pass; endless repeats count once.

        Follows: mindspore.dataset.Dataset.get_dataset_size (2.10).
        """
        size = self._size()
        if size is not None:
            return size
        if self._counted is None:
            self._counted = sum(block.size for block in self._stream(plan(self, config.draw_seed()), 0))
        return self._counted

    def __len__(self) -> int:
        return self.get_dataset_size()

    def get_batch_size(self) -> int:
        """Give the batch size of the last `batch`, 1 without one, -1 where a function decides.

        Follows: mindspore.dataset.Dataset.get_batch_size (2.10).
        """
        return self.children[0].get_batch_size() if self.children else 1

    def get_repeat_count(self) -> int:
        """Give the count of the last `repeat`, 1 without one, -1 where it is endless.

        Follows: mindspore.dataset.Dataset.get_repeat_count (2.10).
        """
        return self.children[0].get_repeat_count() if self.children else 1

    def get_col_names(self) -> list[str]:
        """Give the column names in order.

        Follows: mindspore.dataset.Dataset.get_col_names (2.10).
        """
        return self._names()

    def get_class_indexing(self) -> dict[str, Any]:
        """Give the numbers of the classes by name; empty where the source has none.

        Follows: mindspore.dataset.Dataset.get_class_indexing (2.10).
        """
        return self.children[0].get_class_indexing() if self.children else {}

    def num_classes(self) -> int | None:
        """Give the number of classes, or None where the source does not know.

        Follows: mindspore.dataset.Dataset.num_classes (2.10).
        """
        return self.children[0].num_classes() if self.children else None

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """Give the shape of each column, as the first row has it.

        Args:
            estimate: look at all rows instead; a dimension that differs is None.

        Follows: mindspore.dataset.Dataset.output_shapes (2.10).
        """
        check_type(estimate, (bool,), "estimate")
        shapes: list[list[int | None]] | None = None
        for row in self._rows():
            found: list[list[int | None]] = [list(np.shape(value)) for value in row.values()]
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
        """Give the numpy dtype of each column, as the first row has it.

        Follows: mindspore.dataset.Dataset.output_types (2.10).
        """
        for row in self._rows():
            kinds = [value.dtype for value in row.values()]
            return [np.dtype(kind.kind) if kind.kind in "US" else kind for kind in kinds]
        return []

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Run one pass in the calling thread."""
        from msbridge.dataset.engine.iterators import finished_rows

        return finished_rows(self._stream(plan(self, config.draw_seed()), 0))

    def set_init_step(self, init_step: int) -> None:
        """Say at which step training resumes; iterators of `Model.train` begin there.

        Follows: mindspore.dataset.Dataset.set_init_step (2.10).
        """
        self._init_step = init_step

    def get_init_step(self) -> int:
        """Give the step at which training resumes.

        Follows: mindspore.dataset.Dataset.get_init_step (2.10).
        """
        return self._init_step

    def reset(self) -> None:
        """Do nothing: a dataset holds no position; the next iterator begins at the first row.

        Follows: mindspore.dataset.Dataset.reset (2.10).
        """

    def is_shuffled(self) -> bool:
        """Say whether the order of rows is random.

        Follows: mindspore.dataset.Dataset.is_shuffled (2.10).
        """
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Say whether only a shard of the rows is read.

        Follows: mindspore.dataset.Dataset.is_sharded (2.10).
        """
        return any(child.is_sharded() for child in self.children)
