"""Data processing of 2.0: what a Python sampler, a batch and an iterator yielded."""

from collections.abc import Sequence
from copy import copy
from functools import wraps
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.dataset.audio.biquads import BandBiquad, BiquadFilter
from msbridge.dataset.engine import dataset_base, iterators, nodes, pipeline_json
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.execution.executor import Executor
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch, ListRows
from msbridge.dataset.engine.iterators import Iterator, TupleIterator
from msbridge.dataset.engine.nodes import ExecutionContext, Node, Source, walk
from msbridge.dataset.engine.operators import batch
from msbridge.dataset.engine.operators.batch import BatchInfo
from msbridge.dataset.engine.operators.order import Repeat
from msbridge.dataset.engine.pipeline_json import Plan
from msbridge.dataset.engine.sampling import user_samplers
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler, DistributedSampler
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.reading.mind_page import MindPage
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter
from msbridge.dataset.readers.indexed.classification import image_folder
from msbridge.dataset.readers.indexed.generic import numpy_slices
from msbridge.dataset.readers.indexed.generic.mindrecord import MindDataset
from msbridge.dataset.readers.streamed.generator import GeneratorDataset
from msbridge.dataset.vision.color.gamma import ALMOST_256, AdjustGamma
from msbridge.dataset.vision.geometry import affine


def _columns(results: Any, count: int) -> Sequence[Any]:
    """Return the columns that `per_batch_map` returned: a tuple, list or array of them."""
    return list(results) if isinstance(results, tuple | list | np.ndarray) else [results]


def lend_nothing(rows: Fetch) -> Fetch:
    """Return rows that are copied whenever they are read."""
    if isinstance(rows, ArrayRows | ListRows):
        rows.is_lent = False
    return rows


class _Blocks(DistributedSampler):
    """One block of neighbouring rows of each shard; the last ones begin again with the first row."""

    def _places(self, size: int) -> np.ndarray:
        per_shard = -(-size // self.num_shards)
        return (self.shard_id * per_shard + np.arange(per_shard)) % max(size, 1)


@wraps(MindDataset.__init__)
def _mind_dataset(self: MindDataset, *args: Any, **kwargs: Any) -> None:
    """Construct the dataset, whose shards are blocks of neighbouring rows."""
    _today_mind_dataset(self, *args, **kwargs)
    if type(self.sampler) is DistributedSampler:
        self.sampler = copy(self.sampler)
        self.sampler.__class__ = _Blocks


def values_of(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays that share no memory with them."""
    return _today_values(self, row)


def _begin_sources(root: Node) -> None:
    """Begin the iterables of a pipeline once: it was copied before it was used, and a copy tried them."""
    for node in walk(root):
        if not isinstance(node, Source) or not isinstance(node.reader, GeneratorDataset):
            continue
        if not node.reader.random_access and not callable(node.reader.source):
            iter(node.reader.source)


def _prepare(root: Node, seed: int, executor: Executor | None = None) -> ExecutionContext:
    """Number the nodes of a pipeline; its iterables are begun once more than there are passes."""
    _begin_sources(root)
    return _today_prepare(root, seed, executor)


def memo_of(dataset: DatasetBase) -> dict[str, Any]:
    """Return the names, shapes and dtypes of a dataset that it was asked for."""
    return vars(dataset).setdefault("_memo", {})


def _get_col_names(self: DatasetBase) -> list[str]:
    """Return the column names in order; iterables are begun at the first call."""
    memo = memo_of(self)
    if "names" not in memo:
        _begin_sources(self._node)
        memo["names"] = _today_names(self)
    return memo["names"]


def _output_shapes(self: DatasetBase, estimate: bool = False) -> list[list[int | None]]:
    """Return the shape of each column; it is looked for once."""
    memo = memo_of(self)
    if estimate or "shapes" not in memo:
        memo["shapes"] = _today_shapes(self, estimate)
    return memo["shapes"]


def _output_types(self: DatasetBase) -> list[np.dtype]:
    """Return the dtype of each column; it is looked for once."""
    memo = memo_of(self)
    if "types" not in memo:
        memo["types"] = _today_types(self)
    return memo["types"]


def _get_dataset_size(self: DatasetBase) -> int:
    """Return the number of rows of one pass; iterables are begun once where nothing is run for it."""
    if self._last_size is None and self._node.size() is not None:
        _begin_sources(self._node)
    return _today_size(self)


def _info(self: Node, context: ExecutionContext, number: int, batch: int) -> BatchInfo:
    """Return the description of a batch for the user's functions: each pass of a `repeat` counts as an epoch."""
    return BatchInfo(batch, _passes_of(self, context, number), number)


def _passes_of(node: Node, context: ExecutionContext, number: int) -> int:
    """Return the number of passes of the nodes that repeat them before pass `number` of a node."""
    consumer = context.consumers.get(node)
    if consumer is None or (isinstance(consumer, Repeat) and consumer.is_endless()):
        return number
    outer = _passes_of(consumer, context, consumer.consumer_pass(number)[0])
    return outer * consumer.count + number % consumer.count if isinstance(consumer, Repeat) else outer


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline: without the sizes of joined ones, and the settings of two transforms."""
    plan = _today_plan(node)
    plan.pop("children_sizes", None)
    for operation in plan.get("operations", ()):
        if operation["tensor_op_name"] in ("Mask", "PadEnd"):
            operation["tensor_op_params"] = None
    return plan


@wraps(FileWriter.add_schema)
def _add_schema(self: FileWriter, content: dict[str, dict[str, Any]], desc: str | None = None) -> int:
    """Set the schema of the rows; return its number."""
    _today_add_schema(self, content, desc)
    return 0


def _get_category_fields(self: MindPage) -> list[str]:
    """Return the fields that rows can be looked up by.

    Follows: mindspore.mindrecord.MindPage.get_category_fields (2.0).
    """
    return self.candidate_fields


def add_child(self: BuiltinSampler, sampler: Any) -> None:
    """Set the sampler that chooses first; what it is shows when rows are read."""
    if sampler is None or self.child_sampler is not None or isinstance(sampler, BuiltinSampler):
        _today_add_child(self, sampler)
    else:
        self.child_sampler = sampler


@wraps(TupleIterator.__init__)
def _tuple_iterator(
    self: TupleIterator,
    dataset: Any,
    columns: str | list[str] | None = None,
    num_epochs: int = -1,
    output_numpy: bool = False,
    do_copy: Any = False,
) -> None:
    """Construct the iterator; `do_copy` may be anything."""
    _today_tuple_iterator(self, dataset, columns, num_epochs, output_numpy, bool(do_copy))


def _value(self: Iterator, value: Any) -> Any:
    """Return a value of a row: text as a Tensor of strings."""
    is_text = isinstance(value, np.ndarray) and value.dtype.kind in "US"
    if self._output_numpy or not is_text:
        return _today_value(self, value)
    return Tensor(np.char.decode(value) if value.dtype.kind == "S" else value)


def _check_labels(class_indexing: Any) -> dict[str, int]:
    """Return a mapping from class names to labels; of floats the whole part."""
    if isinstance(class_indexing, dict):
        class_indexing = {
            name: int(label) if isinstance(label, float) else label for name, label in class_indexing.items()
        }
    return _today_check_labels(class_indexing)


def _set_category_field(self: MindPage, category_field: str) -> MSRStatus:
    """Choose the field that rows are looked up by.

    Follows: mindspore.mindrecord.MindPage.set_category_field (2.0).
    """
    self.category_field = category_field
    return SUCCESS


_today_add_child, _today_tuple_iterator = BuiltinSampler.add_child, TupleIterator.__init__
_today_check_labels = image_folder.check_labels
_today_prepare, _today_plan = nodes.prepare, pipeline_json.pipeline_json
_today_shapes, _today_types = DatasetBase.output_shapes, DatasetBase.output_types
_today_names, _today_size = DatasetBase.get_col_names, DatasetBase.get_dataset_size
_today_add_schema = FileWriter.add_schema
_today_rows, _today_mind_dataset = numpy_slices._rows, MindDataset.__init__
_today_values, _today_value = GeneratorDataset._values, Iterator._value


def _adjust_gamma_of_pil(self: AdjustGamma, image: Any) -> Any:
    """Correct the gamma of an image of Pillow; levels are rounded, not cut off."""
    bands = len(image.getbands())
    table = [round(ALMOST_256 * self.gain * (level / 255.0) ** self.gamma) for level in range(256)]
    return image.point(table * bands) if bands in (1, 3) else image


OVERRIDES = {
    "dataset.BatchInfo.get_epoch_num": Part(batch._BatchOperator, "_info", _info),
    "dataset.Dataset.batch": Part(batch, "unpack_columns", _columns),
    "dataset.Dataset.create_dict_iterator": [Part(iterators, "wrap_numpys", wrap), Part(Iterator, "_value", _value)],
    "dataset.Dataset.create_tuple_iterator": Part(TupleIterator, "__init__", _tuple_iterator),
    "dataset.Dataset.output_types": [
        Part(DatasetBase, "output_shapes", _output_shapes),
        Part(DatasetBase, "output_types", _output_types),
    ],
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
        Part(pipeline_json, "ON_A_DEVICE", frozenset()),
    ],
    "dataset.GeneratorDataset": [
        Part(GeneratorDataset, "_values", values_of),
        Part(nodes, "prepare", _prepare),
        Part(iterators, "prepare", _prepare),
        Part(DatasetBase, "get_col_names", _get_col_names),
        Part(DatasetBase, "get_dataset_size", _get_dataset_size),
    ],
    "dataset.ImageFolderDataset": Part(image_folder, "check_labels", _check_labels),
    "dataset.MindDataset": Part(MindDataset, "__init__", _mind_dataset),
    "dataset.NumpySlicesDataset": Part(numpy_slices, "_rows", lambda column: lend_nothing(_today_rows(column))),
    "dataset.Sampler": Part(user_samplers, "_whole", int),  # a Python sampler may yield fractions
    "dataset.SequentialSampler.add_child": Part(BuiltinSampler, "add_child", add_child),
    "dataset.audio.BandBiquad": Part(BandBiquad, "compute", BiquadFilter.compute),  # also where a pole is at zero
    "dataset.vision.AdjustGamma": Part(AdjustGamma, "_pil_one", _adjust_gamma_of_pil),
    "dataset.vision.Affine": Part(affine, "_angle", lambda value, name: require_type(value, name, (int, float))),
    "mindrecord.FileWriter.add_schema": _add_schema,
    "mindrecord.MindPage.get_category_fields": _get_category_fields,
    "mindrecord.MindPage.set_category_field": _set_category_field,
}
