"""Dataset: the public class of a pipeline, whose methods append operators."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar

from msbridge.core.checks.arguments import require_type
from msbridge.dataset import config
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.nodes import Junction, Operator
from msbridge.dataset.engine.operators.batch import Batch, PaddedBatch
from msbridge.dataset.engine.operators.bucket_batch import BucketBatchByLength
from msbridge.dataset.engine.operators.combine import Concat, FlatMap, Zip
from msbridge.dataset.engine.operators.map import Map
from msbridge.dataset.engine.operators.order import Repeat, Shuffle, Split, split_counts
from msbridge.dataset.engine.operators.select import Filter, Project, Rename, Skip, Take
from msbridge.dataset.engine.operators.sync_wait import SyncWait
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler

if TYPE_CHECKING:
    from msbridge.dataset.text import SentencePieceModel, SentencePieceVocab, Vocab

__all__ = ["AudioBaseDataset", "Dataset", "TextBaseDataset", "UnionBaseDataset", "VisionBaseDataset"]


class Dataset(DatasetBase):
    """A pipeline up to this node.

    Each method below appends one operator: it turns its arguments into the operator's settings, and the operator's node
    (in `engine/operators`) refuses settings that do not go together.

    Follows: mindspore.dataset.Dataset (2.10).
    """

    _public: ClassVar[dict[type[Operator | Junction], type[Any]]] = {}  # the dataset class of each operator

    def _append_operator(self, operator: type[Operator], *arguments: Any) -> "Dataset":
        return self._public[operator](self, *arguments)

    def _join_datasets(self, junction: type[Junction], others: Sequence["Dataset"]) -> "Dataset":
        return self._public[junction]([self, *others])

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
            num_parallel_workers: threads or processes; None takes the global setting.
            column_order: names to keep, in order (r1.x; also as fourth argument).
            python_multiprocessing: call Python functions in worker processes rather than threads.
            cache: a DatasetCache that keeps rows in this process; None keeps none.
            callbacks: one DSCallback or a list of them, notified of the position of the pipeline.
            max_rowsize: accepted; rows of any size go to worker processes.
            offload: accepted; transforms run on the host.

        Raises:
            TypeError: an argument is of another type.
            ValueError: an operation is not callable, or a column is named twice.

        Follows: mindspore.dataset.Dataset.map (2.10).
        """
        first = operations[0] if isinstance(operations, list) and operations else operations
        if input_columns is not None and isinstance(first, str):
            operations, input_columns = input_columns, operations  # r0.x: the columns first
        if isinstance(num_parallel_workers, list):  # r1.x: column_order is the fourth argument
            workers = column_order if isinstance(column_order, int) else None
            column_order, num_parallel_workers = num_parallel_workers, workers
        mapped = self._append_operator(
            Map,
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
        return mapped if column_order is None else mapped.project(column_order)

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
        """Stack consecutive rows along a new leading axis.

        Args:
            batch_size: rows per batch, or a function from a BatchInfo to this number.
            drop_remainder: leave out an incomplete last batch.
            num_parallel_workers: how many batches are put together at once; None takes the global setting.
            per_batch_map: takes one list of arrays per input column and a BatchInfo, returns one list per output
                column.
            input_columns: what `per_batch_map` takes; None is all columns.
            output_columns: names of what it returns; None keeps the input names.
            column_order: names to keep, in order (r1.x).
            pad_info: pad rows before stacking them (r1.x; today `padded_batch`).
            python_multiprocessing: call `per_batch_map` in worker processes rather than threads.
            max_rowsize: accepted; rows of any size go to worker processes.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `batch_size` is less than 1.

        Follows: mindspore.dataset.Dataset.batch (2.10).
        """
        if pad_info is not None and per_batch_map is not None:
            raise NotImplementedError("For 'batch', pad_info and per_batch_map cannot both be given; use padded_batch.")
        if pad_info is not None:
            batched = self.padded_batch(batch_size, drop_remainder, num_parallel_workers, pad_info)
        else:
            batched = self._append_operator(
                Batch,
                batch_size,
                drop_remainder,
                num_parallel_workers,
                per_batch_map,
                input_columns,
                output_columns,
                python_multiprocessing,
                max_rowsize,
            )
        return batched if column_order is None else batched.project(column_order)

    def padded_batch(
        self,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> "Dataset":
        """Stack consecutive rows after padding them to one shape.

        Args:
            batch_size: rows per batch, or a function from a BatchInfo to this number.
            drop_remainder: leave out an incomplete last batch.
            num_parallel_workers: how many batches are put together at once; None takes the global setting.
            pad_info: column name → (shape, fill value) or None; a None in the shape, or None for it, is the largest
                of the batch. Columns that are not named are not padded.

        Follows: mindspore.dataset.Dataset.padded_batch (2.10).
        """
        return self._append_operator(PaddedBatch, batch_size, drop_remainder, num_parallel_workers, pad_info)

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
        """Stack rows of similar length.

        Args:
            column_names: what `element_length_function` takes; without it one column, whose first dimension is the
                length.
            bucket_boundaries: rising; the upper bounds (exclusive) of the buckets, a last one takes what is longer.
            bucket_batch_sizes: one per bucket, that is one more than boundaries.
            element_length_function: returns a row's length.
            pad_info: as in `padded_batch`; None pads every column to the largest with zeros.
            pad_to_bucket_boundary: pad unspecified dimensions to the bucket's boundary - 1.
            drop_remainder: leave out incomplete last batches.

        Follows: mindspore.dataset.Dataset.bucket_batch_by_length (2.10).
        """
        return self._append_operator(
            BucketBatchByLength,
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
        return self._append_operator(Shuffle, buffer_size)

    def repeat(self, count: int | None = None) -> "Dataset":
        """Run through the rows `count` times; None or -1 is endlessly.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or less than -1.

        Follows: mindspore.dataset.Dataset.repeat (2.10).
        """
        return self._append_operator(Repeat, count)

    def take(self, count: int = -1) -> "Dataset":
        """Keep the first `count` rows (batches, after `batch`); -1 is all.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or less than -1.

        Follows: mindspore.dataset.Dataset.take (2.10).
        """
        return self if count == -1 and not isinstance(count, bool) else self._append_operator(Take, count)

    def skip(self, count: int) -> "Dataset":
        """Leave out the first `count` rows.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is negative.

        Follows: mindspore.dataset.Dataset.skip (2.10).
        """
        return self._append_operator(Skip, count)

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
            num_parallel_workers: threads for a slow predicate; None takes the global setting.

        Follows: mindspore.dataset.Dataset.filter (2.10).
        """
        return self._append_operator(Filter, predicate, input_columns, num_parallel_workers)

    def project(self, columns: str | list[str]) -> "Dataset":
        """Keep the named columns, in that order.

        Follows: mindspore.dataset.Dataset.project (2.10).
        """
        return self._append_operator(Project, columns)

    def rename(self, input_columns: str | list[str], output_columns: str | list[str]) -> "Dataset":
        """Rename columns.

        Follows: mindspore.dataset.Dataset.rename (2.10).
        """
        return self._append_operator(Rename, input_columns, output_columns)

    def zip(self, datasets: "Dataset | tuple[Dataset, ...]") -> "Dataset":
        """Put the columns of other datasets next to this one's, up to the end of the shortest.

        Follows: mindspore.dataset.Dataset.zip (2.10).
        """
        others = (datasets,) if isinstance(datasets, Dataset) else require_type(datasets, "datasets", (tuple, Dataset))
        return self._join_datasets(Zip, others)

    def concat(self, datasets: "Dataset | list[Dataset]") -> "Dataset":
        """Append the rows of other datasets to this one's.

        Follows: mindspore.dataset.Dataset.concat (2.10).
        """
        others = [datasets] if isinstance(datasets, Dataset) else require_type(datasets, "datasets", (list, Dataset))
        return self._join_datasets(Concat, others)

    def __add__(self, datasets: "Dataset | list[Dataset]") -> "Dataset":
        return self.concat(datasets)

    def split(self, sizes: list[int] | list[float], randomize: bool = True) -> tuple["Dataset", ...]:
        """Divide the rows into parts that never overlap, in any epoch.

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
        require_type(sizes, "sizes", list)
        require_type(randomize, "randomize", bool)
        counts = split_counts(sizes, self.get_dataset_size())
        ends, seed = accumulate(counts), config.draw_seed()
        return tuple(self._append_operator(Split, next(ends) - count, count, seed, randomize) for count in counts)

    def apply(self, apply_func: "Callable[[Dataset], Dataset]") -> "Dataset":
        """Return the dataset that `apply_func` builds on this one.

        Follows: mindspore.dataset.Dataset.apply (2.10).
        """
        if not callable(apply_func):
            raise TypeError(f"apply_func must be a function, got {type(apply_func)}.")
        built = apply_func(self)
        if not isinstance(built, Dataset):
            raise TypeError(f"apply_func must return a dataset, got {type(built)}.")
        return built

    def flat_map(self, func: "Callable[..., Dataset]") -> "Dataset":
        """Create a dataset from each row, and read them in sequence.

        Args:
            func: takes one array per column.

        Follows: mindspore.dataset.Dataset.flat_map (2.10).
        """
        return self._append_operator(FlatMap, func)

    def build_vocab(
        self,
        columns: str | list[str] | None = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> "Vocab":
        """Do what `text.Vocab.from_dataset` does (r1.x).

        Follows: mindspore.dataset.Dataset.build_vocab (2.10, which builds one and returns None).
        """
        from msbridge.dataset.text import Vocab

        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self,
        columns: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: "SentencePieceModel",
        params: dict[str, str],
    ) -> "SentencePieceVocab":
        """Do what `text.SentencePieceVocab.from_dataset` does (r1.x).

        Follows: mindspore.dataset.Dataset.build_sentencepiece_vocab (2.10, which builds one and returns None).
        """
        from msbridge.dataset.text import SentencePieceVocab

        return SentencePieceVocab.from_dataset(self, columns, vocab_size, character_coverage, model_type, params)

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[[Any], Any] | None = None
    ) -> "Dataset":
        """Let rows wait until `sync_update` lets them pass.

        Args:
            condition_name: by which `sync_update` names this place.
            num_batch: how many batches (rows, without `batch`) pass at first, and at each `sync_update`.
            callback: takes the data of each `sync_update`.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `num_batch` is not positive.
            RuntimeError: the name is in use.

        Follows: mindspore.dataset.Dataset.sync_wait (2.10).
        """
        return self._append_operator(SyncWait, condition_name, num_batch, callback)

    def use_sampler(self, new_sampler: BuiltinSampler) -> None:
        """Read the source through `new_sampler`.

        Follows: mindspore.dataset.MappableDataset.use_sampler (2.10).
        """
        raise AttributeError(f"use_sampler needs a dataset with random access, got {type(self).__name__}.")


class VisionBaseDataset(Dataset):
    """Follows: mindspore.dataset.engine.datasets.VisionBaseDataset (2.10)."""


class TextBaseDataset(Dataset):
    """Follows: mindspore.dataset.engine.datasets.TextBaseDataset (2.10)."""


class AudioBaseDataset(Dataset):
    """Follows: mindspore.dataset.engine.datasets.AudioBaseDataset (2.10)."""


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Follows: mindspore.dataset.engine.datasets.UnionBaseDataset (2.10)."""
