"""The execution context: mode, device, and the settings that scripts of any release ask for.

Settings of MindSpore's own compiler and runtime (graph dumps, memory pools, kernel fusion …) are checked and kept, so
that a script reads back what it wrote; they have nothing to act on here (mappings/without_effect.toml).

Follows: mindspore.context (2.10) and the keys that earlier releases had.
"""

import contextlib
import os
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from msbridge.core.nearest import did_you_mean
from msbridge.core.notices import without_effect
from msbridge.core.release import default

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
_TARGETS = ("CPU", "GPU", "Ascend", "Davinci")


class ParallelMode:
    """Names of the parallel modes.

    Follows: mindspore.ParallelMode (2.10).
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]  # noqa: RUF012


@dataclass(frozen=True, slots=True)
class _Key:
    """One setting: the types it takes, its default, and the range of an int or the choices of a text."""

    types: tuple[type, ...]
    default: Any
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()


_KEYS = {
    "aoe_config": _Key((dict,), {}),
    "aoe_tune_mode": _Key((str,), ""),
    "ascend_config": _Key((dict,), {}),
    "auto_tune_mode": _Key((str,), "NO_TUNE"),
    "check_bprop": _Key((bool,), False),
    "compile_cache_path": _Key((str,), ""),
    "debug_level": _Key((int,), 0, 0, 1),
    "deterministic": _Key((str,), "OFF", choices=("ON", "OFF")),
    "device_id": _Key((int,), 0, 0, 4095),
    "disable_format_transform": _Key((bool,), False),
    "enable_auto_mixed_precision": _Key((bool,), False),
    "enable_compile_cache": _Key((bool,), None),
    "enable_debug_runtime": _Key((bool,), False),
    "enable_dump": _Key((bool,), False),
    "enable_graph_kernel": _Key((bool,), False),
    "enable_loop_sink": _Key((bool,), True),
    "enable_mem_scheduler": _Key((bool,), False),
    "enable_profiling": _Key((bool,), False),
    "enable_reduce_precision": _Key((bool,), True),
    "enable_sparse": _Key((bool,), False),
    "enable_task_sink": _Key((bool,), True),
    "env_config_path": _Key((str,), ""),
    "exec_order": _Key((str,), "bfs", choices=("bfs", "dfs", "gpto")),
    "gpu_config": _Key((dict,), {}),
    "grad_for_scalar": _Key((bool,), False),
    "graph_kernel_flags": _Key((str,), ""),
    "graph_memory_max_size": _Key((str,), "0"),
    "inter_op_parallel_num": _Key((int,), 0, 0),
    "jit_config": _Key((dict,), {}),
    "jit_enable_inplace_ops": _Key((bool,), True),
    "jit_level": _Key((str,), "", choices=("", "O0", "O1", "O2")),
    "jit_syntax_level": _Key((int,), LAX, 0, 2),
    "max_call_depth": _Key((int,), 1000, 1),
    "max_device_memory": _Key((str,), "1024GB"),
    "memory_offload": _Key((str,), "OFF", choices=("ON", "OFF")),
    "memory_optimize_level": _Key((str,), "O0", choices=("O0", "O1")),
    "mempool_block_size": _Key((str,), "1GB"),
    "offload_config": _Key((dict,), {}),
    "op_debug_option": _Key((str,), ""),
    "op_timeout": _Key((int,), 900, 0),
    "pijit_config": _Key((dict,), {}),
    "precompile_only": _Key((bool,), False),
    "print_file_path": _Key((str,), ""),
    "profiling_options": _Key((str,), "training_trace"),
    "pynative_synchronize": _Key((bool,), False),
    "reserve_class_name_in_scope": _Key((bool,), True),
    "runtime_num_threads": _Key((int,), 30, 0),
    "save_dump_path": _Key((str,), "."),
    "save_graphs": _Key((bool, int), 0),
    "save_graphs_path": _Key((str,), "."),
    "sparse_format": _Key((str,), ""),
    "support_binary": _Key((bool,), False),
    "variable_memory_max_size": _Key((str,), "0"),
}
_NAMES = ("device_target", "mode", *_KEYS)

_COMM_FUSION = {
    "openstate": True,
    **{kind: {"mode": "auto", "config": None} for kind in ("allreduce", "allgather", "reducescatter")},
}
_AUTO_PARALLEL_KEYS = {
    "all_reduce_fusion_config": _Key((list,), []),
    "auto_parallel_search_mode": _Key((str,), "recursive_programming"),
    "comm_fusion": _Key((dict,), _COMM_FUSION),
    "communi_parallel_mode": _Key((str,), "all_group_parallel"),
    "dataset_strategy": _Key((str, tuple), "data_parallel"),
    "device_num": _Key((int,), 1, 1, 4096),
    "enable_alltoall": _Key((bool,), False),
    "enable_parallel_optimizer": _Key((bool,), False),
    "full_batch": _Key((bool,), False),
    "full_batch_is_set": _Key((bool,), False),
    "global_rank": _Key((int,), 0, 0, 4095),
    "grad_accumulation_step": _Key((int,), 1, 1),
    "gradient_fp32_sync": _Key((bool,), True),
    "gradients_mean": _Key((bool,), False),
    "group_ckpt_save_file": _Key((str,), ""),
    "loss_repeated_mean": _Key((bool,), True),
    "mirror_mean": _Key((bool,), False),
    "optimizer_weight_shard_aggregated_save": _Key((bool,), False),
    "optimizer_weight_shard_size": _Key((int,), -1, -1),
    "parallel_mode": _Key((str,), ParallelMode.STAND_ALONE),
    "parallel_optimizer_config": _Key((dict,), {}),
    "parallel_optimizer_threshold": _Key((int,), 64, 0),
    "parameter_broadcast": _Key((bool,), False),
    "pipeline_config": _Key((dict,), {}),
    "pipeline_result_broadcast": _Key((bool,), False),
    "pipeline_segments": _Key((int,), 1, 1),
    "pipeline_stages": _Key((int,), 1, 1),
    "search_mode": _Key((str,), "recursive_programming"),
    "sharding_propagation": _Key((bool,), False),
    "strategy_ckpt_config": _Key((dict,), {"load_file": "", "save_file": "", "only_trainable_params": True}),
    "strategy_ckpt_load_file": _Key((str,), ""),
    "strategy_ckpt_save_file": _Key((str,), ""),
}


@dataclass
class _Context:
    """What was set; keys that were not set have their defaults."""

    mode: int | None = None
    device_target: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    auto_parallel: dict[str, Any] = field(default_factory=dict)
    device: torch.device | None = None
    is_notified: bool = False


_context = _Context()


def set_context(*, mode: int | None = None, device_target: str | None = None, **settings: Any) -> None:
    """Choose mode, device and settings; a setting that is not named keeps its value.

    Args:
        mode: GRAPH_MODE (0) or PYNATIVE_MODE (1). Both run the same eager engine.
        device_target: "CPU", "GPU" or "Ascend". "Ascend" without an NPU is emulated on the best torch device; "GPU"
            without CUDA runs on the CPU, and says so once.
        settings: any key of any release; device_id, max_call_depth, save_graphs, deterministic, jit_config, ….

    Raises:
        TypeError: a value has the wrong type.
        ValueError: an unknown key, or a value out of range.

    Follows: mindspore.set_context (2.10).
    """
    if mode is not None:
        _check_type("mode", mode, (int,))
        if mode not in (GRAPH_MODE, PYNATIVE_MODE):
            raise ValueError(
                "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
                f"context.PYNATIVE_MODE (1), but got {mode}."
            )
    if device_target is not None:
        _check_type("device_target", device_target, (str,))
        if device_target not in _TARGETS:
            raise ValueError(
                f"For 'context.set_context', the argument 'device_target' must be one of {list(_TARGETS)}, "
                f"but got {device_target}.{did_you_mean(device_target, _TARGETS)}"
            )
    for name, value in settings.items():
        if name not in _KEYS:
            raise ValueError(
                f"For 'context.set_context', the keyword argument {name} is not recognized!{_instead(name, _NAMES)}"
            )
        _check("context.set_context", name, value, _KEYS[name])
    if isinstance(settings.get("save_graphs"), int) and not 0 <= settings["save_graphs"] <= 3:
        raise ValueError(f"value for save_graphs should be 0-3 but got '{settings['save_graphs']}'")
    _context.mode = _context.mode if mode is None else mode
    if device_target is not None:
        _context.device_target = "Ascend" if device_target == "Davinci" else device_target
        _context.device = None
    if "device_id" in settings:
        _context.device = None
    if "deterministic" in settings:
        set_deterministic(settings["deterministic"] == "ON")
    _notify("mindspore.set_context", settings, _KEYS)
    _context.settings.update(settings)


def get_context(attr_key: str) -> Any:
    """Return the value of a setting.

    Raises:
        ValueError: there is no such setting.

    Follows: mindspore.get_context (2.10).
    """
    if attr_key == "mode":
        return default("context.mode") if _context.mode is None else _context.mode
    if attr_key == "device_target":
        return device_target()
    if attr_key not in _KEYS:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized!{_instead(attr_key, _NAMES)}"
        )
    value = _context.settings.get(attr_key, _KEYS[attr_key].default)
    if attr_key in ("max_device_memory", "mempool_block_size"):
        return float(value.removesuffix("GB"))
    return int(value) if attr_key == "save_graphs" else value


def device_target() -> str:
    """Return the device that the script asked for; where it asked for none, "GPU" with CUDA and else "CPU"."""
    if _context.device_target is None:
        return "GPU" if torch.cuda.is_available() else "CPU"
    return _context.device_target


def torch_device() -> torch.device:
    """Return the torch device on which new Tensors are allocated."""
    if _context.device is None:
        _context.device = _select_device()
    return _context.device


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose the device.

    Raises:
        TypeError: an argument is of another type.
        ValueError: unknown device, or an id out of range.

    Follows: mindspore.set_device (2.10).
    """
    _check_type("device_target", device_target, (str,))
    if device_target not in ("CPU", "GPU", "Ascend"):
        raise ValueError(
            f"The argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend'], but got {device_target}."
        )
    set_context(device_target=device_target, **({} if device_id is None else {"device_id": device_id}))


def get_current_device() -> tuple[str, int]:
    """Return the device's name and number.

    Follows: mindspore.get_current_device (2.10).
    """
    return device_target(), get_context("device_id")


def set_deterministic(deterministic: bool) -> None:
    """Use deterministic algorithms, where torch has them.

    Raises:
        TypeError: `deterministic` is not a bool.

    Follows: mindspore.set_deterministic (2.10).
    """
    if not isinstance(deterministic, bool):
        raise TypeError(f"The argument 'deterministic' must be bool, but got {type(deterministic).__name__}.")
    torch.use_deterministic_algorithms(deterministic, warn_only=True)
    _context.settings["deterministic"] = "ON" if deterministic else "OFF"


def set_auto_parallel_context(**settings: Any) -> None:
    """Set what distributed training reads.

    Raises:
        TypeError: a value has the wrong type.
        ValueError: an unknown key, or a value out of range.

    Follows: mindspore.set_auto_parallel_context (2.10).
    """
    for name, value in settings.items():
        if name not in _AUTO_PARALLEL_KEYS:
            raise ValueError(f"Set context keyword {name} is not recognized!{_instead(name, _AUTO_PARALLEL_KEYS)}")
        _check("set_auto_parallel_context", name, value, _AUTO_PARALLEL_KEYS[name])
    if settings.get("parallel_mode", ParallelMode.STAND_ALONE) not in ParallelMode.MODE_LIST:
        raise ValueError(
            "The context configuration parameter 'parallel_mode' only support 'stand_alone', 'data_parallel', "
            "'hybrid_parallel', 'semi_auto_parallel' and 'auto_parallel', "
            f"but got the value : {settings['parallel_mode']}."
            f"{did_you_mean(settings['parallel_mode'], ParallelMode.MODE_LIST)}"
        )
    if "mirror_mean" in settings:
        settings["gradients_mean"] = settings["mirror_mean"]
    automatic = settings.get("parallel_mode") not in (ParallelMode.STAND_ALONE, ParallelMode.DATA_PARALLEL)
    said = settings if automatic else {name: value for name, value in settings.items() if name != "parallel_mode"}
    _notify("mindspore.set_auto_parallel_context", said, _AUTO_PARALLEL_KEYS)
    _context.auto_parallel.update(settings)


def get_auto_parallel_context(attr_key: str) -> Any:
    """Return the value of a setting of distributed training.

    Raises:
        ValueError: there is no such setting.

    Follows: mindspore.get_auto_parallel_context (2.10).
    """
    if attr_key not in _AUTO_PARALLEL_KEYS:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!{_instead(attr_key, _AUTO_PARALLEL_KEYS)}")
    return _context.auto_parallel.get(attr_key, _AUTO_PARALLEL_KEYS[attr_key].default)


def reset_auto_parallel_context() -> None:
    """Reset every setting of distributed training to its default.

    Follows: mindspore.reset_auto_parallel_context (2.10).
    """
    _context.auto_parallel.clear()


def set_ps_context(**settings: Any) -> None:
    """Refuse the parameter server, which msbridge does not have.

    Raises:
        RuntimeError: `enable_ps=True` is asked for.
        ValueError: an unknown key.
    """
    unknown = settings.keys() - {"enable_ps", "config_file_path", "scheduler_manage_port", "enable_ssl"}
    if unknown:
        raise ValueError(f"Set PS context keyword {sorted(unknown)[0]} is not recognized!")
    if settings.get("enable_ps"):
        raise RuntimeError("set_ps_context: msbridge has no parameter server; train without it.")


def get_ps_context(attr_key: str) -> Any:
    """Return a setting of the parameter server, which is never enabled."""
    if attr_key != "enable_ps":
        raise ValueError(f"Get PS context keyword {attr_key} is not recognized!")
    return False


def reset_ps_context() -> None:
    """Do nothing: the parameter server is never enabled."""


@contextlib.contextmanager
def preserved() -> Iterator[None]:
    """Restore the context when the block ends."""
    saved = (
        _context.mode,
        _context.device_target,
        dict(_context.settings),
        dict(_context.auto_parallel),
        _context.device,
    )
    try:
        yield
    finally:
        _context.mode, _context.device_target, _context.settings, _context.auto_parallel, _context.device = saved


def _select_device() -> torch.device:
    target = device_target()
    index = get_context("device_id")
    if target == "CPU":
        return torch.device("cpu")
    npu = getattr(torch, "npu", None)
    if target == "Ascend" and npu is not None and npu.is_available():
        return torch.device("npu", index)
    if torch.cuda.is_available():
        return torch.device("cuda", index % torch.cuda.device_count())
    if target == "GPU" and not _context.is_notified:
        _context.is_notified = True
        warnings.warn("device_target='GPU', but torch finds no CUDA device: running on the CPU.", stacklevel=2)
    return torch.device("cpu")


def _instead(name: str, keys: Collection[str]) -> str:
    return did_you_mean(name, keys) or f" The keys are: {', '.join(keys)}."


def _notify(owner: str, settings: Mapping[str, Any], keys: Mapping[str, _Key]) -> None:
    for name, value in settings.items():
        if value != keys[name].default:
            without_effect(f"{owner}.{name}", value)


def _check(where: str, name: str, value: Any, key: _Key) -> None:
    _check_type(name, value, key.types)
    if key.low is not None and (value < key.low or (key.high is not None and value > key.high)):
        if name == "max_call_depth":
            raise ValueError(f"For '{where}', the argument 'max_call_depth' must be greater than 0, but got {value}.")
        limits = f"[{key.low}, {key.high}]" if key.high is not None else f"[{key.low}, ∞)"
        raise ValueError(f"For '{where}', the argument '{name}' must be in range {limits}, but got {value}.")
    if key.choices and value not in key.choices:
        raise ValueError(
            f"For '{where}', the argument '{name}' must be one of {list(key.choices)}, but got {value}."
            f"{did_you_mean(value, key.choices)}"
        )
    if (
        name in ("max_device_memory", "mempool_block_size")
        and not value.removesuffix("GB").replace(".", "", 1).isdigit()
    ):
        raise ValueError(f"For '{where}', the argument '{name}' must be a size such as '3.5GB', but got {value}.")
    if name == "print_file_path" and value and not os.path.isdir(os.path.dirname(value) or "."):  # noqa: PTH112, PTH120
        raise ValueError(f"For '{where}', the folder of 'print_file_path' does not exist: {value}.")


def _check_type(name: str, value: Any, types: tuple[type, ...]) -> None:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeError(f"The parameter '{name}' must be {types[-1]}, but got {type(value)}")
