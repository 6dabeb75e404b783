"""Steps of optimizers on the rows of a weight that have gradients: each changes weight and state, and returns them.

`grad` has a row for each of `indices`. Where a row is named twice, the fused steps add its gradients up; for the others
the result is not defined. Rates and `use_locking` are as in `dense`.
"""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.training.optimizer_updates import descents, proximal, rules
from msbridge.ops.training.optimizer_updates.kernels import update, update_merged_rows, update_rows

Rate = float | Tensor
Pair = tuple[Tensor, Tensor]
Triple = tuple[Tensor, Tensor, Tensor]


def sparse_apply_adadelta(
    var: Tensor,
    accum: Tensor,
    accum_update: Tensor,
    lr: Rate,
    rho: Rate,
    grad: Tensor,
    indices: Tensor,
    epsilon: float,
    use_locking: bool = False,
) -> Triple:
    """Do what ApplyAdadelta does, on rows.

    Follows: mindspore.ops.SparseApplyAdadelta (2.10), a kernel of the Ascend; judged by ApplyAdadelta.
    """

    def rule(p, acc, upd, g, lr, rho):  # type: ignore[no-untyped-def]
        rules.adadelta([p], [g], [acc], [upd], lr, rho, epsilon)

    held = {"var": var, "accum": accum, "accum_update": accum_update}
    return update_rows("SparseApplyAdadelta", rule, held, grad, indices, lr, rho)  # type: ignore[return-value]


def sparse_apply_adagrad(
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    update_slots: bool = True,
    use_locking: bool = False,
) -> Pair:
    """Do what ApplyAdagrad does, on rows.

    Follows: mindspore.ops.SparseApplyAdagrad (2.10).
    """

    def rule(p, acc, g):  # type: ignore[no-untyped-def]
        rules.adagrad([p], [g], [acc], lr, update_slots=update_slots)

    return update_rows("SparseApplyAdagrad", rule, {"var": var, "accum": accum}, grad, indices)  # type: ignore[return-value]


def sparse_apply_adagrad_v2(
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    epsilon: float,
    use_locking: bool = False,
    update_slots: bool = True,
) -> Pair:
    """Do what ApplyAdagrad does, on rows, with `epsilon` inside the root.

    Follows: mindspore.ops.SparseApplyAdagradV2 (2.10) as it runs; the documentation has `epsilon` outside.
    """

    def rule(p, acc, g):  # type: ignore[no-untyped-def]
        if update_slots:
            acc.addcmul_(g, g)
        rules.adagrad([p], [g], [acc + epsilon], lr, update_slots=False)

    return update_rows("SparseApplyAdagradV2", rule, {"var": var, "accum": accum}, grad, indices)  # type: ignore[return-value]


def sparse_apply_ftrl(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    l1: float,
    l2: float,
    lr_power: float,
    use_locking: bool = False,
) -> Triple:
    """Do what ApplyFtrl does, on rows.

    Follows: mindspore.ops.SparseApplyFtrl (2.10).
    """
    held = {"var": var, "accum": accum, "linear": linear}
    rule = _ftrl(lr, l1, l2, lr_power)
    return update_rows("SparseApplyFtrl", rule, held, grad, indices)  # type: ignore[return-value]


def sparse_apply_ftrl_v2(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    l1: float,
    l2: float,
    l2_shrinkage: float,
    lr_power: float,
    use_locking: bool = False,
) -> Triple:
    """Do what SparseApplyFtrl does, with 2·l2_shrinkage·var added to what `linear` sums up.

    Follows: mindspore.ops.SparseApplyFtrlV2 (2.10), a kernel of the Ascend; judged by the formula.
    """
    held = {"var": var, "accum": accum, "linear": linear}
    rule = _ftrl(lr, l1, l2, lr_power, l2_shrinkage)
    return update_rows("SparseApplyFtrlV2", rule, held, grad, indices)  # type: ignore[return-value]


def fused_sparse_ftrl(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    l1: float,
    l2: float,
    lr_power: float,
    use_locking: bool = False,
) -> Triple:
    """Do what SparseApplyFtrl does, with the gradients of a row added up.

    Follows: mindspore.ops.FusedSparseFtrl (2.10).
    """
    held = {"var": var, "accum": accum, "linear": linear}
    rule = _ftrl(lr, l1, l2, lr_power)
    return update_merged_rows("FusedSparseFtrl", rule, held, grad, indices)  # type: ignore[return-value]


def _ftrl(lr, l1, l2, power, shrinkage=0.0):  # type: ignore[no-untyped-def]
    def rule(p, acc, linear, g):  # type: ignore[no-untyped-def]
        proximal.ftrl([p], [g], [acc], [linear], lr, power, l1, l2, shrinkage)

    return rule


def sparse_apply_proximal_adagrad(
    var: Tensor, accum: Tensor, lr: Rate, l1: Rate, l2: Rate, grad: Tensor, indices: Tensor, use_locking: bool = False
) -> Pair:
    """Do what ApplyProximalAdagrad does, on rows.

    Follows: mindspore.ops.SparseApplyProximalAdagrad (2.10), a kernel of the Ascend; judged by ApplyProximalAdagrad.
    """
    held = {"var": var, "accum": accum}
    return update_rows("SparseApplyProximalAdagrad", _proximal_adagrad, held, grad, indices, lr, l1, l2)  # type: ignore[return-value]


def fused_sparse_proximal_adagrad(
    var: Tensor, accum: Tensor, lr: Rate, l1: Rate, l2: Rate, grad: Tensor, indices: Tensor, use_locking: bool = False
) -> Pair:
    """Do what SparseApplyProximalAdagrad does, with the gradients of a row added up.

    Follows: mindspore.ops.FusedSparseProximalAdagrad (2.10).
    """
    held = {"var": var, "accum": accum}
    return update_merged_rows("FusedSparseProximalAdagrad", _proximal_adagrad, held, grad, indices, lr, l1, l2)  # type: ignore[return-value]


def _proximal_adagrad(p, acc, g, lr, l1, l2):  # type: ignore[no-untyped-def]
    proximal.proximal_adagrad([p], [g], [acc], lr, l1, l2)


def sparse_apply_rms_prop(
    var: Tensor,
    ms: Tensor,
    mom: Tensor,
    lr: Rate,
    grad: Tensor,
    indices: Tensor,
    rho: float,
    momentum: float,
    epsilon: float,
    use_locking: bool = False,
) -> Triple:
    """Do what ApplyRMSProp does, on rows.

    Follows: mindspore.ops.SparseApplyRMSProp (2.10).
    """

    def rule(p, s, mom, g, lr):  # type: ignore[no-untyped-def]
        rules.rmsprop([p], [g], [s], [mom], None, lr, rho, momentum, epsilon)

    held = {"var": var, "ms": ms, "mom": mom}
    return update_rows("SparseApplyRMSProp", rule, held, grad, indices, lr)  # type: ignore[return-value]


def sparse_apply_centered_rms_prop(
    var: Tensor,
    mg: Tensor,
    ms: Tensor,
    mom: Tensor,
    lr: Rate,
    rho: Rate,
    momentum: Rate,
    epsilon: Rate,
    grad: Tensor,
    indices: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Do what ApplyCenteredRMSProp does, on rows.

    Follows: mindspore.ops.operations.nn_ops.SparseApplyCenteredRMSProp (2.10).
    """

    def rule(p, mean, s, mom, g, lr, rho, mu, eps):  # type: ignore[no-untyped-def]
        rules.rmsprop([p], [g], [s], [mom], [mean], lr, rho, mu, eps)

    held = {"var": var, "mg": mg, "ms": ms, "mom": mom}
    return update_rows("SparseApplyCenteredRMSProp", rule, held, grad, indices, lr, rho, momentum, epsilon)[0]


def sparse_apply_adagrad_da(
    var: Tensor,
    grad_accum: Tensor,
    grad_square_accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: Rate,
    l1: Rate,
    l2: Rate,
    global_step: int | Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Do what ApplyAdagradDA does, on rows.

    Follows: mindspore.ops.operations.nn_ops.SparseApplyAdagradDA (2.10).
    """

    def rule(p, total, squares, g, lr, l1, l2, step):  # type: ignore[no-untyped-def]
        proximal.dual_averaging([p], [g], [total], [squares], lr, l1, l2, step)

    held = {"var": var, "grad_accum": grad_accum, "grad_square_accum": grad_square_accum}
    return update_rows("SparseApplyAdagradDA", rule, held, grad, indices, lr, l1, l2, global_step)[0]


def sparse_apply_momentum(
    var: Tensor,
    accum: Tensor,
    lr: Rate,
    grad: Tensor,
    indices: Tensor,
    momentum: Rate,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Tensor:
    """Do what ApplyMomentum does, on rows.

    Follows: mindspore.ops.operations.nn_ops.SparseApplyMomentum (2.10) as documented.
    """

    def rule(p, v, g, lr, mu):  # type: ignore[no-untyped-def]
        descents.momentum([p], [g], [v], lr, mu, 0.0, use_nesterov)

    held = {"var": var, "accum": accum}
    return update_rows("SparseApplyMomentum", rule, held, grad, indices, lr, momentum)[0]


def sparse_apply_proximal_gradient_descent(
    var: Tensor, alpha: Rate, l1: Rate, l2: Rate, grad: Tensor, indices: Tensor, use_locking: bool = False
) -> Tensor:
    """Do what ApplyProximalGradientDescent does, on rows.

    Follows: mindspore.ops.operations.nn_ops.SparseApplyProximalGradientDescent (2.10).
    """

    def rule(p, g, lr, l1, l2):  # type: ignore[no-untyped-def]
        proximal.proximal_descent([p], [g], lr, l1, l2)

    return update_rows("SparseApplyProximalGradientDescent", rule, {"var": var}, grad, indices, alpha, l1, l2)[0]


def fused_sparse_lazy_adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    gradient: Tensor,
    indices: Tensor,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Triple:
    """Do what Adam does, on rows alone: the moments of the others rest.

    Follows: mindspore.ops.FusedSparseLazyAdam (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    held = {"var": var, "m": m, "v": v}
    rule = rules.adam_of_powers(use_nesterov)
    return update_merged_rows("FusedSparseLazyAdam", rule, held, gradient, indices, *settings)  # type: ignore[return-value]


def fused_sparse_adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Rate,
    beta2_power: Rate,
    lr: Rate,
    beta1: Rate,
    beta2: Rate,
    epsilon: Rate,
    gradient: Tensor,
    indices: Tensor,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Triple:
    """Do what Adam does with a gradient of zero in the rows that `indices` leaves out.

    Follows: mindspore.ops.FusedSparseAdam (2.10).
    """
    settings = beta1_power, beta2_power, lr, beta1, beta2, epsilon
    whole = gradient
    if isinstance(gradient, Tensor) and isinstance(var, Tensor):
        rows = gradient._data.to(var._data.dtype)
        whole = wrap(torch.zeros_like(var._data).index_add_(0, indices._data, rows))
    return update("FusedSparseAdam", rules.adam_of_powers(use_nesterov), {"var": var, "m": m, "v": v}, whole, *settings)  # type: ignore[return-value]
