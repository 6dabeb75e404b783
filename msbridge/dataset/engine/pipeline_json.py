"""Plans: what a pipeline is made of, as the JSON that MindSpore writes."""

import inspect
import json
import os
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.runtime.defining_modules import is_own
from msbridge.dataset import config
from msbridge.dataset.engine.nodes import Node, Reader, Source
from msbridge.dataset.engine.operators.order import Split
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler, DistributedSampler, RandomSampler, SubsetSampler
from msbridge.dataset.engine.user_values import pipeline_error

Plan = dict[str, Any]

# By operator: its name, which settings it shows under their own names, and whether its rows wait in a queue.
OPERATORS: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "BatchDataset": ("Batch", ("batch_size", "drop_remainder", "input_columns", "output_columns"), True),
    "BucketBatchByLengthDataset": ("BucketBatchByLength", (), True),
    "FilterDataset": ("Filter", ("input_columns",), False),
    "MapDataset": ("Map", ("input_columns",), True),
    "PaddedBatchDataset": ("Batch", ("batch_size", "drop_remainder"), True),
    "ProjectDataset": ("Project", ("columns",), False),
    "RenameDataset": ("Rename", ("input_columns", "output_columns"), False),
    "RepeatDataset": ("Repeat", ("count",), False),
    "ShuffleDataset": ("Shuffle", ("buffer_size",), False),
    "SkipDataset": ("Skip", ("count",), False),
    "TakeDataset": ("Take", ("count",), False),
    "ZipDataset": ("Zip", (), True),
}
FIXED: dict[str, Plan] = {
    "FilterDataset": {"predicate": "pyfunc"},
    "MapDataset": {"callback": []},
    "PaddedBatchDataset": {"input_columns": [], "output_columns": []},
    "ShuffleDataset": {"reset_each_epoch": True},
}
FROM_CODE = {"GeneratorDataset", "NumpySlicesDataset", "PaddedDataset"}
HIDDEN = {"self", "num_samples", "num_parallel_workers", "shuffle", "sampler", "num_shards", "shard_id", "cache"}
MAX_SETTING_LENGTH = 60  # characters of a setting that a notebook shows
SHUFFLED = 2  # MindSpore's number for a global shuffle

CODES = {
    "Inter": {"LINEAR": 0, "BILINEAR": 0, "NEAREST": 1, "BICUBIC": 2, "CUBIC": 2, "AREA": 3, "PILCUBIC": 4},
    "Border": {"CONSTANT": 0, "EDGE": 1, "REFLECT": 2, "SYMMETRIC": 3},
    "Relational": {"EQ": 0, "NE": 1, "LT": 2, "LE": 3, "GT": 4, "GE": 5},
}
OPERATION_NAMES = {"HWC2CHW": "HwcToChw"}
ON_A_DEVICE = {
    *("AutoContrast", "ConvertColor", "Crop", "Decode", "Equalize", "GaussianBlur", "HorizontalFlip", "Invert"),
    *("Normalize", "Pad", "Resize", "Rotate", "VerticalFlip"),
}
SHOWN_AS = {"operator": "op"}
TENSORS = {"Fill": {"fill_value"}, "Mask": {"constant"}, "PadEnd": {"pad_value"}}
EXACT = {"smoothing_rate"}  # the other floats are float32 there


def pipeline_json(node: Node) -> Plan:
    """Return the description of a pipeline, node by node."""
    if isinstance(node, Split):
        return pipeline_json(node.children[0])
    kind = _kind(node)
    children = [pipeline_json(child) for child in node.children]
    workers = node.num_parallel_workers or config.get_num_parallel_workers()
    queue = {"connector_queue_size": config.get_prefetch_size(), "num_parallel_workers": workers}
    if kind == "ConcatDataset":
        return {"children": children, "op_type": "Concat", **_concatenation(node)}
    if isinstance(node, Source):
        if kind in FROM_CODE:
            return {"children": children, "op_type": "GeneratorDataset", **queue}
        return {"children": children, "op_type": kind, **queue, **_reader(node.reader)}
    name, settings, has_queue = OPERATORS.get(kind, (kind.removesuffix("Dataset"), (), True))
    plan = {"children": children, "op_type": name, **FIXED.get(kind, {})}
    plan |= {setting: _plain(getattr(node, setting)) for setting in settings}
    if has_queue:
        plan |= queue
    elif kind == "FilterDataset":
        plan["num_parallel_workers"] = workers
    if kind == "MapDataset":
        plan["operations"] = [_operation(operation) for operation in node.operations]  # type: ignore[attr-defined]
        plan["output_columns"] = list(node.output_columns or node.input_columns)  # type: ignore[attr-defined]
    return plan


def steps_of(node: Node, depth: int = 0) -> list[tuple[str, str]]:
    """Return the nodes of a pipeline from its sources on, each with its settings; nothing is read.

    Args:
        node: the last one.
        depth: how far its name is moved in; branches of a node with several children are further in than it does.
    """
    further = depth + (len(node.children) > 1)
    rows = [row for child in node.children for row in steps_of(child, further)]
    kind = _kind(node)
    names = OPERATORS.get(kind, ("", (), False))[1]
    settings = _reader(node.reader) if isinstance(node, Source) else {name: getattr(node, name, None) for name in names}
    if kind == "MapDataset":
        operations = [getattr(one, "__name__", type(one).__name__) for one in node.operations]  # type: ignore[attr-defined]
        settings = {"operations": operations, **settings}
    elif kind in FROM_CODE:
        settings = {"column_names": settings.get("column_names")}
    shown = [f"{name}={_short(value)}" for name, value in settings.items() if value not in (None, "", [], (), False)]
    return [*rows, ("\N{NO-BREAK SPACE}" * 3 * depth + kind.removesuffix("Dataset"), ", ".join(shown))]


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    text = str(value)
    return text if len(text) <= MAX_SETTING_LENGTH else f"{text[:MAX_SETTING_LENGTH]} …"


def sort_keys(value: Any) -> Any:
    """Return a plan whose keys, of what is inside as well, are sorted: MindSpore's JSON keeps them so."""
    if isinstance(value, dict):
        return {key: sort_keys(value[key]) for key in sorted(value)}
    return [sort_keys(item) for item in value] if isinstance(value, list) else value


def write_plan(plan: Plan, filename: str) -> None:
    """Write a plan to a JSON file.

    Raises:
        RuntimeError: its folder does not exist.
    """
    try:
        Path(filename).write_text(json.dumps(plan, separators=(",", ":")) + "\n", encoding="utf-8")
    except OSError as error:
        raise pipeline_error(f"Invalid file, get real path failed, path={filename}: {error}.") from error


def _concatenation(node: Node) -> Plan:
    sizes = [child.count_rows() for child in node.children]
    sampler = getattr(node, "sampler", None)
    shown = {"sampler_name": "SequentialSampler", "num_samples": 0, "start_index": 0}
    flags = [0 if hasattr(getattr(child, "reader", child), "sampler") else 1 for child in node.children]
    return {
        "children_flag_and_nums": [list(pair) for pair in zip(flags, sizes, strict=True)],
        "children_sizes": sizes,
        "children_start_end_index": [[-1, -1] for _ in sizes],
        "sampler": shown if sampler is None else _sampler(sampler),
    }


def _kind(node: Node) -> str:
    return type(node.reader).__name__ if isinstance(node, Source) else f"{type(node).__name__}Dataset"


def _reader(reader: Reader) -> Plan:
    if type(reader).__name__ == "RandomDataset":
        return {}
    names = [name for name in inspect.signature(type(reader)).parameters if name not in HIDDEN]
    plan = {name: _plain(getattr(reader, name)) for name in names if hasattr(reader, name)}
    sampler = getattr(reader, "sampler", None)
    return plan if sampler is None else {**plan, "sampler": _sampler(sampler)}


def _sampler(sampler: BuiltinSampler) -> Plan:
    plan: Plan = {"sampler_name": type(sampler).__name__, "num_samples": sampler.num_samples or 0}
    for name in ("num_shards", "offset", "shard_id", "num_val", "replacement", "weights"):
        if hasattr(sampler, name):
            plan[name] = _plain(getattr(sampler, name))
    if isinstance(sampler, DistributedSampler):
        plan |= {"even_dist": sampler.offset == -1, "seed": config.get_seed()}
        plan["shuffle_mode"] = SHUFFLED * sampler.shuffle
    elif isinstance(sampler, RandomSampler):
        plan |= {"reshuffle_each_epoch": True, "shuffle_mode": SHUFFLED}
    elif isinstance(sampler, SubsetSampler):
        plan["indices"] = list(map(int, sampler.indices))
    elif hasattr(sampler, "shuffle"):
        plan["shuffle"] = sampler.shuffle
    elif hasattr(sampler, "start_index"):
        plan["start_index"] = sampler.start_index or 0
    if sampler.child_sampler is not None:
        plan["child_sampler"] = [_sampler(sampler.child_sampler)]
    return plan


def _operation(operation: Any) -> Plan:
    kind = type(operation).__name__
    if not is_own(type(operation)):
        name = getattr(operation, "__name__", kind)
        return {"python_module": "mindspore.dataset.transforms.py_transforms_util", "tensor_op_name": name}
    settings = _settings(operation)
    if kind in ON_A_DEVICE:
        settings["device_target"] = "CPU"
    return {"tensor_op_name": OPERATION_NAMES.get(kind, kind), "tensor_op_params": settings or None}


def _settings(operation: Any) -> Plan:
    kind = type(operation).__name__
    if kind == "Decode":
        return {"rgb": True}
    if kind in TENSORS and "fill_value" in TENSORS[kind]:
        return _tensor(operation.fill_value)
    settings: Plan = {}
    arguments = inspect.signature(type(operation)).parameters
    for name, value in vars(operation).items():
        if name not in arguments and SHOWN_AS.get(name) not in arguments:
            continue
        if name in TENSORS.get(kind, ()):
            settings[name] = _tensor(value)
        elif name == "dtype":
            settings[name] = int(np.dtype(value) == np.bool_)
        else:
            settings[SHOWN_AS.get(name, name)] = _plain(value, exact=name in EXACT)
    if getattr(operation, "by_short_side", False):
        settings["size"] = settings["size"][:1]
    return settings


def _tensor(value: Any) -> Plan:
    array = np.asarray(value)
    return {"data": array.reshape(-1).tolist(), "shape": list(array.shape), "type": str(array.dtype)}


def _plain(value: Any, exact: bool = True) -> Any:
    """A setting as JSON holds it."""
    if isinstance(value, Enum) and type(value).__name__ in CODES:
        return CODES[type(value).__name__][value.name]
    if isinstance(value, (list, tuple)):
        return [_plain(item, exact) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), exact)
    if isinstance(value, dict):
        return {str(key): _plain(item, exact) for key, item in value.items()}
    if isinstance(value, np.dtype):
        return str(value)
    if isinstance(value, float):
        return value if exact else float(np.float32(value))
    if value is None:
        return -1 if not exact else ""
    if isinstance(value, (bool, int, str)):
        return value
    return os.fspath(value) if isinstance(value, os.PathLike) else getattr(value, "__name__", type(value).__name__)
