"""MindSpore's API on PyTorch's engine.

    import msbridge as ms            # the API, under its own name
    msbridge.install()               # from here on `import mindspore` imports msbridge

Nothing is imported before it is needed: torch with the first name that is asked for, training, datasets and conversion
with theirs.
"""

import sys

# `python -m msbridge` puts the current folder first, where a `rich.py` or `json.py` may lie that is not ours to run.
if sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] in ("msbridge", "-mmsbridge") and not sys.flags.safe_path:
    del sys.path[0]

import functools
import importlib
from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msbridge.api import *

# `converters` and `mappings` are beside this folder in a checkout, and inside it once installed.
_CHECKOUT = _Path(__file__).parent.parent
if (_CHECKOUT / "mappings" / "tables.py").is_file():
    __path__.append(str(_CHECKOUT))

_ROOMS = frozenset(
    [
        "converters",
        "core",
        "dataset",
        "device",
        "distributed",
        "dropin",
        "mappings",
        "mint",
        "nn",
        "numpy",
        "ops",
        "scipy",
        "train",
        "verify",
    ]
)
_NAMES = {
    "msbridge.core.context.context": ("DeviceCtx",),
    "msbridge.core.autograd.custom_function": ("_Function",),
    "msbridge.core.types.dtype": ("_NullType", "_null"),
    "msbridge.core.context.grad_state": ("_no_grad",),
    "msbridge.dataset.mindrecord": (
        *("Cifar100ToMR", "Cifar10ToMR", "CsvToMR", "FAILED", "FileReader", "FileWriter", "ImageNetToMR", "MindPage"),
        *("MnistToMR", "SUCCESS", "TFRecordToMR", "set_dec_mode", "set_enc_key", "set_enc_mode"),
    ),
    "msbridge.device.executor": (
        *("StreamLimitCtx", "dispatch_threads_num", "get_device_limit", "get_stream_limit", "launch_blocking"),
        *("reset_stream_limit", "set_cpu_affinity", "set_device_limit", "set_kernel_launch_capture"),
        *("set_kernel_launch_group", "set_stream_limit"),
    ),
    "msbridge.device.memory": (
        *("MemPool", "PluggableAllocator", "empty_cache", "max_memory_allocated", "max_memory_reserved"),
        *("memory_allocated", "memory_replay", "memory_reserved", "memory_stats", "memory_summary"),
        *("reset_max_memory_allocated", "reset_max_memory_reserved", "reset_peak_memory_stats", "set_memory"),
        "use_mem_pool",
    ),
    "msbridge.device.profiler": ("Profiler",),
    "msbridge.device.streams": (
        *("Event", "Stream", "StreamCtx", "communication_stream", "current_stream", "default_stream"),
        *("set_cur_stream", "synchronize"),
    ),
    "msbridge.distributed.algorithm": ("get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"),
    "msbridge.distributed.layout": ("Layout",),
    "msbridge.distributed.shard": ("reshard", "shard"),
    "msbridge.dropin.importing.install": ("install", "load_ipython_extension", "uninstall", "unload_ipython_extension"),
    "msbridge.dropin.log": ("get_level", "get_log_config"),
    "msbridge.contrib.graph_plugins": (
        *("CustomPassType", "clear_op_infer", "clear_op_wrapper", "register_custom_backend", "register_custom_pass"),
        *("register_op_infer", "register_op_wrapper"),
    ),
    "msbridge.nn.bridge.conversion": ("from_torch", "to_torch"),
    "msbridge.nn.bridge.summary": ("summary",),
    "msbridge.nn.inference": ("optimize",),
    "msbridge.strict_mode.strict": ("strict",),
    "msbridge.ops.framework.device_placement.storage": ("UntypedStorage",),
    "msbridge.ops": ("Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr"),
    "msbridge.contrib.rewrite": (
        *("ArgType", "Node", "NodeType", "PatternEngine", "PatternNode", "Replacement", "ScopedValue", "SparseFunc"),
        *("SymbolTree", "TreeNodeHelper", "ValueType", "VarNode"),
    ),
    "msbridge.train": (
        *("Callback", "CheckpointConfig", "ConfusionMatrix", "DatasetHelper", "Dice", "DynamicLossScaleManager"),
        *("ConvertModelUtils", "ConvertNetUtils"),
        *("Accuracy", "EarlyStopping", "F1", "Fbeta", "FixedLossScaleManager", "History", "LambdaCallback"),
        *("LearningRateScheduler", "Loss", "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric", "Model"),
        *("ModelCheckpoint", "Precision", "ROC", "Recall", "ReduceLROnPlateau", "RunContext"),
        *("SummaryCollector", "SummaryLandscape", "SummaryRecord", "TimeMonitor"),
        *("Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "amp", "auc"),
        *("ConfusionMatrixMetric", "HausdorffDistance", "MeanSurfaceDistance", "OcclusionSensitivity"),
        *("BackupAndRestore", "BleuScore", "CosineSimilarity", "OnRequestExit", "Perplexity", "RootMeanSquareDistance"),
        *("FlopsUtilizationCollector", "TrainFaultTolerance"),
        *("async_ckpt_thread_status", "build_train_network", "ckpt_to_safetensors", "connect_network_with_dataset"),
        *("data_sink", "export"),
        *("get_metric_fn", "load", "load_checkpoint", "load_checkpoint_async", "load_param_into_net", "names"),
        *("rearrange_inputs", "safetensors_to_ckpt", "save_checkpoint"),
    ),
    "msbridge.train.checkpoint.file_system": ("mindio_preload", "set_mindio_server_info"),
    "msbridge.train.mindir": ("load_mindir", "save_mindir"),
    "msbridge.train.sliced": (
        *("build_searched_strategy", "convert_checkpoint_by_rank", "convert_checkpoints"),
        *("load_distributed_checkpoint", "load_segmented_checkpoints", "merge_pipeline_strategys"),
        *("merge_sliced_parameter", "rank_list_for_convert", "rank_list_for_transform", "restore_group_info_list"),
        *("transform_checkpoint_by_rank", "transform_checkpoints", "unified_safetensors"),
        *("get_ckpt_path_with_strategy", "parameter_broadcast", "set_op_strategy_config"),
        "sync_pipeline_shared_parameters",
    ),
}
_SOURCE = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"msbridge.{name}")
    if name == "__version__":  # scripts compare it with MindSpore's releases; ours is importlib.metadata's
        from msbridge.core.releases.release import release

        return "{}.{}.0".format(*release())
    if name in _SOURCE:
        return getattr(importlib.import_module(_SOURCE[name]), name)
    if not name.startswith("_") and name in hand_out():
        return getattr(importlib.import_module("msbridge.api"), name)
    if name.startswith("__") or __getattr__ is not _find:  # while the drop-in is installed, its facade explains
        raise AttributeError(f"module 'msbridge' has no attribute {name!r}", name=name)
    from msbridge.dropin.importing.missing_names import message

    raise AttributeError(message(f"mindspore.{name}", _names()), name=name)


def _names() -> list[str]:
    return sorted({*hand_out(), *globals(), *_ROOMS, *_SOURCE})


_find = __getattr__
__dir__ = _names


@functools.cache  # once: the drop-in keeps names of other releases out of here
def hand_out() -> frozenset[str]:
    """Import the names of the top level, so that they are here; return them."""
    names = {name: value for name, value in vars(importlib.import_module("msbridge.api")).items() if name[0] != "_"}
    globals().update(names)
    return frozenset(names)
