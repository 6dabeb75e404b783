"""The operators as datasets: `isinstance` tells them apart, and each can be followed by further operators."""

from msbridge.core.checks.arguments import typed
from msbridge.dataset.engine.dataset import Dataset, UnionBaseDataset
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


class MapDataset(Map, UnionBaseDataset):
    """Follows: mindspore.dataset.MapDataset (2.10)."""


class BatchDataset(Batch, UnionBaseDataset):
    """Follows: mindspore.dataset.BatchDataset (2.10)."""


class PaddedBatchDataset(PaddedBatch, UnionBaseDataset):
    """Follows: mindspore.dataset.PaddedBatchDataset (2.10)."""


class BucketBatchByLengthDataset(BucketBatchByLength, UnionBaseDataset):
    """Follows: mindspore.dataset.BucketBatchByLengthDataset (2.10)."""


class ShuffleDataset(Shuffle, UnionBaseDataset):
    """Follows: mindspore.dataset.ShuffleDataset (2.10)."""


class RepeatDataset(Repeat, UnionBaseDataset):
    """Follows: mindspore.dataset.RepeatDataset (2.10)."""


class SplitDataset(Split, UnionBaseDataset):
    """One part of `Dataset.split`."""


class TakeDataset(Take, UnionBaseDataset):
    """Follows: mindspore.dataset.TakeDataset (2.10)."""


class SkipDataset(Skip, UnionBaseDataset):
    """Follows: mindspore.dataset.SkipDataset (2.10)."""


class SyncWaitDataset(SyncWait, UnionBaseDataset):
    """Follows: mindspore.dataset.SyncWaitDataset (2.10)."""


class FilterDataset(Filter, UnionBaseDataset):
    """Follows: mindspore.dataset.FilterDataset (2.10)."""


class ProjectDataset(Project, UnionBaseDataset):
    """Follows: mindspore.dataset.ProjectDataset (2.10)."""


class RenameDataset(Rename, UnionBaseDataset):
    """Follows: mindspore.dataset.RenameDataset (2.10)."""


class ZipDataset(Zip, UnionBaseDataset):
    """Follows: mindspore.dataset.ZipDataset (2.10)."""


class ConcatDataset(Concat, UnionBaseDataset):
    """Follows: mindspore.dataset.ConcatDataset (2.10)."""


class FlatMapDataset(FlatMap, UnionBaseDataset):
    """Follows: mindspore.dataset.Dataset.flat_map (2.10)."""


def zip(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Put the columns of several datasets next to each other, up to the end of the shortest.

    Args:
        datasets: at least two, with distinct column names.

    Raises:
        TypeError: `datasets` is not a tuple.
        ValueError: it holds fewer than two.

    Follows: mindspore.dataset.zip (2.10).
    """
    if len(typed(datasets, "datasets", tuple)) < 2:
        raise ValueError(f"Can't zip empty or just one dataset, got {len(datasets)}.")
    return ZipDataset(datasets)
