"""Data processing of 1.6: MNIST has two shades, and a row of a generator is anything that can be iterated."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset import config
from msbridge.dataset.engine import dataset_base, pipeline_json
from msbridge.dataset.engine.iterators import Iterator
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.pipeline_json import Plan
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler
from msbridge.dataset.legacy import r1_8, r1_10, r2_0
from msbridge.dataset.readers.indexed.classification import mnist
from msbridge.dataset.readers.streamed.generator import GeneratorDataset


def _read_joined(paths: Sequence[Path], shapes: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Read images, whose pixels are 0 or 255, or labels."""
    read = _today_read_joined(paths, shapes)
    return np.where(read > 0, np.uint8(255), np.uint8(0)) if read.ndim > 1 else read


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline, without the sizes of its queues."""
    plan = r1_10.describe_pipeline(node)
    plan.pop("connector_queue_size", None)
    return plan


def _add_child(self: BuiltinSampler, sampler: Any) -> None:
    """Set the sampler that chooses first; a second one is left out."""
    if self.child_sampler is None:
        r2_0.add_child(self, sampler)


def _values(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays: of all that can be iterated but dictionaries."""
    return r1_8.values_of(self, row if isinstance(row, dict) else tuple(row))


def _set_num_parallel_workers(num: int) -> None:
    """Set how many threads a pipeline uses; True is one.

    Follows: mindspore.dataset.config.set_num_parallel_workers (1.6).
    """
    _today_workers(int(num) if isinstance(num, bool) else num)


_today_workers = config.set_num_parallel_workers
_today_read_joined = mnist._read_joined
OVERRIDES = {
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
    ],
    "dataset.GeneratorDataset": [
        Part(GeneratorDataset, "_values", _values),
        Part(Iterator, "__init__", r1_8.today_iterator),
    ],
    "dataset.MnistDataset": Part(mnist, "_read_joined", _read_joined),
    "dataset.config.set_num_parallel_workers": _set_num_parallel_workers,
    "dataset.SequentialSampler.add_child": Part(BuiltinSampler, "add_child", _add_child),
}
