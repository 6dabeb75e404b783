"""Pipelines written to JSON, compared, shown, and built again."""

import inspect
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.nodes import Node, node_of
from msbridge.dataset.engine.pipeline_json import CODES, FROM_CODE, HIDDEN, OPERATION_NAMES, OPERATORS, SHOWN_AS, Plan
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.transforms.base import TensorOperation
from msbridge.dataset.vision.enums import Border, Inter

__all__ = ["DeserializedDataset", "compare", "deserialize", "serialize", "show", "sync_wait_for_dataset"]

ENUMERATIONS = {"interpolation": Inter, "padding_mode": Border}


def serialize(dataset: Dataset, json_filepath: str = "") -> Plan:
    """Return a pipeline as a dict that JSON holds.

    Args:
        dataset: the end of the pipeline.
        json_filepath: where to write it, too; "" writes nothing.

    Returns:
        The last operation, with its settings; "children" are those before it.

    Raises:
        RuntimeError: the file cannot be written.

    Follows: mindspore.dataset.serialize (2.10).
    """
    return dataset.to_json(json_filepath)


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Return whether two pipelines are made of the same operations with the same settings.

    Args:
        pipeline1: the end of a pipeline.
        pipeline2: the end of the other.

    Returns:
        A bool.

    Follows: mindspore.dataset.compare (2.10).
    """
    return pipeline1.to_json() == pipeline2.to_json()


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Log what a pipeline is made of, at the level INFO.

    Args:
        dataset: the end of the pipeline.
        indentation: how many spaces JSON's levels are indented by.

    Follows: mindspore.dataset.show (2.10).
    """
    logging.getLogger("msbridge").info(json.dumps(dataset.to_json(), indent=indentation))


def deserialize(input_dict: Plan | None = None, json_filepath: str | None = None) -> Dataset | None:
    """Build a pipeline again from what `serialize` returned or wrote.

    Args:
        input_dict: what it returned.
        json_filepath: where it wrote it.

    Returns:
        The end of the pipeline; None where neither argument is given.

    Raises:
        RuntimeError: the file cannot be read, or there is Python code in the pipeline, which is not written.

    Follows: mindspore.dataset.deserialize (2.10).
    """
    if json_filepath:
        return DeserializedDataset(json_filepath)
    return DeserializedDataset(input_dict) if input_dict else None


def sync_wait_for_dataset(rank_id: int, rank_size: int, current_epoch: int, obs_runtime: Any = None) -> None:
    """Do nothing: rows are read from files that lie here, and need not be waited for.

    Args:
        rank_id: the number of this process; without effect.
        rank_size: how many processes there are; without effect.
        current_epoch: without effect.
        obs_runtime: without effect.

    Follows: mindspore.dataset.sync_wait_for_dataset (2.10).
    """


class DeserializedDataset(Dataset):
    """A pipeline that was built from its plan.

    Args:
        input_obj: the plan, or the path of its JSON file.

    Follows: mindspore.dataset.engine.datasets.DeserializedDataset (2.10).
    """

    def __init__(self, input_obj: Plan | str) -> None:
        self.input_obj = input_obj
        plan = input_obj if isinstance(input_obj, dict) else _read(input_obj)
        super().__init__(_build(plan.get("tree", plan)))  # a file of AutoTune has a remark beside it

    @property
    def _node(self) -> Node:
        return node_of(self.children[0])


def _read(path: str) -> Plan:
    try:
        return dict(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise pipeline_error(f"Invalid file, failed to open or read {path!r}: {error}.") from error


def _build(plan: Plan) -> Dataset:
    """Build the pipeline of a plan.

    Raises:
        RuntimeError: an operation is not one that can be built.
    """
    kind = str(plan.get("op_type"))
    children = [_build(child) for child in plan.get("children", [])]
    classes = {each.__name__: each for each in _below(Dataset)}
    operators = {shown: name for name, (shown, _, _) in reversed(OPERATORS.items())} | {"Concat": "ConcatDataset"}
    name = operators.get(kind, kind)
    if name not in classes or kind in (*FROM_CODE, "Filter", "BucketBatchByLength", "RandomDataset"):
        raise pipeline_error(f"Invalid data, unsupported operation type: {kind}.")
    if kind in ("Zip", "Concat"):
        return classes[name](children)
    taken = inspect.signature(classes[name]).parameters
    settings = {key: value for key, value in plan.items() if key in taken and value not in ("", None)}
    if "num_parallel_workers" in settings and kind not in OPERATORS:
        settings["num_parallel_workers"] = plan["num_parallel_workers"]
    if kind == "Batch" and not settings.get("input_columns"):
        settings = {key: value for key, value in settings.items() if not key.endswith("_columns")}
    if kind == "Map":
        settings["operations"] = [_operation(each) for each in plan["operations"]]
        settings = {key: value for key, value in settings.items() if value != []}
    if children:
        return classes[name](*children, **settings)
    if "sampler" in plan and "sampler" in taken:
        settings["sampler"] = _sampler(plan["sampler"])
    return classes[name](**{key: value for key, value in settings.items() if value not in ({}, [])})


def _operation(plan: Plan) -> Any:
    names = {shown: name for name, shown in OPERATION_NAMES.items()}
    name = names.get(plan["tensor_op_name"], plan["tensor_op_name"])
    classes = {each.__name__: each for each in _below(TensorOperation)}
    if "python_module" in plan or name not in classes:
        raise pipeline_error(f"Invalid data, unsupported operation: {name}; Python code is not written.")
    shown_as = {shown: own for own, shown in SHOWN_AS.items() if shown != "padding"}
    settings: Plan = {}
    taken = inspect.signature(classes[name]).parameters
    for key, value in (plan.get("tensor_op_params") or {}).items():
        key = shown_as.get(key, key)
        if key in ENUMERATIONS:
            enumeration: Any = ENUMERATIONS[key]
            codes = {code: member for member, code in reversed(CODES[enumeration.__name__].items())}
            value = enumeration[codes[value]]
        if isinstance(value, dict):
            value = value["data"][0]
        if key in taken and key not in HIDDEN:
            settings[key] = _argument(name, key, value)
    if name == "Fill":
        settings = {"fill_value": plan["tensor_op_params"]["data"][0]}
    return classes[name](**settings)


def _argument(name: str, key: str, value: Any) -> Any:
    if key == "size" and name == "Resize" and len(value) == 1:
        return value[0]
    if key == "pad_shape":
        return [None if size == -1 else size for size in value]
    return tuple(value) if isinstance(value, list) and key not in ("mean", "std", "pad_shape") else value


def _sampler(plan: Plan) -> BuiltinSampler:
    classes = {each.__name__: each for each in _below(BuiltinSampler)}
    kind = classes[plan["sampler_name"]]
    taken = inspect.signature(kind).parameters
    settings = {key: value for key, value in plan.items() if key in taken}
    if "shuffle_mode" in plan and plan["sampler_name"] == "DistributedSampler":
        settings["shuffle"] = bool(plan["shuffle_mode"])
    if not settings.get("num_samples"):
        settings.pop("num_samples", None)
    sampler = kind(**settings)
    for child in plan.get("child_sampler", []):
        sampler.add_child(_sampler(child))
    return sampler


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    each: type[Any]
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
