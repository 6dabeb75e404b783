"""The settings of the context: which there are, the types they take, their defaults and ranges.

Follows: mindspore.context (2.10) and the keys that earlier releases had.
"""

import math
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from msbridge.core.checks.suggestions import did_you_mean

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT, COMPATIBLE, LAX = 0, 1, 2


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
class Key:
    """One setting: the types it takes, its default, and the range of an int or the choices of a text."""

    types: tuple[type, ...]
    default: Any
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()


CONTEXT_KEYS = {
    "aoe_config": Key((dict,), {}),
    "aoe_tune_mode": Key((str,), ""),
    "ascend_config": Key((dict,), {}),
    "auto_tune_mode": Key((str,), "NO_TUNE"),
    "check_bprop": Key((bool,), False),
    "compile_cache_path": Key((str,), ""),
    "debug_level": Key((int,), 0, 0, 1),
    "deterministic": Key((str,), "OFF", choices=("ON", "OFF")),
    "device_id": Key((int,), 0, 0, 4095),
    "disable_format_transform": Key((bool,), False),
    "enable_auto_mixed_precision": Key((bool,), False),
    "enable_compile_cache": Key((bool,), None),
    "enable_debug_runtime": Key((bool,), False),
    "enable_dump": Key((bool,), False),
    "enable_graph_kernel": Key((bool,), False),
    "enable_loop_sink": Key((bool,), True),
    "enable_mem_scheduler": Key((bool,), False),
    "enable_profiling": Key((bool,), False),
    "enable_reduce_precision": Key((bool,), True),
    "enable_sparse": Key((bool,), False),
    "enable_task_sink": Key((bool,), True),
    "env_config_path": Key((str,), ""),
    "exec_order": Key((str,), "bfs", choices=("bfs", "dfs", "gpto")),
    "gpu_config": Key((dict,), {}),
    "grad_for_scalar": Key((bool,), False),
    "graph_kernel_flags": Key((str,), ""),
    "graph_memory_max_size": Key((str,), "0"),
    "inter_op_parallel_num": Key((int,), 0, 0),
    "jit_config": Key((dict,), {}),
    "jit_enable_inplace_ops": Key((bool,), True),
    "jit_level": Key((str,), "", choices=("", "O0", "O1", "O2")),
    "jit_syntax_level": Key((int,), LAX, 0, 2),
    "max_call_depth": Key((int,), 1000, 1),
    "max_device_memory": Key((str,), "1024GB"),
    "memory_offload": Key((str,), "OFF", choices=("ON", "OFF")),
    "memory_optimize_level": Key((str,), "O0", choices=("O0", "O1")),
    "mempool_block_size": Key((str,), "1GB"),
    "offload_config": Key((dict,), {}),
    "op_debug_option": Key((str,), ""),
    "op_timeout": Key((int,), 900, 0),
    "pijit_config": Key((dict,), {}),
    "precompile_only": Key((bool,), False),
    "print_file_path": Key((str,), ""),
    "profiling_options": Key((str,), "training_trace"),
    "pynative_synchronize": Key((bool,), False),
    "reserve_class_name_in_scope": Key((bool,), True),
    "runtime_num_threads": Key((int,), 30, 0),
    "save_dump_path": Key((str,), "."),
    "save_graphs": Key((bool, int), 0),
    "save_graphs_path": Key((str,), "."),
    "sparse_format": Key((str,), ""),
    "support_binary": Key((bool,), False),
    "variable_memory_max_size": Key((str,), "0"),
}
# Keys of settings that are dictionaries, which can be asked for by themselves.
INNER_KEYS = {
    "atomic_clean_policy": ("ascend_config", ""),
    "conv_allow_hf32": ("ascend_config", ""),
    "conv_allow_tf32": ("gpu_config", True),
    "conv_dgrad_algo": ("gpu_config", "normal"),
    "conv_fprop_algo": ("gpu_config", "normal"),
    "conv_wgrad_algo": ("gpu_config", "normal"),
    "cur_step_num": ("ascend_config", 0),
    "hccl_watchdog": ("ascend_config", True),
    "host_scheduling_max_threshold": ("ascend_config", ""),
    "infer_boost": ("jit_config", "off"),
    "jit_compile": ("ascend_config", ""),
    "last_triggered_step": ("ascend_config", 0),
    "matmul_allow_hf32": ("ascend_config", ""),
    "matmul_allow_tf32": ("gpu_config", False),
    "need_ckpt": ("ascend_config", False),
    "op_precision_mode": ("ascend_config", ""),
    "precision_mode": ("ascend_config", ""),
    "save_checkpoint_steps": ("ascend_config", 0),
    "topo_order": ("ascend_config", ""),
}
# What MindSpore keeps for itself, which can be asked for and not be set.
READ_ONLY = {
    "aoe_job_type": "2",
    "bias_add_comm_swap": False,
    "compute_communicate_fusion_level": 0,
    "dataset_broadcast_opt_level": 0,
    "enable_allreduce_slice_to_reducescatter": False,
    "enable_begin_end_inline_opt": False,
    "enable_concat_eliminate_opt": False,
    "enable_flash_attention_load_balance": False,
    "enable_fused_cast_add_opt": False,
    "enable_ge": False,  # whether graphs go to the Ascend's own engine, which the emulator does not have
    "enable_grad_comm_opt": False,
    "enable_interleave_parallel_branch": False,
    "enable_interleave_split_concat_branch": False,
    "enable_offloading_packed_experts": True,
    "enable_opt_shard_comm_opt": False,
    "enable_parallel_split": False,
    "enable_task_opt": False,
    "ge_options": "",
    "interleaved_layernorm_comm": False,
    "interleaved_matmul_comm": False,
    "matmul_grad_comm_overlap": "",
    "pp_1f1b_overlap": "",
    "recompute_allgather_overlap_fagrad": False,
    "recompute_comm_overlap": "",
}
JIT_CONFIG = {
    "infer_boost": Key((str,), "off", choices=("on", "off")),
    "jit_level": Key((str,), "", choices=("O0", "O1", "O2")),
}
NAMES = ("device_target", "mode", *CONTEXT_KEYS)

_COMM_FUSION = {
    "openstate": True,
    **{kind: {"mode": "auto", "config": None} for kind in ("allreduce", "allgather", "reducescatter")},
}
AUTO_PARALLEL_KEYS = {
    "all_reduce_fusion_config": Key((list,), []),
    "auto_parallel_new_interface": Key((bool,), False),
    "auto_parallel_search_mode": Key((str,), "recursive_programming"),
    "auto_pipeline": Key((bool,), False),
    "comm_fusion": Key((dict,), _COMM_FUSION),
    "communi_parallel_mode": Key((str,), "all_group_parallel"),
    "dataset_strategy": Key((str, tuple), "data_parallel"),
    "device_num": Key((int,), 1, 1),
    "dump_device_local_norm": Key((bool,), False),
    "dump_local_norm": Key((bool,), False),
    "dump_local_norm_path": Key((str,), ""),
    "enable_alltoall": Key((bool,), False),
    "enable_parallel_optimizer": Key((bool,), False),
    "force_fp32_communication": Key((bool,), False),
    "full_batch": Key((bool,), False),
    "full_batch_is_set": Key((bool,), False),
    "global_rank": Key((int,), 0, 0, 4095),
    "grad_accumulation_step": Key((int,), 1, 1),
    "gradient_fp32_sync": Key((bool,), True),
    "gradients_mean": Key((bool,), False),
    "group_ckpt_save_file": Key((str,), ""),
    "init_param_in_compile": Key((bool,), True),
    "loss_repeated_mean": Key((bool,), True),
    "mirror_mean": Key((bool,), False),
    "optimizer_weight_shard_aggregated_save": Key((bool,), False),
    "optimizer_weight_shard_size": Key((int,), -1, -1),
    "parallel_mode": Key((str,), ParallelMode.STAND_ALONE),
    "parallel_optimizer_config": Key((dict,), {}),
    "parallel_optimizer_threshold": Key((int,), 64, 0),
    "parameter_broadcast": Key((bool,), False),
    "pipeline_config": Key((dict,), {}),
    "pipeline_interleave": Key((bool,), False),
    "pipeline_result_broadcast": Key((bool,), False),
    "pipeline_scheduler": Key((str,), "1f1b"),
    "pipeline_segments": Key((int,), 1, 1),
    "pipeline_stages": Key((int,), 1, 1),
    "search_mode": Key((str,), "recursive_programming"),
    "sharding_propagation": Key((bool,), False),
    "strategy_ckpt_config": Key((dict,), {"load_file": "", "save_file": "", "only_trainable_params": True}),
    "strategy_ckpt_load_file": Key((str,), ""),
    "strategy_ckpt_save_file": Key((str,), ""),
}


_SIZE = re.compile(r"([1-9][0-9]*\.?[0-9]*|0\.[0-9]*)GB", re.ASCII)
# Sizes in "GB": the least, the most, whether it must be a whole number, and the devices that they are for.
SIZES: Mapping[str, tuple[float, float, bool, tuple[str, ...]]] = {
    "max_device_memory": (0.0, math.inf, False, ("Ascend", "GPU")),
    "mempool_block_size": (1.0, math.inf, False, ("Ascend", "GPU")),
    "variable_memory_max_size": (0.0, 31.0, True, ("Ascend",)),
}
PRECISION_MODES = (
    *("force_fp16", "allow_fp32_to_fp16", "allow_mix_precision", "must_keep_origin_dtype", "force_fp32"),
    *("allow_fp32_to_bf16", "allow_mix_precision_fp16", "allow_mix_precision_bf16"),
)
# Keys of ascend_config: their choices, or their type.
ASCEND_CONFIG: Mapping[str, tuple[Any, ...] | type] = {
    "atomic_clean_policy": (0, 1),
    "conv_allow_hf32": (True, False),
    "cur_step_num": int,
    "exception_dump": ("0", "1", "2"),
    "ge_options": dict,
    "hccl_watchdog": bool,
    "host_scheduling_max_threshold": int,
    "jit_compile": (True, False),
    "last_triggered_step": int,
    "matmul_allow_hf32": (True, False),
    "need_ckpt": bool,
    "op_debug_option": str,
    "op_precision_mode": str,
    "parallel_speed_up_json_path": str,
    "precision_mode": PRECISION_MODES,
    "save_checkpoint_steps": int,
    "topo_order": dict,
}


def instead(name: str, keys: Collection[str]) -> str:
    """Return the end of a sentence about an unknown key: the one that was meant, or all."""
    return did_you_mean(name, keys) or f" The keys are: {', '.join(keys)}."


def check(where: str, name: str, value: Any, key: Key) -> None:
    """Refuse a value of another type or out of range.

    Raises:
        TypeError: a value of another type.
        ValueError: a value out of range.
    """
    check_type(name, value, key.types)
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
    if name == "jit_config":
        for setting, chosen in value.items():
            if setting not in JIT_CONFIG:
                raise ValueError(f"For 'jit_config', the keys are {list(JIT_CONFIG)}, but got {setting!r}.")
            check(where, setting, chosen, JIT_CONFIG[setting])
    if name == "print_file_path" and value and not os.path.isdir(os.path.dirname(value) or "."):  # noqa: PTH112, PTH120
        raise ValueError(f"For '{where}', the folder of 'print_file_path' does not exist: {value}.")


def check_for_device(settings: Mapping[str, Any], target: str) -> None:
    """Refuse sizes and choices that MindSpore's context looks at on this device only.

    Raises:
        TypeError: a value of another type.
        ValueError: a size that is not one, or is out of range; an unknown choice.
    """
    for name in SIZES.keys() & settings.keys():
        least, most, is_whole, targets = SIZES[name]
        if target not in targets:
            continue
        size = gibibytes(settings[name]) if _SIZE.fullmatch(settings[name]) else 0.0
        if not size or not least <= size <= most or (is_whole and not size.is_integer()):
            example = "5GB" if is_whole else "3.5GB"
            limits = f" of at least {least:g}GB" if least else f" of at most {most:g}GB" if most < math.inf else ""
            raise ValueError(
                f"For 'context.set_context', the argument '{name}' must be a size such as \"{example}\"{limits}, "
                f"but got {settings[name]!r}."
            )
    if target == "Ascend":
        for name, value in settings.get("ascend_config", {}).items():
            _check_ascend_config(name, value)


def _check_ascend_config(name: str, value: Any) -> None:
    if name not in ASCEND_CONFIG:
        raise ValueError(f"For 'context.set_context', ascend_config has no key {name!r}.{instead(name, ASCEND_CONFIG)}")
    allowed = ASCEND_CONFIG[name]
    if isinstance(allowed, type):
        if value is not None and not isinstance(value, allowed):
            raise TypeError(
                f"For 'ascend_config', {name} must be of type {allowed.__name__}, but got {type(value).__name__}."
            )
    elif value not in allowed:
        raise ValueError(
            f"For 'ascend_config', {name} must be one of {list(allowed)}, but got {value!r}."
            f"{did_you_mean(str(value), [one for one in allowed if isinstance(one, str)])}"
        )


def gibibytes(size: str) -> float:
    """Return the number in a size such as "3.5GB"."""
    return float(size.removesuffix("GB"))


def check_type(name: str, value: Any, types: tuple[type, ...]) -> None:
    """Refuse a value of another type; a bool is not an int.

    Raises:
        TypeError: a value of another type.
    """
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeError(f"The parameter '{name}' must be {types[-1]}, but got {type(value)}")
