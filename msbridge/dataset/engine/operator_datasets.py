"""The operators as datasets: `isinstance` distinguishes them, and each can be followed by further operators.

Each has the node of its operator, in which its arguments are: `data.batch_size` is read and written there.
"""

import inspect
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.dataset import Dataset, UnionBaseDataset
from msbridge.dataset.engine.nodes import Junction, Node, Operator
from msbridge.dataset.engine.operators.batch import Batch, PaddedBatch
from msbridge.dataset.engine.operators.bucket_batch import BucketBatchByLength
from msbridge.dataset.engine.operators.combine import Concat, FlatMap, Zip
from msbridge.dataset.engine.operators.map import Map
from msbridge.dataset.engine.operators.order import Repeat, Shuffle, Split
from msbridge.dataset.engine.operators.select import Filter, Project, Rename, Skip, Take
from msbridge.dataset.engine.operators.sync_wait import SyncWait

__all__ = [
    "BatchDataset",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "ZipDataset",
    "zip",
]


class OperatorDataset(UnionBaseDataset):
    """A dataset whose node is that of an operator, named where the class is defined; both take the same arguments."""

    _operator: Operator | Junction
    _arguments: ClassVar[frozenset[str]]  # which are attributes of the node

    def __init_subclass__(cls, operator: type[Operator | Junction] | None = None) -> None:
        super().__init_subclass__()
        if operator is not None:
            cls._public[operator] = cls
            cls._arguments = frozenset(("num_parallel_workers", "cache", *(each.name for each in fields(operator))))
            cls.__init__ = _constructor(operator)  # type: ignore[method-assign]

    @property
    def _node(self) -> Node:
        return self._operator

    def __getattr__(self, name: str) -> Any:
        if name in type(self)._arguments:
            return getattr(self._operator, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self)._arguments:
            setattr(self._operator, name, value)
        else:
            super().__setattr__(name, value)


def _constructor(operator: type[Operator | Junction]) -> Any:
    """Return `__init__` for the datasets of an operator, with its signature."""
    signature = inspect.signature(operator.__init__)
    inputs = list(signature.parameters)[1]

    def __init__(self: OperatorDataset, *args: Any, **kwargs: Any) -> None:
        self._operator = operator(*args, **kwargs)
        taken = args[0] if args else kwargs[inputs]
        self._take_rows_of(taken if isinstance(taken, Sequence) else [taken])

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


class MapDataset(OperatorDataset, operator=Map):
    """Follows: mindspore.dataset.MapDataset (2.10)."""


class BatchDataset(OperatorDataset, operator=Batch):
    """Follows: mindspore.dataset.BatchDataset (2.10)."""


class PaddedBatchDataset(OperatorDataset, operator=PaddedBatch):
    """Follows: mindspore.dataset.PaddedBatchDataset (2.10)."""


class BucketBatchByLengthDataset(OperatorDataset, operator=BucketBatchByLength):
    """Follows: mindspore.dataset.BucketBatchByLengthDataset (2.10)."""


class ShuffleDataset(OperatorDataset, operator=Shuffle):
    """Follows: mindspore.dataset.ShuffleDataset (2.10)."""


class RepeatDataset(OperatorDataset, operator=Repeat):
    """Follows: mindspore.dataset.RepeatDataset (2.10)."""


class SplitDataset(OperatorDataset, operator=Split):
    """One part of `Dataset.split`."""


class TakeDataset(OperatorDataset, operator=Take):
    """Follows: mindspore.dataset.TakeDataset (2.10)."""


class SkipDataset(OperatorDataset, operator=Skip):
    """Follows: mindspore.dataset.SkipDataset (2.10)."""


class SyncWaitDataset(OperatorDataset, operator=SyncWait):
    """Follows: mindspore.dataset.SyncWaitDataset (2.10)."""

    _operator: SyncWait

    def update_sync_batch_size(self, batch_size: int) -> None:
        """Count in batches of `batch_size` of these rows.

        Follows: mindspore.dataset.SyncWaitDataset.update_sync_batch_size (2.10).
        """
        self._operator.update_sync_batch_size(batch_size)


class FilterDataset(OperatorDataset, operator=Filter):
    """Follows: mindspore.dataset.FilterDataset (2.10)."""


class ProjectDataset(OperatorDataset, operator=Project):
    """Follows: mindspore.dataset.ProjectDataset (2.10)."""


class RenameDataset(OperatorDataset, operator=Rename):
    """Follows: mindspore.dataset.RenameDataset (2.10)."""


class ZipDataset(OperatorDataset, operator=Zip):
    """Follows: mindspore.dataset.ZipDataset (2.10)."""


class ConcatDataset(OperatorDataset, operator=Concat):
    """Follows: mindspore.dataset.ConcatDataset (2.10)."""

    _operator: Concat

    def use_sampler(self, sampler: Any) -> None:
        """Choose among the rows of all datasets: a shard of them, or all in random order.

        Raises:
            TypeError: it is another kind of sampler, or a dataset is batched.
            ValueError: it shuffles shards, limits their rows, or draws with replacement.

        Follows: mindspore.dataset.ConcatDataset.use_sampler (2.10).
        """
        self._operator.use_sampler(sampler)


class FlatMapDataset(OperatorDataset, operator=FlatMap):
    """Follows: mindspore.dataset.Dataset.flat_map (2.10)."""


def zip(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Put the columns of several datasets next to each other, up to the end of the shortest.

    Args:
        datasets: at least two, with distinct column names.

    Returns:
        A ZipDataset with the columns of all.

    Raises:
        TypeError: `datasets` is not a tuple.
        ValueError: it holds fewer than two.

    Follows: mindspore.dataset.zip (2.10).
    """
    if len(require_type(datasets, "datasets", tuple)) < 2:
        raise ValueError(f"Can't zip empty or just one dataset, got {len(datasets)}.")
    return ZipDataset(datasets)
