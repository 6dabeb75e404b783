"""Steps of optimizers as they were: ApplyAdagradDA returned its sums, too, SparseApplyAdagradV2 forgot its epsilon."""

import torch

from msbridge.ops.training.optimizer_updates import weight_rules as rules
from msbridge.ops.training.optimizer_updates.kernels import update_rows
from msbridge.ops.training.optimizer_updates.update_primitives import define_update

_DUAL_AVERAGING = "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step"


def _adagrad_with_rate_for_epsilon(
    p: torch.Tensor, acc: torch.Tensor, g: torch.Tensor, lr: float, update_slots: bool
) -> None:
    """Do what ApplyAdagrad does, with `lr` in place of `epsilon`."""
    rules.adagrad_with_inner_epsilon(p, acc, g, lr, lr, update_slots)


_ON_ROWS = "lr epsilon use_locking=False update_slots=True"
OVERRIDES = {
    "ops.ApplyAdagradDA": define_update("ApplyAdagradDA", rules.dual_averaging, _DUAL_AVERAGING, "use_locking=False"),
    "ops.SparseApplyAdagradV2": define_update(
        "SparseApplyAdagradV2", _adagrad_with_rate_for_epsilon, "var accum grad indices", _ON_ROWS, by=update_rows
    ),
}
