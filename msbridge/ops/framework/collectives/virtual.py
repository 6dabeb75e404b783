"""The private primitives of MindSpore's automatic parallelism, for scripts that take a parallel network apart.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from typing import Any

from msbridge.distributed.collectives import primitives
from msbridge.distributed.collectives import virtual_operators as virtual
from msbridge.ops.framework.collectives.bases import add_attributes
from msbridge.ops.primitive.primitive import Derived, derive

_SKIPS = "order_enforce_skip"
_WRITES = "order_enforce_skip side_effect_backprop_mem"
# What MindSpore adds to the attributes of the caller; "fusion" and "do_mirror" have values of their own here.
_ADDED = {
    "_AllSwap": "no_eliminate order_enforce_skip",
    "_GetTensorSlice": _SKIPS,
    "_HostAllGather": "no_eliminate order_enforce_skip",
    "_HostReduceScatter": "no_eliminate order_enforce_skip",
    "_MicroStepAllGather": "rank_size fusion do_mirror order_enforce_skip",
    "_MiniStepAllGather": "rank_size fusion order_enforce_skip side_effect_backprop_mem",
    "_MirrorMicroStepOperator": _WRITES,
    "_MirrorMiniStepOperator": _WRITES,
    "_MirrorOperator": "fusion order_enforce_skip",
    "_VirtualAccuGrad": _SKIPS,
    "_VirtualAdd": _SKIPS,
    "_VirtualAssignAdd": _WRITES,
    "_VirtualAssignKvCache": _WRITES,
    "_VirtualDataset": _SKIPS,
    "_VirtualDiv": _SKIPS,
    "_VirtualOutput": _SKIPS,
}
_VALUES = {"do_mirror": False, "fusion": 1}


class Virtual(Derived):
    """The base of all of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key in _ADDED.get(self.name, "").split():
            if key in _VALUES:
                self.add_prim_attr(key, _VALUES[key])
            else:
                add_attributes(self, key)


class Host(Virtual):
    """The base of the operators between hosts, whose group is a list of ranks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        group = self.attrs["group"]
        if group is None:
            raise ValueError(f"For '{self.name}', group must be the ranks of the group, got None.")
        if not isinstance(group, tuple | list) or not all(type(rank) is int for rank in group):
            raise TypeError(f"For '{self.name}', group must be a tuple or list of ranks, got {group!r}.")
        if len(group) < 2 or not all(0 <= rank <= 7 for rank in group):
            raise ValueError(f"For '{self.name}', group must have two ranks or more, each in [0, 7], got {group!r}.")


_AllSwap = derive("_AllSwap", primitives.all_to_all_rows, "group", base=Virtual)
_GetTensorSlice = derive("_GetTensorSlice", virtual.own_slice, base=Virtual)
_HostAllGather = derive("_HostAllGather", virtual.host_all_gather, "group", base=Host)
_HostReduceScatter = derive("_HostReduceScatter", virtual.host_reduce_scatter, "op group", base=Host)
_MicroStepAllGather = derive("_MicroStepAllGather", virtual.micro_step_all_gather, "group mean_flag", base=Virtual)
_MiniStepAllGather = derive(
    "_MiniStepAllGather", virtual.mini_step_all_gather, "group grad_accumulation_step mean_flag", base=Virtual
)
_MirrorMicroStepOperator = derive(
    "_MirrorMicroStepOperator", virtual.mirror_accumulated, "group dev_num mean_flag", base=Virtual
)
_MirrorMiniStepOperator = derive(
    "_MirrorMiniStepOperator",
    virtual.mirror_mini_step,
    "group dev_num mean_flag grad_accumulation_step",
    base=Virtual,
)
_MirrorOperator = derive("_MirrorOperator", virtual.mirror, "group dev_num mean_flag", base=Virtual)
_VirtualAccuGrad = derive("_VirtualAccuGrad", virtual.replace_gradient, base=Virtual)
_VirtualAdd = derive("_VirtualAdd", virtual.add_to_gradient, base=Virtual)
_VirtualAssignAdd = derive("_VirtualAssignAdd", virtual.accumulate_gradient, base=Virtual)
_VirtualAssignKvCache = derive("_VirtualAssignKvCache", virtual.cache_gradient, base=Virtual)
_VirtualDataset = derive("_VirtualDataset", virtual.identity_of_all, base=Virtual)
_VirtualDiv = derive("_VirtualDiv", virtual.divide_gradient, "divisor", base=Virtual)
_VirtualOutput = derive("_VirtualOutput", virtual.identity, base=Virtual)
_VirtualPipelineEnd = derive("_VirtualPipelineEnd", virtual.identity, base=Virtual)

mirror = _MirrorOperator()
mirror_mini_step = _MirrorMiniStepOperator()
virtual_accu_grad = _VirtualAccuGrad()
virtual_assign_add = _VirtualAssignAdd()
virtual_assign_kv_cache = _VirtualAssignKvCache()
virtual_dataset = _VirtualDataset()
virtual_div = _VirtualDiv()
virtual_pipeline_end = _VirtualPipelineEnd()
