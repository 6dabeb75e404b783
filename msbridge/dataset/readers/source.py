"""Sources: datasets without parents, and what readers of files and folders share."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.core.runtime.path_mapping import resolve
from msbridge.core.runtime.shared_sections import expand
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.blocks import Block, Column, Indexed, skip_rows, take_rows
from msbridge.dataset.engine.cache import CachedRows
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.engine.nodes import ExecutionContext, Source
from msbridge.dataset.engine.sampling import samplers
from msbridge.dataset.engine.sampling.sampler_arguments import (
    as_sampler,
    check_sampling,
    check_whole_shard,
    select_sampler,
)
from msbridge.dataset.engine.sampling.samplers import Shuffle
from msbridge.dataset.engine.sampling.user_samplers import copy_of_run, flat_within
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import (
    INDEXED,
    IndexedArguments,
    StrPath,
    expand_constructor,
)
from msbridge.dataset.row_random import fold_in

__all__ = ["MappableDataset", "Shuffle", "SourceDataset"]


class SourceDataset(Dataset):
    """A dataset without parents: a reader, which answers for its node what a `Source` asks.

    Follows: mindspore.dataset.SourceDataset (2.10).
    """

    common_arguments: ClassVar[Mapping[str, str]] = INDEXED  # what docstrings call "as in every reader"
    column_names: Sequence[str]
    default_arguments: ClassVar[Mapping[str, Any]] = {}  # of common arguments whose defaults are not the base's

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__init__" in vars(cls):
            base: Any = super(cls, cls).__init__
            cls.__init__ = expand_constructor(cls.__init__, base, cls.default_arguments)  # type: ignore[method-assign]
        if cls.__doc__ and "__doc__" in vars(cls):
            cls.__doc__ = expand(cls.__doc__, {"reader": cls.common_arguments})

    def __init__(self, num_parallel_workers: int | None = None, cache: Any = None) -> None:
        super().__init__(None, num_parallel_workers, cache)

    @property
    def _node(self) -> Source:
        return Source(self)

    def _stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        """Yield the rows of one pass."""
        raise NotImplementedError(f"{type(self).__name__} has no rows: it is neither a reader nor an operator.")

    def _stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        """Yield the rows of one pass from row `start` on."""
        return skip_rows(self._stream(context, epoch), start)

    def _stream_at(self, context: ExecutionContext, epoch: int, positions: np.ndarray) -> Iterator[Block]:
        """Yield the rows at these positions of a pass."""
        return take_rows(self._stream(context, epoch), positions)

    def _names(self) -> list[str]:
        """Return the column names in order, `column_names` unless a reader finds them elsewhere."""
        if not hasattr(self, "column_names"):
            raise NotImplementedError(f"{type(self).__name__} has no rows: it is neither a reader nor an operator.")
        return list(self.column_names)

    def _size(self) -> int | None:
        """Return the number of rows of one pass, or None where only running shows it."""
        return None

    def _materializes(self) -> bool:
        """Whether no transforms are left to be applied to the rows."""
        return False

    def _worker_function(self) -> Callable[..., Any] | None:
        """Return the method that worker processes compute, where the reader wants some."""
        return None

    def is_shuffled(self) -> bool:
        return False

    def is_sharded(self) -> bool:
        return False


class MappableDataset(SourceDataset):
    """A source with random access.

    Subclasses implement `_length`, `_columns` and `_names`; fetching must have no side effects.

    Args:
        num_parallel_workers: threads for reading; None takes the global setting.
        sampler: chooses rows and their order; excludes the arguments below.
        num_samples: at most how many rows; None or 0 is all.
        shuffle: None and True read in random order.
        num_shards: into how many parts the rows are divided.
        shard_id: which part is read.
        cache: keeps what was read, for later passes.

    Follows: mindspore.dataset.MappableDataset (2.10).
    """

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        sampler: Any = None,
        num_samples: int | None = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(num_parallel_workers, cache)
        self.sampler = select_sampler(num_samples, sampler, shuffle, num_shards, shard_id)
        self.num_samples, self.num_shards, self.shard_id = num_samples or 0, num_shards or 1, shard_id or 0

    def _length(self) -> int:
        """Return the number of rows before sampling."""
        raise NotImplementedError

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        """Map each column name to the function from indices to rows."""
        raise NotImplementedError

    @cached_property
    def _cached_columns(self) -> dict[str, Fetch]:
        """The columns, read through the cache where there is one."""
        cache = self.cache
        if cache is None:
            return self._columns
        return {name: CachedRows(cache, self, name, fetch) for name, fetch in self._columns.items()}

    def _labels(self, column: str) -> np.ndarray | None:
        """Return the class of each row, for samplers by class."""
        fetch = self._columns.get(column)
        if fetch is None:
            return None
        labels = fetch(np.arange(self._length()))
        if isinstance(labels, list) and any(np.ndim(label) for label in labels):
            raise pipeline_error(
                f"Invalid sampler, PKSampler needs one class for each row: column {column!r} of {type(self).__name__} "
                "holds several."
            )
        return np.asarray(labels).reshape(self._length(), -1)[:, 0]

    def _order(self, context: ExecutionContext, epoch: int) -> np.ndarray:
        if self.sampler.keeps_order():
            epoch = 0
        generator = context.generator(self._node, epoch)
        if isinstance(
            self.sampler, samplers.DistributedSampler
        ):  # all shards, in all processes, must divide the same order
            generator = np.random.default_rng(fold_in(self.sampler.seed, epoch if context.order_seed is None else 0))
        labels = self._labels(self.sampler.class_column) if isinstance(self.sampler, samplers.PKSampler) else None
        sampler = context.samplers.get(self._node)
        if sampler is None:
            sampler = context.samplers[self._node] = copy_of_run(self.sampler)
        return self._reachable(sampler._select_indices(self._length(), generator, labels))

    def _reachable(self, indices: np.ndarray) -> np.ndarray:
        """Return the indices of rows; a sampler of the user's may yield some beyond, which are left out."""
        return samplers.in_bounds(flat_within(indices, self._length()), self._length())

    def _stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        order = self._order(context, epoch)
        if len(order):
            columns = {name: Column(Indexed(fetch, order)) for name, fetch in self._cached_columns.items()}
            yield Block(columns, len(order), context.keys(self._node, epoch, np.arange(len(order))))

    def _size(self) -> int | None:
        return self.sampler._count_rows(self._length())

    def use_sampler(self, new_sampler: samplers.BuiltinSampler) -> None:
        if not isinstance(new_sampler, samplers.BuiltinSampler):
            raise TypeError(f"use_sampler needs a sampler of mindspore.dataset, got {type(new_sampler)}.")
        self.sampler = new_sampler

    def add_sampler(self, new_sampler: samplers.BuiltinSampler) -> None:
        """Add a sampler that chooses among the rows that the present one chooses.

        Follows: mindspore.dataset.MappableDataset.add_sampler (2.10).
        """
        added = as_sampler(new_sampler)
        added.add_child(self.sampler)
        self.sampler = added

    def is_shuffled(self) -> bool:
        return self.sampler.is_shuffled()

    def is_sharded(self) -> bool:
        return self.sampler.is_sharded()


class FolderDataset(MappableDataset):
    """Base of readers of a folder; they document the arguments.

    Attributes:
        dataset_dir: the folder, with path mappings applied.
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_dir = check_folder(dataset_dir)
        worker_count(num_parallel_workers)
        check_sampling(num_samples, shuffle, num_shards, shard_id)
        check_sampler_conflicts(num_samples, shuffle, sampler, num_shards, shard_id)
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)


class PartsDataset(FolderDataset):
    """Base of readers of a folder whose files are for training or for testing; its readers document the arguments."""

    usages: ClassVar[tuple[str, ...]] = ("train", "test", "all")

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[IndexedArguments]) -> None:
        check_folder(dataset_dir)
        self.usage = None if usage is None else check_choice(usage, "usage", self.usages)
        super().__init__(dataset_dir, **common)


def check_choice(value: Any, name: str, allowed: Sequence[str]) -> str:
    """Return `value`, one of the allowed strings.

    Raises:
        TypeError: it is not a string.
        ValueError: it is another one.
    """
    if require_type(value, name, str) not in allowed:
        raise ValueError(f"Input {name} is not within the valid set of {list(allowed)}, got {value!r}.")
    return str(value)


def check_sampler_conflicts(num_samples: Any, shuffle: Any, sampler: Any, num_shards: Any, shard_id: Any) -> None:
    """Refuse a sampler beside what it replaces, and half a shard.

    Raises:
        RuntimeError: both are given, or only one of `num_shards` and `shard_id`.
    """
    sharding = shard_id if num_shards is None else num_shards
    for name, value in (("shuffle", shuffle), ("sharding", sharding), ("num_samples", num_samples)):
        if sampler is not None and value is not None:
            raise RuntimeError(f"sampler and {name} cannot be specified at the same time.")
    check_whole_shard(num_shards, shard_id)
    if num_shards is not None:
        within(shard_id, "shard_id", 0, int_within(num_shards, "num_shards") - 1)


def check_folder(dataset_dir: Any) -> Path:
    """Return the folder, with path mappings applied.

    Raises:
        TypeError: `dataset_dir` is not a string or path.
        ValueError: there is no such folder.
    """
    require_type(dataset_dir, "dataset_dir", (str, os.PathLike))
    folder = Path(resolve(dataset_dir))
    if not os.fspath(dataset_dir) or not folder.is_dir() or not os.access(folder, os.R_OK):
        mapped = "" if folder == Path(dataset_dir) else f" (mapped to {folder})"
        raise ValueError(
            f"The folder {os.fspath(dataset_dir)}{mapped} does not exist or is not a directory or permission denied!"
        )
    return folder


def check_file(file: Any, name: str) -> Path:
    """Return the file, with path mappings applied.

    Raises:
        TypeError: `file` is not a string or path.
        ValueError: there is no such file.
    """
    require_type(file, name, (str, os.PathLike))
    path = Path(resolve(file))
    if not path.is_file() or not os.access(path, os.R_OK):
        mapped = "" if path == Path(file) else f" (mapped to {path})"
        raise ValueError(f"The file {os.fspath(file)}{mapped} does not exist or permission denied!")
    return path
