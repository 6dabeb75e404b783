"""Primitives of optimizers: each call changes a weight and its state in place.

Follows: mindspore.ops.ApplyMomentum, Adam, SGD, SparseApplyFtrl and the like (2.10).
"""

from typing import Any, ClassVar

from msbridge.core.checks.arguments import in_range, instance
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.training.optimizer_updates import accumulating, caches, dense, factored, sparse

_INFINITY = float("inf")
_POSITIVE, _NOT_NEGATIVE = (0.0, _INFINITY, "()"), (0.0, _INFINITY, "[)")
_FTRL = {"lr": _POSITIVE, "l1": _NOT_NEGATIVE, "l2": _NOT_NEGATIVE, "lr_power": (-_INFINITY, 0.0, "(]")}
_BOUNDS: dict[str, dict[str, tuple[float, float, str]]] = {
    "FusedSparseFtrl": _FTRL,
    "SparseApplyAdadelta": {"epsilon": _NOT_NEGATIVE},
    "SparseApplyFtrl": _FTRL,
    "SparseApplyFtrlV2": _FTRL,
    "SparseApplyRMSProp": {"rho": (0.0, 1.0, "[]"), "momentum": _NOT_NEGATIVE, "epsilon": _POSITIVE},
}


class _Step(Derived):
    """A primitive that changes its inputs; its attributes are bools and floats, and are checked."""

    unchecked: ClassVar = {("SGD", "dampening"), ("SGD", "weight_decay"), ("AdamWeightDecay", "use_locking")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = type(self).__name__
        for name, default in self.defaults.items():
            if (owner, name) not in self.unchecked:
                instance(self.attrs[name], name, owner, bool if isinstance(default, bool) else float)
        for name, bounds in _BOUNDS.get(owner, {}).items():
            in_range(self.attrs[name], name, owner, *bounds)
        if self.attrs.get("nesterov") and self.attrs["dampening"] != 0:
            raise ValueError(
                f"For '{owner}', dampening must be 0 where nesterov is set, but got {self.attrs['dampening']}."
            )
        self.add_prim_attr("side_effect_mem", True)


_ADAFACTOR = "enable_scale_parameter enable_first_moment enable_weight_decay"
DERIVED = (
    derive("Adam", dense.adam, "use_locking use_nesterov", base=_Step),
    derive("AdamNoUpdateParam", dense.adam_no_update_param, "use_locking use_nesterov", base=_Step),
    derive("AdamWeightDecay", dense.adam_weight_decay, "use_locking", base=_Step),
    derive("ApplyAdaMax", dense.apply_ada_max, base=_Step),
    derive("ApplyAdadelta", accumulating.apply_adadelta, base=_Step),
    derive("ApplyAdagrad", accumulating.apply_adagrad, "update_slots", base=_Step),
    derive("ApplyAdagradDA", accumulating.apply_adagrad_da, "use_locking", base=_Step),
    derive("ApplyAdagradV2", accumulating.apply_adagrad_v2, "epsilon update_slots", base=_Step),
    derive("ApplyAdamWithAmsgrad", dense.apply_adam_with_amsgrad, "beta1 beta2 epsilon use_locking", base=_Step),
    derive("ApplyAdamWithAmsgradV2", dense.apply_adam_with_amsgrad_v2, "use_locking", base=_Step),
    derive("ApplyAddSign", accumulating.apply_add_sign, base=_Step),
    derive("ApplyCenteredRMSProp", accumulating.apply_centered_rms_prop, "use_locking", base=_Step),
    derive("ApplyFtrl", accumulating.apply_ftrl, "use_locking", base=_Step),
    derive("ApplyGradientDescent", dense.apply_gradient_descent, base=_Step),
    derive("ApplyKerasMomentum", dense.apply_keras_momentum, "use_locking use_nesterov", base=_Step),
    derive("ApplyMomentum", dense.apply_momentum, "use_nesterov use_locking gradient_scale", base=_Step),
    derive("ApplyPowerSign", accumulating.apply_power_sign, base=_Step),
    derive("ApplyProximalAdagrad", accumulating.apply_proximal_adagrad, "use_locking", base=_Step),
    derive("ApplyProximalGradientDescent", dense.apply_proximal_gradient_descent, base=_Step),
    derive("ApplyRMSProp", accumulating.apply_rms_prop, "use_locking", base=_Step),
    derive("CacheSwapTable", caches.cache_swap_table, base=_Step),
    derive("FusedAdaFactor", factored.fused_ada_factor, _ADAFACTOR, base=_Step),
    derive("FusedAdaFactorWithGlobalNorm", factored.fused_ada_factor_with_global_norm, _ADAFACTOR, base=_Step),
    derive("FusedCastAdamWeightDecay", dense.fused_cast_adam_weight_decay, "use_locking", base=_Step),
    derive("FusedSparseAdam", sparse.fused_sparse_adam, "use_locking use_nesterov", base=_Step),
    derive("FusedSparseFtrl", sparse.fused_sparse_ftrl, "lr l1 l2 lr_power use_locking", base=_Step),
    derive("FusedSparseLazyAdam", sparse.fused_sparse_lazy_adam, "use_locking use_nesterov", base=_Step),
    derive("FusedSparseProximalAdagrad", sparse.fused_sparse_proximal_adagrad, "use_locking", base=_Step),
    derive("FusedWeightScaleApplyMomentum", dense.fused_weight_scale_apply_momentum, base=_Step),
    derive("LARSUpdate", accumulating.lars_update, "epsilon hyperpara use_clip", base=_Step),
    derive("LambApplyOptimizerAssign", dense.lamb_apply_optimizer_assign, base=_Step),
    derive("LambApplyWeightAssign", dense.lamb_apply_weight_assign, base=_Step),
    derive("SGD", dense.sgd, "dampening weight_decay nesterov", base=_Step),
    derive("SparseApplyAdadelta", sparse.sparse_apply_adadelta, "epsilon use_locking", base=_Step),
    derive("SparseApplyAdagrad", sparse.sparse_apply_adagrad, "lr update_slots use_locking", base=_Step),
    derive("SparseApplyAdagradDA", sparse.sparse_apply_adagrad_da, "use_locking", base=_Step),
    derive("SparseApplyAdagradV2", sparse.sparse_apply_adagrad_v2, "lr epsilon use_locking update_slots", base=_Step),
    derive("SparseApplyCenteredRMSProp", sparse.sparse_apply_centered_rms_prop, "use_locking", base=_Step),
    derive("SparseApplyFtrl", sparse.sparse_apply_ftrl, "lr l1 l2 lr_power use_locking", base=_Step),
    derive("SparseApplyFtrlV2", sparse.sparse_apply_ftrl_v2, "lr l1 l2 l2_shrinkage lr_power use_locking", base=_Step),
    derive("SparseApplyMomentum", sparse.sparse_apply_momentum, "use_locking use_nesterov", base=_Step),
    derive("SparseApplyProximalAdagrad", sparse.sparse_apply_proximal_adagrad, "use_locking", base=_Step),
    derive(
        "SparseApplyProximalGradientDescent", sparse.sparse_apply_proximal_gradient_descent, "use_locking", base=_Step
    ),
    derive("SparseApplyRMSProp", sparse.sparse_apply_rms_prop, "rho momentum epsilon use_locking", base=_Step),
    derive("SubAndFilter", caches.sub_and_filter),
    derive("UpdateCache", caches.update_cache, base=_Step),
)
