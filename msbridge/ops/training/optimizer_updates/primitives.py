"""Primitives of optimizers: each call changes a weight and its state in place.

`use_locking` changes nothing: no two updates of a weight run beside each other here. Those on rows take a gradient of
the rows that `indices` names; where one is named twice, the fused ones add its gradients up. What only an Ascend
computes is judged by the formula.

Follows: mindspore.ops.ApplyMomentum, Adam, SGD, SparseApplyFtrl and the like (2.10); its CPU kernels ignore
`use_nesterov` and `gradient_scale` of ApplyMomentum and `update_slots` of ApplyAdagrad, and SparseApplyAdagradV2 has
`epsilon` inside the root as it runs.
"""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.optimizer_updates import caches, factored, layerwise
from msbridge.ops.training.optimizer_updates import weight_rules as rules
from msbridge.ops.training.optimizer_updates.kernels import (
    compute_update,
    update_merged_rows,
    update_rows,
    update_scattered,
)
from msbridge.ops.training.optimizer_updates.update_primitives import UpdatePrimitive, define_update

_ADAFACTOR = "enable_scale_parameter enable_first_moment enable_weight_decay"
_POWERS = "beta1_power beta2_power lr beta1 beta2 epsilon"
DERIVED = (
    define_update("Adam", rules.adam, f"var m v {_POWERS} gradient", "use_locking=False use_nesterov=False"),
    define_update(
        "AdamNoUpdateParam",
        rules.adam,
        f"m v {_POWERS} gradient",
        "use_locking=False use_nesterov=False",
        held="m v",
        by=compute_update,
        gives_weight=True,
    ),
    define_update(
        "AdamWeightDecay", rules.adam_weight_decay, "var m v lr beta1 beta2 epsilon decay gradient", "use_locking=False"
    ),
    define_update("ApplyAdaMax", rules.adamax, "var m v beta1_power lr beta1 beta2 epsilon grad"),
    define_update("ApplyAdadelta", rules.adadelta, "var accum accum_update lr rho epsilon grad"),
    define_update("ApplyAdagrad", rules.adagrad, "var accum lr grad", "update_slots=True"),
    define_update(
        "ApplyAdagradDA",
        rules.dual_averaging,
        "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step",
        "use_locking=False",
        gives_weight=True,
    ),
    define_update("ApplyAdagradV2", rules.adagrad, "var accum lr grad", "epsilon update_slots=True"),
    define_update(
        "ApplyAdamWithAmsgrad",
        rules.amsgrad,
        "var m v vhat beta1_power beta2_power lr grad",
        "beta1=0.9 beta2=0.999 epsilon=1e-08 use_locking=False",
    ),
    define_update("ApplyAdamWithAmsgradV2", rules.amsgrad, f"var m v vhat {_POWERS} grad", "use_locking=False"),
    define_update("ApplyAddSign", rules.add_sign, "var m lr alpha sign_decay beta grad"),
    define_update(
        "ApplyCenteredRMSProp",
        rules.centered_rmsprop,
        "var mean_gradient mean_square moment grad learning_rate decay momentum epsilon",
        "use_locking=False",
        gives_weight=True,
    ),
    define_update(
        "ApplyFtrl", rules.ftrl, "var accum linear grad lr l1 l2 lr_power", "use_locking=False", gives_weight=True
    ),
    define_update("ApplyGradientDescent", rules.descent, "var alpha delta", gives_weight=True),
    define_update(
        "ApplyKerasMomentum", rules.keras_momentum, "var accum lr grad momentum", "use_locking=False use_nesterov=False"
    ),
    define_update(
        "ApplyMomentum",
        rules.momentum,
        "variable accumulation learning_rate gradient momentum",
        "use_nesterov=False use_locking=False gradient_scale=1.0",
        gives_weight=True,
    ),
    define_update("ApplyPowerSign", rules.power_sign, "var m lr logbase sign_decay beta grad"),
    define_update("ApplyProximalAdagrad", rules.proximal_adagrad, "var accum lr l1 l2 grad", "use_locking=False"),
    define_update("ApplyProximalGradientDescent", rules.proximal_descent, "var alpha l1 l2 delta", gives_weight=True),
    define_update(
        "ApplyRMSProp",
        rules.rmsprop,
        "var mean_square moment learning_rate grad decay momentum epsilon",
        "use_locking=False",
        gives_weight=True,
    ),
    derive("CacheSwapTable", caches.cache_swap_table, base=UpdatePrimitive),
    derive("FusedAdaFactor", factored.fused_ada_factor, _ADAFACTOR, base=UpdatePrimitive),
    derive(
        "FusedAdaFactorWithGlobalNorm", factored.fused_ada_factor_with_global_norm, _ADAFACTOR, base=UpdatePrimitive
    ),
    define_update(
        "FusedCastAdamWeightDecay",
        rules.adam_weight_decay_in_float32,
        "var m v lr beta1 beta2 epsilon decay gradient global_norm",
        "use_locking=False",
    ),
    define_update(
        "FusedSparseAdam",
        rules.adam,
        f"var m v {_POWERS} gradient indices",
        "use_locking=False use_nesterov=False",
        by=update_scattered,
    ),
    define_update(
        "FusedSparseFtrl",
        rules.ftrl,
        "var accum linear grad indices",
        "lr l1 l2 lr_power use_locking=False",
        by=update_merged_rows,
    ),
    define_update(
        "FusedSparseLazyAdam",
        rules.adam,
        f"var m v {_POWERS} gradient indices",
        "use_locking=False use_nesterov=False",
        by=update_merged_rows,
    ),
    define_update(
        "FusedSparseProximalAdagrad",
        rules.proximal_adagrad,
        "var accum lr l1 l2 grad indices",
        "use_locking=False",
        by=update_merged_rows,
    ),
    define_update(
        "FusedWeightScaleApplyMomentum",
        rules.scaled_momentum,
        "weight_decay loss_scale variable accumulation learning_rate gradient momentum",
        held="variable accumulation",
        gives_weight=True,
    ),
    derive("LARSUpdate", layerwise.lars_update, "epsilon hyperpara use_clip", base=UpdatePrimitive),
    derive("LambApplyOptimizerAssign", layerwise.lamb_apply_optimizer_assign, base=UpdatePrimitive),
    define_update(
        "LambApplyWeightAssign", rules.lamb_weight, "w_norm g_norm lr update var", held="var", gives_weight=True
    ),
    define_update(
        "SGD",
        rules.descent_with_stat,
        "parameters gradient learning_rate accum momentum stat",
        "dampening=0.0 weight_decay=0.0 nesterov=False",
        held="parameters accum stat",
        gives_weight=True,
    ),
    define_update(
        "SparseApplyAdadelta",
        rules.adadelta,
        "var accum accum_update lr rho grad indices",
        "epsilon use_locking=False",
        by=update_rows,
    ),
    define_update(
        "SparseApplyAdagrad",
        rules.adagrad,
        "var accum grad indices",
        "lr update_slots=True use_locking=False",
        by=update_rows,
    ),
    define_update(
        "SparseApplyAdagradDA",
        rules.dual_averaging,
        "var grad_accum grad_square_accum grad indices lr l1 l2 global_step",
        "use_locking=False",
        by=update_rows,
        gives_weight=True,
    ),
    define_update(
        "SparseApplyAdagradV2",
        rules.adagrad_with_inner_epsilon,
        "var accum grad indices",
        "lr epsilon use_locking=False update_slots=True",
        by=update_rows,
    ),
    define_update(
        "SparseApplyCenteredRMSProp",
        rules.centered_rmsprop,
        "var mg ms mom lr rho momentum epsilon grad indices",
        "use_locking=False",
        by=update_rows,
        gives_weight=True,
    ),
    define_update(
        "SparseApplyFtrl",
        rules.ftrl,
        "var accum linear grad indices",
        "lr l1 l2 lr_power use_locking=False",
        by=update_rows,
    ),
    define_update(
        "SparseApplyFtrlV2",
        rules.ftrl,
        "var accum linear grad indices",
        "lr l1 l2 l2_shrinkage lr_power use_locking=False",
        by=update_rows,
    ),
    define_update(
        "SparseApplyMomentum",
        rules.momentum,
        "var accum lr grad indices momentum",
        "use_locking=False use_nesterov=False",
        by=update_rows,
        gives_weight=True,
    ),
    define_update(
        "SparseApplyProximalAdagrad",
        rules.proximal_adagrad,
        "var accum lr l1 l2 grad indices",
        "use_locking=False",
        by=update_rows,
    ),
    define_update(
        "SparseApplyProximalGradientDescent",
        rules.proximal_descent,
        "var alpha l1 l2 grad indices",
        "use_locking=False",
        by=update_rows,
        gives_weight=True,
    ),
    define_update(
        "SparseApplyRMSProp",
        rules.rmsprop,
        "var ms mom lr grad indices",
        "rho momentum epsilon use_locking=False",
        by=update_rows,
    ),
    derive("SubAndFilter", caches.sub_and_filter),
    derive("UpdateCache", caches.update_cache, base=UpdatePrimitive),
)
