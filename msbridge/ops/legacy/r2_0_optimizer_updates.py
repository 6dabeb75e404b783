"""Steps of optimizers as they were: what they gave, and what they divided by."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.optimizer_updates import accumulating, sparse
from msbridge.ops.training.optimizer_updates.accumulating import Rate
from msbridge.ops.training.optimizer_updates.primitives import _Step


def apply_adagrad_da(
    var: Tensor,
    gradient_accumulator: Tensor,
    gradient_squared_accumulator: Tensor,
    grad: Tensor,
    lr: Rate,
    l1: Rate,
    l2: Rate,
    global_step: int | Tensor,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Step of Adagrad with dual averaging; return the weight and both sums.

    Follows: mindspore.ops.ApplyAdagradDA (2.0).
    """
    held = (var, gradient_accumulator, gradient_squared_accumulator)
    changed = accumulating.apply_adagrad_da(*held, grad, lr, l1, l2, global_step, use_locking)
    return changed, wrap(gradient_accumulator._data), wrap(gradient_squared_accumulator._data)


def sparse_apply_adagrad_v2(
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: float,
    epsilon: float,
    use_locking: bool = False,
    update_slots: bool = True,
) -> Any:
    """Do what ApplyAdagrad does, on rows, with `lr` in place of `epsilon`.

    Follows: mindspore.ops.SparseApplyAdagradV2 (2.0).
    """
    del epsilon  # its kernel has forgotten it
    return sparse.sparse_apply_adagrad_v2(var, accum, grad, indices, lr, lr, use_locking, update_slots)


OVERRIDES = {
    "ops.ApplyAdagradDA": derive("ApplyAdagradDA", apply_adagrad_da, "use_locking", base=_Step),
    "ops.SparseApplyAdagradV2": derive(
        "SparseApplyAdagradV2", sparse_apply_adagrad_v2, "lr epsilon use_locking update_slots", base=_Step
    ),
}
