"""MindSpore's API on PyTorch's engine.

    import msbridge as ms            # the API, under its own name
    msbridge.install()               # from here on `import mindspore` gives msbridge

Rooms that a program may not need (training, datasets, conversion, …) are imported when they are first asked for.
"""

import importlib
from typing import Any

from msbridge import core, nn, ops
from msbridge.core import context, dtype
from msbridge.core.autograd import get_grad, grad, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap
from msbridge.core.context import (
    COMPATIBLE,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    STRICT,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_current_device,
    get_ps_context,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_deterministic,
    set_device,
    set_ps_context,
)
from msbridge.core.dtype import *
from msbridge.core.jit import (
    JitConfig,
    jit,
    jit_class,
    lazy_inline,
    ms_class,
    ms_function,
    ms_memory_recycle,
    mutable,
    no_inline,
    set_recursion_limit,
)
from msbridge.core.parameter import Parameter, ParameterTuple
from msbridge.core.random import get_rng_state, get_seed, initial_seed, manual_seed, set_rng_state, set_seed
from msbridge.core.release import set_release
from msbridge.core.tensor import Tensor, from_dlpack, from_numpy, is_tensor, tensor, to_dlpack, to_torch

__version__ = "0.1.0"

_ROOMS = frozenset(
    {"boost", "converters", "dataset", "device", "distributed", "dropin", "mappings", "mint", "numpy", "scipy", "train", "verify"}
)
_NAMES = {
    "msbridge.dropin.install": ("install", "uninstall"),
    "msbridge.ops": ("Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr", "recompute"),
    "msbridge.train": (
        *("Callback", "CheckpointConfig", "ConfusionMatrix", "DatasetHelper", "Dice", "DynamicLossScaleManager"),
        *("Accuracy", "EarlyStopping", "F1", "Fbeta", "FixedLossScaleManager", "History", "LambdaCallback"),
        *("LearningRateScheduler", "Loss", "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric", "Model"),
        *("ModelCheckpoint", "Precision", "ROC", "Recall", "ReduceLROnPlateau", "RunContext", "TimeMonitor"),
        *("Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "amp", "auc"),
        *("async_ckpt_thread_status", "build_train_network", "connect_network_with_dataset", "data_sink", "export"),
        *("get_metric_fn", "load", "load_checkpoint", "load_checkpoint_async", "load_param_into_net", "names"),
        *("rearrange_inputs", "save_checkpoint"),
    ),
}
_SOURCE = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"msbridge.{name}")
    if name in _SOURCE:
        return getattr(importlib.import_module(_SOURCE[name]), name)
    if name.startswith("__"):
        raise AttributeError(f"module 'msbridge' has no attribute {name!r}", name=name)
    from msbridge.dropin.absence import message

    raise AttributeError(message(f"mindspore.{name}", __dir__()), name=name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS, *_SOURCE})
