"""What set_auto_parallel_context takes and refuses: the value that is read back, or the class of the error."""

from collections.abc import Callable

from mindspore import context

from tests.oracle.case import Case

VALUES = {
    "device_num": [1, 8, 4096, 0, -1, 4097, "a", 2.0, None],
    "global_rank": [0, 3, 4095, -1, 4096, "a", None],
    "gradients_mean": [True, False, 1, "a"],
    "gradient_fp32_sync": [True, False, 1],
    "loss_repeated_mean": [True, False, 1],
    "parallel_mode": [
        "stand_alone",
        "data_parallel",
        "hybrid_parallel",
        "semi_auto_parallel",
        "auto_parallel",
        "x",
        1,
        None,
    ],
    "search_mode": ["recursive_programming", "dynamic_programming", "sharding_propagation", "x", 1],
    "auto_parallel_search_mode": ["recursive_programming", "dynamic_programming", "sharding_propagation", "x", 1],
    "parameter_broadcast": [True, False, 1, "a"],
    "strategy_ckpt_load_file": ["", "a.ckpt", 1, None],
    "strategy_ckpt_save_file": ["", "a.ckpt", 1],
    "full_batch": [True, False, 1],
    "dataset_strategy": [
        "data_parallel",
        "full_batch",
        ((1, 2), (1,)),
        ((1, 2),),
        ((8,),),
        [(1, 2)],
        "x",
        1,
        ((1, "a"),),
        (1, 2),
        ((2,), [2]),
    ],
    "enable_parallel_optimizer": [True, False, 1],
    "enable_alltoall": [True, False, 1],
    "all_reduce_fusion_config": [[1, 2], [], (1, 2), ["a"], 1],
    "pipeline_stages": [1, 2, 0, -1, "a", 1.0],
    "pipeline_result_broadcast": [True, False, 1],
    "auto_parallel_new_interface": [True],
    "parallel_optimizer_config": [
        {},
        {"gradient_accumulation_shard": True},
        {"gradient_accumulation_shard": 1},
        {"parallel_optimizer_threshold": 24},
        {"parallel_optimizer_threshold": -1},
        {"parallel_optimizer_threshold": "a"},
        {"optimizer_weight_shard_size": 2},
        {"optimizer_weight_shard_size": 0},
        {"optimizer_level": "level1"},
        {"optimizer_level": "level2"},
        {"optimizer_level": "level3"},
        {"optimizer_level": "level4"},
        {"x": 1},
        1,
    ],
    "comm_fusion": [
        {},
        {"allreduce": {"mode": "auto", "config": None}},
        {"allreduce": {"mode": "size", "config": 32}},
        {"allreduce": {"mode": "index", "config": [1, 2]}},
        {"allreduce": {"mode": "x", "config": None}},
        {"allreduce": {"mode": "size", "config": "a"}},
        {"openstate": True},
        {"openstate": 1},
        {"allgather": {"mode": "auto", "config": None}},
        {"allgather": {"mode": "size", "config": 8}},
        {"reducescatter": {"mode": "auto", "config": None}},
        {"x": {}},
        {"allreduce": 1},
        {"allreduce": {}},
        1,
    ],
    "pipeline_config": [
        {},
        {"pipeline_interleave": True},
        {"pipeline_interleave": 1},
        {"pipeline_scheduler": "1f1b"},
        {"pipeline_scheduler": "gpipe"},
        {"pipeline_scheduler": "x"},
        {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"},
        {"x": 1},
        1,
    ],
    "strategy_ckpt_config": [
        {},
        {"load_file": "a"},
        {"save_file": "a"},
        {"only_trainable_params": True},
        {"only_trainable_params": 1},
        {"load_file": 1},
        {"x": 1},
        1,
    ],
    "communi_parallel_mode": ["all_group_parallel", "same_server_group_parallel", "no_group_parallel", "x", 1],
    "optimizer_weight_shard_size": [2, -1, "a"],
    "optimizer_weight_shard_aggregated_save": [True, False, 1],
    "sharding_propagation": [True, False, 1],
    "dump_local_norm": [True],
    "dump_local_norm_path": ["", "a", 1],
    "dump_device_local_norm": [True],
    "auto_pipeline": [True, 1],
    "force_fp32_communication": [True, 1],
    "nothing": [1],
}
# MindSpore keeps the parts of two, and returns lists for the tuples of the third.
NOT_READ = ("parallel_optimizer_config", "pipeline_config", "dataset_strategy")


def tried(name: str) -> list:
    """Set a key to each of its values, and read it back."""
    outcomes = []
    for value in VALUES[name]:
        try:
            context.set_auto_parallel_context(**{name: value})
            outcomes.append("set" if name in NOT_READ else repr(context.get_auto_parallel_context(name)))
        except Exception as error:
            outcomes.append(type(error).__name__)
        context.reset_auto_parallel_context()
    return outcomes


def is_known(take: Callable[[], None]) -> bool:
    """Whether a setting's first value is taken, or refused for another reason than its name."""
    try:
        take()
    except Exception as error:
        return "not recognized" not in str(error)
    finally:
        context.reset_auto_parallel_context()
    return True


KNOWN = "[n for n, v in VALUES.items() if is_known(lambda: context.set_auto_parallel_context(**{n: v[0]}))]"
CASES = [*(Case(f"tried({name!r})") for name in VALUES), Case(KNOWN)]
