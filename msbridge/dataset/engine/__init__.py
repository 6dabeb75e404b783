"""The pipeline engine: nodes, blocks of rows, iterators, samplers."""

from msbridge.dataset.engine.batch import BatchDataset, BatchInfo
from msbridge.dataset.engine.bucket_batch import BucketBatchByLengthDataset
from msbridge.dataset.engine.combine import ConcatDataset, ZipDataset, zip
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.filter import FilterDataset
from msbridge.dataset.engine.flat_map import FlatMapDataset
from msbridge.dataset.engine.iterators import DictIterator, Iterator, TupleIterator
from msbridge.dataset.engine.map import MapDataset
from msbridge.dataset.engine.padded_batch import PaddedBatchDataset
from msbridge.dataset.engine.repeat import RepeatDataset
from msbridge.dataset.engine.samplers import (
    BuiltinSampler,
    DistributedSampler,
    IterSampler,
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from msbridge.dataset.engine.select import ProjectDataset, RenameDataset, SkipDataset, TakeDataset
from msbridge.dataset.engine.shuffle import ShuffleDataset
from msbridge.dataset.engine.source import MappableDataset, SourceDataset
from msbridge.dataset.engine.split import SplitDataset

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "BuiltinSampler",
    "ConcatDataset",
    "Dataset",
    "DictIterator",
    "DistributedSampler",
    "FilterDataset",
    "FlatMapDataset",
    "IterSampler",
    "Iterator",
    "MapDataset",
    "MappableDataset",
    "PKSampler",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RandomSampler",
    "RenameDataset",
    "RepeatDataset",
    "Sampler",
    "SequentialSampler",
    "ShuffleDataset",
    "SkipDataset",
    "SourceDataset",
    "SplitDataset",
    "SubsetRandomSampler",
    "SubsetSampler",
    "TakeDataset",
    "TupleIterator",
    "WeightedRandomSampler",
    "ZipDataset",
    "zip",
]
