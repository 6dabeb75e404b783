"""Settings of parallel training in 2.0, of which 1.10 lacks one more."""

from functools import wraps
from typing import Any

from msbridge.core.context import context, parallel_settings
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS, Key, ParallelMode
from msbridge.core.releases.overrides import Part

LATER_SETTINGS = {
    "auto_parallel_new_interface",
    "auto_pipeline",
    "dump_device_local_norm",
    "dump_local_norm",
    "dump_local_norm_path",
    "force_fp32_communication",
    "init_param_in_compile",
    "pipeline_config",
    "pipeline_interleave",
    "pipeline_result_broadcast",
    "pipeline_scheduler",
    "pipeline_segments",
}
SETTINGS = {"device_num": Key((int,), 1, 1, 4096)}
_OPTIMIZER_PARTS = ("gradient_accumulation_shard", "parallel_optimizer_threshold")


def refuse_settings(unknown: set[str], settings: dict[str, Any]) -> None:
    """Refuse settings of parallel training that a release does not know.

    Raises:
        ValueError: there is one.
    """
    if found := unknown & settings.keys():
        raise ValueError(f"Set context keyword {min(found)} is not recognized!")


@wraps(context.set_auto_parallel_context)
def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads; settings of later releases are unknown.

    Raises:
        AttributeError: `parallel_mode` is None.
        ValueError: an unknown key, or a mode or strategy that needs a graph, without one.
    """
    refuse_settings(LATER_SETTINGS, settings)
    mode = settings.get("parallel_mode")
    if mode in _GRAPH_MODES and context.get_context("mode") == context.PYNATIVE_MODE:
        raise ValueError(
            "PyNative mode takes the parallel modes 'stand_alone', 'data_parallel' and 'auto_parallel', the last with "
            f"sharding propagation under `shard`, but got {mode!r}."
        )
    if "parallel_mode" in settings and mode is None:
        raise AttributeError("parallel_mode must be a string, but got None.")
    _today_set(**settings)


def check_strategy(strategy: Any) -> None:
    """Check how batches are divided.

    Raises:
        ValueError: a part for each input, in PyNative mode.
    """
    _today_strategy(strategy)
    if isinstance(strategy, tuple) and context.get_context("mode") == context.PYNATIVE_MODE:
        raise ValueError(
            f"PyNative mode takes the dataset_strategy 'full_batch' and 'data_parallel', but got {strategy!r}."
        )


def check_optimizer(config: dict[str, Any]) -> None:
    """Check the parts of `parallel_optimizer_config`.

    Raises:
        ValueError: one of a later release.
    """
    parallel_settings._check_keys(config, _OPTIMIZER_PARTS)
    _today_check(config)


_GRAPH_MODES = (ParallelMode.HYBRID_PARALLEL, ParallelMode.SEMI_AUTO_PARALLEL)
_today_set, _today_check = context.set_auto_parallel_context, parallel_settings._CHECKS["parallel_optimizer_config"]
_today_strategy = parallel_settings._CHECKS["dataset_strategy"]
_CHECKS = {"dataset_strategy": check_strategy, "parallel_optimizer_config": check_optimizer}
OVERRIDES = {
    "context.set_auto_parallel_context": [
        set_auto_parallel_context,
        Part(context, "AUTO_PARALLEL_KEYS", {**AUTO_PARALLEL_KEYS, **SETTINGS}),
        Part(parallel_settings, "_CHECKS", {**parallel_settings._CHECKS, **_CHECKS}),
    ],
}
