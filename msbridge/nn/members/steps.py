"""Training steps: the operators that a script's own step calls."""

from typing import Any

from msbridge.core.autograd.grad import GradOperation
from msbridge.core.context import context
from msbridge.core.runtime.lazy_names import import_path
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.members.attaching import HyperMap, Map, Members, P

members = Members()


def _last_add(mark: str, count: str) -> dict:
    """Return the makers of the list of additions of partial losses, each with its number, and of the last of them."""

    def every(one: Any) -> list[Any]:
        return [P.Add().add_prim_attr(mark, index) for index in range(getattr(one, count))]

    return {"add": lambda one: one.add_list[-1], "add_list": every}


members(
    "ForwardValueAndGrad",
    grad=lambda one: GradOperation(get_all=one.get_all, get_by_list=one.get_by_list, sens_param=one.sens_param),
)
members("TrainOneStepCell", sense_flag=lambda one: one.sens != 1.0, use_graceful_exit=False)
members(
    "TrainOneStepWithLossScaleCell",
    _ascend_check_overflow_mode=None,
    allreduce=P.AllReduce,
    ascend_910a_target=False,
    ascend_910b_target=lambda one: context.get_context("device_target") == "Ascend",
    base0=lambda one: Tensor(0, mstype.int32),
    enable_allfinite=True,
    enable_tuple_broaden=True,
    equal=P.Equal,
    logic_not=P.LogicalNot,
    reduce_all=lambda one: P.ReduceAll(keep_dims=False),
)
members(
    "DynamicLossScaleUpdateCell",
    const_true=lambda one: Tensor(True, mstype.bool_),
    less_equal=P.LessEqual,
    logic_and=P.LogicalAnd,
    logic_not=P.LogicalNot,
    logic_or=P.LogicalOr,
    max=P.Maximum,
    minimum_loss_scale=lambda one: Tensor(1.0, mstype.float32),
    reciprocal=P.Reciprocal,
    select=P.Select,
)
members("DistributedGradReducer", enable_tuple_broaden=True, map_=Map, split_fusion=False)
members(
    "PipelineGradReducer",
    grad_reducer=lambda one: import_path("msbridge.nn.layers.dense.Identity")(),
    hyper_map=HyperMap,
)
members("PipelineCell", **_last_add("pipeline_end", "micro_size"))
members("GradAccumulationCell", **_last_add("forward_end", "micro_size"))
members(
    "MicroBatchInterleaved",
    add=lambda one: P.Add().add_prim_attr("micro_interleaved_add_flag", True),
)
members(
    "Vjp",
    grad=lambda one: GradOperation(get_all=True, sens_param=True),
    grad_single_value=lambda one: GradOperation(sens_param=True),
)
