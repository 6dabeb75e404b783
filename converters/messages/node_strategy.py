"""Strategy files: how a network's parameters are divided over devices; and files of communication groups.

Follows: mindspore.train.node_strategy_pb2 (2.10).
"""

from typing import Any

from msbridge.converters.messages.schema import Messages, Schema

MESSAGES: Messages = {
    "ParallelStrategy": {  # how often each axis of one input of an operator is cut
        "dim": (1, "repeated uint32"),
    },
    "ParallelStrategys": {  # the pipeline stage of an operator, and how its inputs are cut
        "stage": (1, "required uint32"),
        "parallel_strategy": (2, "repeated ParallelStrategy"),
    },
    "ParallelStrategyItem": {  # an operator by name
        "node_name": (1, "required string"),
        "parallel_strategys": (2, "required ParallelStrategys"),
    },
    "DevMatrix": {  # the lengths of the axes of the array of devices
        "dim": (1, "repeated uint32"),
    },
    "TensorMap": {  # the axis of the array of devices, counted from the last, that cuts each axis; -1 for none
        "dim": (1, "repeated int32"),
    },
    "ParamSplitShape": {  # the lengths of slices that are not equally long
        "dim": (1, "repeated int64"),
    },
    "IndicesOffset": {  # where slices that are not equally long begin
        "dim": (1, "repeated int64"),
    },
    "ParallelLayouts": {  # how a parameter is cut; the optimizer's cut comes on top of it along the first axis
        "dev_matrix": (1, "repeated DevMatrix"),
        "tensor_map": (2, "repeated TensorMap"),
        "param_split_shape": (3, "repeated ParamSplitShape"),
        "indices_offset": (4, "repeated IndicesOffset"),
        "field": (5, "required int32"),
        "opt_weight_shard_step": (6, "required int32"),
        "opt_weight_shard_size": (7, "required int32"),
    },
    "ParallelLayoutItem": {  # a parameter by name
        "param_name": (1, "required string"),
        "parallel_layouts": (2, "required ParallelLayouts"),
    },
    "ParallelGroupRanks": {  # ranks
        "dim": (1, "repeated uint32"),
    },
    "ParallelGroupItem": {  # a group by name
        "group_name": (1, "required string"),
        "parallel_group_ranks": (2, "required ParallelGroupRanks"),
    },
    "ParallelGroupMap": {  # the groups of a run, and the ranks whose checkpoints can take each other's place
        "parallel_group_item": (1, "repeated ParallelGroupItem"),
        "ckpt_restore_rank_list": (2, "required ParallelGroupRanks"),
    },
    "ParallelStrategyMap": {  # a strategy file
        "current_stage": (1, "required uint32"),
        "parallel_strategy_item": (2, "repeated ParallelStrategyItem"),
        "parallel_layout_item": (3, "repeated ParallelLayoutItem"),
    },
}

SCHEMA = Schema("node_strategy.proto", "mindspore.straspb", MESSAGES)
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
