"""Optimizers: the operators that update a parameter, for the `construct` of subclasses."""

from typing import Any

from msbridge.core.context import context
from msbridge.nn.members.attaching import members
from msbridge.nn.optim.cells import adafactor, adam, adaptive, lars, momentum, stepwise
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.ops import operations as P
from msbridge.ops.framework.composite.functions import HyperMap, Map


def _adam_operator(one: adam.Adam) -> Any:
    if one.use_offload:
        return P.AdamNoUpdateParam(one.use_locking, one.use_nesterov).set_device("CPU")
    if one.use_amsgrad:
        return P.ApplyAdamWithAmsgradV2(one.use_locking)
    return P.Adam(one.use_locking, one.use_nesterov)


def _sparse_adam(one: adam.Adam) -> Any:
    is_lazy = one.use_lazy or isinstance(one, adam.LazyAdam)
    kind = P.FusedSparseLazyAdam if is_lazy else P.FusedSparseAdam
    return kind(one.use_locking, one.use_nesterov).set_device("CPU")


def _rms_prop(one: adaptive.RMSProp) -> Any:
    return (P.ApplyCenteredRMSProp if one.centered else P.ApplyRMSProp)(one.use_locking)


def _sgd_operator(one: momentum.SGD) -> Any:
    return tuple(P.SGD(one.dampening, 0.0, one.nesterov) for _ in one.parameters)  # weights are decayed before


def _ada_factor(one: adafactor.AdaFactor) -> Any:
    return P.FusedAdaFactor(
        enable_scale_parameter=one.scale_parameter,
        enable_first_moment=one.use_first_moment,
        enable_weight_decay=one.weight_decay_flag,
    )


members(
    Optimizer,
    enable_tuple_broaden=True,
    hyper_map_reverse=lambda one: HyperMap(reverse=True),
    map_reverse=lambda one: Map(reverse=True),
    skip_auto_parallel_compile=True,
)
members(adafactor.AdaFactor, fused_ada_factor=_ada_factor, use_fused_ada_factor=True)
members(adam.Adam, _is_device=True, opt=_adam_operator, sparse_opt=_sparse_adam)
members(adam.AdamOffload, opt=lambda one: P.AdamNoUpdateParam().set_device("CPU"), params=lambda one: one.parameters)
members(adam.AdamWeightDecay, fused_opt=P.AdamWeightDecay, use_fused_opt=True)
members(adam.AdaMax, opt=P.ApplyAdaMax)
members(
    adam.Lamb,
    device_ascend=lambda one: context.get_context("device_target") == "Ascend",
    params=lambda one: one.parameters,
)
members(adaptive.Adadelta, opt=P.ApplyAdadelta)
members(adaptive.Adagrad, opt=lambda one: P.ApplyAdagrad(one.update_slots))
members(
    adaptive.FTRL,
    opt=lambda one: P.ApplyFtrl(one.use_locking),
    sparse_opt=lambda one: P.SparseApplyFtrl(one.lr, one.l1, one.l2, one.lr_power, one.use_locking),
)
members(
    adaptive.ProximalAdagrad,
    opt=lambda one: P.ApplyProximalAdagrad(one.use_locking),
    sparse_opt=lambda one: P.SparseApplyProximalAdagrad(one.use_locking),
)
members(adaptive.RMSProp, opt=_rms_prop)
members(lars.LARS, lars=lambda one: P.LARSUpdate(one.epsilon, one.coefficient, one.use_clip))
members(momentum.Momentum, opt=lambda one: P.ApplyMomentum(one.use_nesterov))
members(momentum.SGD, opt=_sgd_operator)
members(
    stepwise.ASGD,
    assign=P.Assign,
    assignsub=P.AssignSub,
    lens=lambda one: len(one.parameters),
    maximum=P.Maximum,
    pow=P.Pow,
    squeeze=P.Squeeze,
)
members(
    stepwise.Rprop,
    assign=P.Assign,
    fill=P.FillV2,
    ones_like=P.OnesLike,
    select=P.Select,
    sign=P.Sign,
)
