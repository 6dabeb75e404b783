"""The settings of the context: which there are, the types they take, their defaults and ranges.

Follows: mindspore.context (2.10) and the keys that earlier releases had.
"""

import os
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from msbridge.core.nearest import did_you_mean

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
NAMES = ("device_target", "mode", *CONTEXT_KEYS)

_COMM_FUSION = {
    "openstate": True,
    **{kind: {"mode": "auto", "config": None} for kind in ("allreduce", "allgather", "reducescatter")},
}
AUTO_PARALLEL_KEYS = {
    "all_reduce_fusion_config": Key((list,), []),
    "auto_parallel_search_mode": Key((str,), "recursive_programming"),
    "comm_fusion": Key((dict,), _COMM_FUSION),
    "communi_parallel_mode": Key((str,), "all_group_parallel"),
    "dataset_strategy": Key((str, tuple), "data_parallel"),
    "device_num": Key((int,), 1, 1, 4096),
    "enable_alltoall": Key((bool,), False),
    "enable_parallel_optimizer": Key((bool,), False),
    "full_batch": Key((bool,), False),
    "full_batch_is_set": Key((bool,), False),
    "global_rank": Key((int,), 0, 0, 4095),
    "grad_accumulation_step": Key((int,), 1, 1),
    "gradient_fp32_sync": Key((bool,), True),
    "gradients_mean": Key((bool,), False),
    "group_ckpt_save_file": Key((str,), ""),
    "loss_repeated_mean": Key((bool,), True),
    "mirror_mean": Key((bool,), False),
    "optimizer_weight_shard_aggregated_save": Key((bool,), False),
    "optimizer_weight_shard_size": Key((int,), -1, -1),
    "parallel_mode": Key((str,), ParallelMode.STAND_ALONE),
    "parallel_optimizer_config": Key((dict,), {}),
    "parallel_optimizer_threshold": Key((int,), 64, 0),
    "parameter_broadcast": Key((bool,), False),
    "pipeline_config": Key((dict,), {}),
    "pipeline_result_broadcast": Key((bool,), False),
    "pipeline_segments": Key((int,), 1, 1),
    "pipeline_stages": Key((int,), 1, 1),
    "search_mode": Key((str,), "recursive_programming"),
    "sharding_propagation": Key((bool,), False),
    "strategy_ckpt_config": Key((dict,), {"load_file": "", "save_file": "", "only_trainable_params": True}),
    "strategy_ckpt_load_file": Key((str,), ""),
    "strategy_ckpt_save_file": Key((str,), ""),
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
    if (
        name in ("max_device_memory", "mempool_block_size")
        and not value.removesuffix("GB").replace(".", "", 1).isdigit()
    ):
        raise ValueError(f"For '{where}', the argument '{name}' must be a size such as '3.5GB', but got {value}.")
    if name == "print_file_path" and value and not os.path.isdir(os.path.dirname(value) or "."):  # noqa: PTH112, PTH120
        raise ValueError(f"For '{where}', the folder of 'print_file_path' does not exist: {value}.")


def check_type(name: str, value: Any, types: tuple[type, ...]) -> None:
    """Refuse a value of another type; a bool is no int.

    Raises:
        TypeError: a value of another type.
    """
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeError(f"The parameter '{name}' must be {types[-1]}, but got {type(value)}")
