"""Data processing of 1.1: pipelines are described by the settings of their Python objects."""

import functools
import math
from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.core.runtime.defining_modules import is_own
from msbridge.dataset import config, serializing
from msbridge.dataset.engine import dataset_base, pipeline_json
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.nodes import Node, Source
from msbridge.dataset.engine.operators.order import Split
from msbridge.dataset.engine.pipeline_json import FROM_CODE, OPERATORS, Plan
from msbridge.dataset.engine.sampling.samplers import PKSampler, SequentialSampler
from msbridge.dataset.mindrecord.errors import MindRecordException

_MODULE = "mindspore.dataset.engine.datasets"
_SAMPLERS = "mindspore.dataset.engine.samplers"
_FIXED: dict[str, Plan] = {
    "BatchDataset": {"column_order": [], "pad_info": {}},
    "MapDataset": {"column_order": None, "cache": None},
    "PaddedBatchDataset": {"per_batch_map": None, "input_columns": [], "output_columns": [], "column_order": []},
    "ProjectDataset": {"prefetch_size": None},
    "ShuffleDataset": {"reshuffle_each_epoch": True},
}
_SETTINGS = {
    "BatchDataset": ("batch_size", "drop_remainder", "per_batch_map", "input_columns", "output_columns"),
    "BucketBatchByLengthDataset": (
        *("column_names", "bucket_boundaries", "bucket_batch_sizes", "element_length_function", "pad_info"),
        *("pad_to_bucket_boundary", "drop_remainder"),
    ),
    "FilterDataset": ("predicate", "input_columns"),
    "PaddedBatchDataset": ("batch_size", "drop_remainder", "pad_info"),
}
_SHOWN_AS = {"column_names": "length_dependent_columns"}
_EMPTY: dict[str, Any] = {"input_columns": [], "output_columns": [], "pad_info": {}}
"""What some settings are that are not given."""


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline: each node's class, module, children and settings."""
    if isinstance(node, Split):
        return describe_pipeline(node.children[0])
    kind = pipeline_json._kind(node)
    children = [describe_pipeline(child) for child in node.children]
    workers = node.num_parallel_workers or config.get_num_parallel_workers()
    shown = "BatchDataset" if kind == "PaddedBatchDataset" else kind
    plan = {"op_type": shown, "op_module": _MODULE, "children": children, "num_parallel_workers": workers}
    if isinstance(node, Source):
        return plan if kind in FROM_CODE else plan | _reader(node.reader)
    if kind == "ConcatDataset":
        return plan | _concatenation(node)
    names = _SETTINGS.get(kind, OPERATORS.get(kind, ("", (), False))[1])
    plan |= {_SHOWN_AS.get(name, name): _fill_missing(name, getattr(node, name)) for name in names}
    if kind == "MapDataset":
        plan["operations"] = [_operation(each) for each in node.operations]  # type: ignore[attr-defined]
        plan["output_columns"] = list(node.output_columns or node.input_columns)  # type: ignore[attr-defined]
    return plan | _FIXED.get(kind, {})


def _fill_missing(name: str, value: Any) -> Any:
    return _EMPTY.get(name) if value is None else value


def _reader(reader: Any) -> Plan:
    plan = pipeline_json._reader(reader)
    if "sampler" in plan:
        plan["sampler"] = _sampler(reader.sampler)
    return plan


def _concatenation(node: Node) -> Plan:
    plan = pipeline_json._concatenation(node)
    nothing: Plan = {"start_index": None, "child_sampler": None, "num_samples": None}
    nothing |= {"sampler_module": _SAMPLERS, "sampler_name": "SequentialSampler"}
    sampler = getattr(node, "sampler", None)
    return {
        "sampler": nothing if sampler is None else _sampler(sampler),
        "children_flag_and_nums": [tuple(pair) for pair in plan["children_flag_and_nums"]],
        "children_start_end_index": plan["children_start_end_index"],
    }


def _sampler(sampler: Any) -> Plan:
    plan = pipeline_json._sampler(sampler)
    name, _ = plan.pop("sampler_name"), plan.pop("child_sampler", None)
    child = sampler.child_sampler
    plan["child_sampler"] = None if child is None else _sampler(child)
    return plan | {"num_samples": sampler.num_samples, "sampler_module": _SAMPLERS, "sampler_name": name}


def _operation(operation: Any) -> Plan:
    kind = type(operation)
    if not is_own(kind):
        return {"tensor_op_name": kind.__name__, "tensor_op_module": kind.__module__}
    settings = pipeline_json._operation(operation)
    room = "vision" if "vision" in kind.__module__ else "transforms"
    module = f"mindspore.dataset.{room}.c_transforms"
    return {**(settings["tensor_op_params"] or {}), "tensor_op_name": kind.__name__, "tensor_op_module": module}


def _build(plan: Plan) -> Dataset:
    """Build the pipeline of a description of today or then."""
    return _today_build(_in_todays_words(plan) if "op_module" in plan else plan)


def _in_todays_words(plan: Plan) -> Plan:
    operators = {name: shown for name, (shown, _, _) in OPERATORS.items()} | {"ConcatDataset": "Concat"}
    today: Plan = {"op_type": operators.get(plan["op_type"], plan["op_type"])}
    if "operations" in plan:
        today["operations"] = [_operation_in_todays_words(each) for each in plan["operations"]]
    if plan.get("sampler"):
        today["sampler"] = {key: value for key, value in plan["sampler"].items() if value is not None}
    return plan | today


def _operation_in_todays_words(operation: Plan) -> Plan:
    if not operation["tensor_op_module"].startswith("mindspore."):
        return {"python_module": operation["tensor_op_module"], **operation}
    settings = {name: value for name, value in operation.items() if not name.startswith("tensor_op_")}
    return {"tensor_op_name": operation["tensor_op_name"], "tensor_op_params": settings}


def _dataset_size(self: DatasetBase) -> int | None:
    """The number of rows of a source in Python that knows its length; else None.

    Follows: mindspore.dataset.Dataset.dataset_size (1.1).
    """
    node = self._node
    is_sized = isinstance(node, Source) and hasattr(getattr(node.reader, "source", ()), "__len__")
    return self.get_dataset_size() if is_sized and pipeline_json._kind(node) in FROM_CODE else None


def _sequential_sampler(self: SequentialSampler, start_index: Any = None, num_samples: Any = None) -> None:
    """Construct the sampler; only a negative start is refused."""
    if start_index is not None and start_index < 0:
        raise ValueError(f"start_index should be a positive integer value or 0, got {start_index}.")
    _today_sequential(self, _floor(start_index), _floor(num_samples))
    self.start_index = start_index


def _floor(number: float | None) -> int | None:
    return None if number is None else math.floor(number)


def _pk_sampler(
    self: PKSampler,
    num_val: Any,
    num_class: int | None = None,
    shuffle: bool = False,
    class_column: Any = "label",
    num_samples: int | None = None,
) -> None:
    """Construct the sampler; the column of the class is looked at when rows are read."""
    if num_val <= 0:
        raise ValueError(f"num_val should be a positive integer value, got {num_val}.")
    _today_pk(self, int(num_val), num_class, shuffle, "label", num_samples)
    self.class_column = class_column


def _text(self: MindRecordException) -> str:
    return f"[{type(self).__name__}]: error_code: {self.error_code}, error_msg: {self.error_msg}"


_today_build = serializing._build
_today_sequential, _today_pk = SequentialSampler.__init__, PKSampler.__init__
OVERRIDES = {
    "dataset.Dataset.dataset_size": property(_dataset_size),
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
        Part(dataset_base, "sort_keys", lambda plan: plan),
        Part(serializing, "_build", _build),
    ],
    "dataset.PKSampler": Part(PKSampler, "__init__", functools.wraps(_today_pk)(_pk_sampler)),
    "dataset.SequentialSampler": Part(
        SequentialSampler, "__init__", functools.wraps(_today_sequential)(_sequential_sampler)
    ),
    "mindrecord.errors.MRMOpenError": Part(MindRecordException, "__str__", _text),
}
