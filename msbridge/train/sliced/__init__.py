"""Checkpoints and strategy files of networks that are cut over devices, in MindSpore's words."""

from msbridge.train.sliced.loading import load_distributed_checkpoint, load_segmented_checkpoints
from msbridge.train.sliced.merging import merge_sliced_parameter
from msbridge.train.sliced.metadata import set_op_strategy_config
from msbridge.train.sliced.redundancy import (
    get_ckpt_path_with_strategy,
    parameter_broadcast,
    sync_pipeline_shared_parameters,
)
from msbridge.train.sliced.strategies import (
    build_searched_strategy,
    merge_pipeline_strategys,
    restore_group_info_list,
)
from msbridge.train.sliced.transforming import (
    convert_checkpoint_by_rank,
    convert_checkpoints,
    rank_list_for_convert,
    rank_list_for_transform,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)
from msbridge.train.sliced.unifying import unified_safetensors

__all__ = [
    "build_searched_strategy",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "get_ckpt_path_with_strategy",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "parameter_broadcast",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "restore_group_info_list",
    "set_op_strategy_config",
    "sync_pipeline_shared_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "unified_safetensors",
]
