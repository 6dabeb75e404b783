"""Data processing of 1.3: pipelines are described in 1.5's words but for a few, and bytes are text."""

from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset import config
from msbridge.dataset.engine import dataset_base, pipeline_json
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.pipeline_json import Plan
from msbridge.dataset.legacy import r1_6, r2_0
from msbridge.dataset.readers.streamed.generator import GeneratorDataset


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline: Python code by its kind, joined pipelines without their sizes."""
    plan = r1_6.describe_pipeline(node)
    if plan["op_type"] == "Concat":
        workers = node.num_parallel_workers or config.get_num_parallel_workers()
        return {"children": plan["children"], "num_parallel_workers": workers, "op_type": "Concat"}
    if plan["op_type"] == "Map":
        plan.pop("project_columns", None)
        plan["operations"] = [_in_words(each) for each in plan["operations"]]
    if plan["op_type"] == "Shuffle":
        plan["reshuffle_each_epoch"] = plan.pop("reset_each_epoch")
    return plan


def _in_words(operation: Plan) -> Plan:
    is_python = "python_module" in operation
    return {"is_python_front_end_op": True, "tensor_op_name": "FuncWrapper"} if is_python else operation


def _values(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays; bytes are text."""
    return r2_0.values_of(self, tuple(row))


def _check_types(self: GeneratorDataset, arrays: list[np.ndarray]) -> None:
    """Check the dtypes of a row; bytes are of the type of strings."""
    _today_check_types(self, [np.empty(0, "U") if array.dtype.kind == "S" else array for array in arrays])


_today_check_types = GeneratorDataset._check_types
OVERRIDES = {
    "dataset.GeneratorDataset": [
        Part(GeneratorDataset, "_check_types", _check_types),
        Part(GeneratorDataset, "_values", _values),
    ],
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
    ],
}
