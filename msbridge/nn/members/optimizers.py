"""Optimizers: the operators that update a parameter, for the `construct` of subclasses."""

from typing import Any

from msbridge.core.context import context
from msbridge.nn.members.attaching import HyperMap, Map, Members, P

members = Members()


def _adam_operator(optimizer: Any) -> Any:
    if optimizer.use_offload:
        return P.AdamNoUpdateParam(optimizer.use_locking, optimizer.use_nesterov).set_device("CPU")
    if optimizer.use_amsgrad:
        return P.ApplyAdamWithAmsgradV2(optimizer.use_locking)
    return P.Adam(optimizer.use_locking, optimizer.use_nesterov)


def _sparse_adam(one: Any) -> Any:
    kind = P.FusedSparseLazyAdam if one.use_lazy else P.FusedSparseAdam
    return kind(one.use_locking, one.use_nesterov).set_device("CPU")


def _rms_prop(one: Any) -> Any:
    return (P.ApplyCenteredRMSProp if one.centered else P.ApplyRMSProp)(one.use_locking)


def _sgd_operator(one: Any) -> Any:
    return tuple(P.SGD(one.dampening, 0.0, one.nesterov) for _ in one.parameters)  # weights are decayed before


def _ada_factor(optimizer: Any) -> Any:
    return P.FusedAdaFactor(
        enable_scale_parameter=optimizer.scale_parameter,
        enable_first_moment=optimizer.use_first_moment,
        enable_weight_decay=optimizer.weight_decay_flag,
    )


members(
    "Optimizer",
    assignadd=P.AssignAdd,
    enable_tuple_broaden=True,
    hyper_map_reverse=lambda one: HyperMap(reverse=True),
    map_reverse=lambda one: Map(reverse=True),
    skip_auto_parallel_compile=True,
)
members("AdaFactor", fused_ada_factor=_ada_factor, use_fused_ada_factor=True)
members("Adam", _is_device=True, opt=_adam_operator, sparse_opt=_sparse_adam)
members("LazyAdam", sparse_opt=lambda one: P.FusedSparseLazyAdam(one.use_locking, one.use_nesterov).set_device("CPU"))
members("AdamOffload", opt=lambda one: P.AdamNoUpdateParam().set_device("CPU"), params=lambda one: one.parameters)
members("AdamWeightDecay", fused_opt=P.AdamWeightDecay, use_fused_opt=True)
members("AdaMax", opt=P.ApplyAdaMax)
members(
    "Lamb",
    device_ascend=lambda one: context.get_context("device_target") == "Ascend",
    params=lambda one: one.parameters,
)
members("Adadelta", opt=P.ApplyAdadelta)
members("Adagrad", opt=lambda one: P.ApplyAdagrad(one.update_slots))
members(
    "FTRL",
    opt=lambda one: P.ApplyFtrl(one.use_locking),
    sparse_opt=lambda one: P.SparseApplyFtrl(one.lr, one.l1, one.l2, one.lr_power, one.use_locking),
)
members(
    "ProximalAdagrad",
    opt=lambda one: P.ApplyProximalAdagrad(one.use_locking),
    sparse_opt=lambda one: P.SparseApplyProximalAdagrad(one.use_locking),
)
members("RMSProp", opt=_rms_prop)
members("LARS", cast=P.Cast, lars=lambda one: P.LARSUpdate(one.epsilon, one.coefficient, one.use_clip))
members("Momentum", opt=lambda one: P.ApplyMomentum(one.use_nesterov))
members("SGD", opt=_sgd_operator)
members(
    "ASGD",
    assign=P.Assign,
    assignsub=P.AssignSub,
    cast=P.Cast,
    lens=lambda one: len(one.parameters),
    maximum=P.Maximum,
    pow=P.Pow,
    squeeze=P.Squeeze,
)
members(
    "Rprop",
    assign=P.Assign,
    cast=P.Cast,
    fill=P.FillV2,
    ones_like=P.OnesLike,
    select=P.Select,
    sign=P.Sign,
)
