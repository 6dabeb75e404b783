"""Strategy files: how a network's parameters are divided over devices; and files of communication groups.

Follows: mindspore.train.node_strategy_pb2 (2.10).
"""

from msbridge.converters.messages.fields import repeated, required
from msbridge.converters.messages.message import Message

__all__ = [
    "DevMatrix",
    "IndicesOffset",
    "ParallelGroupItem",
    "ParallelGroupMap",
    "ParallelGroupRanks",
    "ParallelLayoutItem",
    "ParallelLayouts",
    "ParallelStrategy",
    "ParallelStrategyItem",
    "ParallelStrategyMap",
    "ParallelStrategys",
    "ParamSplitShape",
    "TensorMap",
]

PACKAGE = "mindspore.straspb"


class ParallelStrategy(Message, package=PACKAGE):
    """How often each axis of one input of an operator is cut."""

    dim = repeated(1, "uint32")


class ParallelStrategys(Message, package=PACKAGE):
    """The pipeline stage of an operator, and how its inputs are cut."""

    stage = required(1, "uint32")
    parallel_strategy = repeated(2, ParallelStrategy)


class ParallelStrategyItem(Message, package=PACKAGE):
    """An operator by name."""

    node_name = required(1, "string")
    parallel_strategys = required(2, ParallelStrategys)


class DevMatrix(Message, package=PACKAGE):
    """The lengths of the axes of the array of devices."""

    dim = repeated(1, "uint32")


class TensorMap(Message, package=PACKAGE):
    """The axis of the array of devices, counted from the last, that cuts each axis of a tensor; -1 for none."""

    dim = repeated(1, "int32")


class ParamSplitShape(Message, package=PACKAGE):
    """The lengths of slices that are not equally long."""

    dim = repeated(1, "int64")


class IndicesOffset(Message, package=PACKAGE):
    """Where slices that are not equally long begin."""

    dim = repeated(1, "int64")


class ParallelLayouts(Message, package=PACKAGE):
    """How a parameter is cut; the optimizer's cut comes on top of it along the first axis."""

    dev_matrix = repeated(1, DevMatrix)
    tensor_map = repeated(2, TensorMap)
    param_split_shape = repeated(3, ParamSplitShape)
    indices_offset = repeated(4, IndicesOffset)
    field = required(5, "int32")
    opt_weight_shard_step = required(6, "int32")
    opt_weight_shard_size = required(7, "int32")


class ParallelLayoutItem(Message, package=PACKAGE):
    """A parameter by name."""

    param_name = required(1, "string")
    parallel_layouts = required(2, ParallelLayouts)


class ParallelGroupRanks(Message, package=PACKAGE):
    """Ranks."""

    dim = repeated(1, "uint32")


class ParallelGroupItem(Message, package=PACKAGE):
    """A group by name."""

    group_name = required(1, "string")
    parallel_group_ranks = required(2, ParallelGroupRanks)


class ParallelGroupMap(Message, package=PACKAGE):
    """The groups of a run, and the ranks whose checkpoints can take each other's place."""

    parallel_group_item = repeated(1, ParallelGroupItem)
    ckpt_restore_rank_list = required(2, ParallelGroupRanks)


class ParallelStrategyMap(Message, package=PACKAGE):
    """A strategy file."""

    current_stage = required(1, "uint32")
    parallel_strategy_item = repeated(2, ParallelStrategyItem)
    parallel_layout_item = repeated(3, ParallelLayoutItem)
