"""Optimizers that scale each element by its past gradients, with `param_groups`."""

from typing import Any

from msbridge.core.checks.arguments import in_range
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.checks import GROUPED
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.experimental.optimizer import Optimizer
from msbridge.ops.training.optimizer_updates import rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Adadelta", "Adagrad", "RMSprop"]


class RMSprop(Optimizer):
    """s = α·s + (1-α)·g²; p -= lr·(momentum of) g / (√s + eps). s starts at zero, eps is outside the root.

    Args:
        params, lr: as in every experimental optimizer.
        alpha: how slowly the mean square follows.
        eps: > 0.
        weight_decay: as in every experimental optimizer.
        momentum: at least 0.
        centered: subtract the squared mean of the gradients in the root.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.RMSprop (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        maximize: bool = False,
    ) -> None:
        GROUPED.above(lr, "lr", "RMSprop")
        GROUPED.at_least(alpha, "alpha", "RMSprop")
        GROUPED.above(eps, "eps", "RMSprop")
        GROUPED.at_least(momentum, "momentum", "RMSprop")
        GROUPED.at_least(weight_decay, "weight_decay", "RMSprop")
        options = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        super().__init__(params, {**options, "weight_decay": weight_decay, "maximize": maximize})
        for name in ("mean_grad", "mean_square", "moment"):
            self._keep(name)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        options = bucket.options
        mean = bucket.of(self.mean_grad) if options["centered"] else None
        state = bucket.of(self.mean_square), bucket.of(self.moment), mean
        rules.rmsprop_eps_outside(p, g, *state, bucket.lr, options["alpha"], options["momentum"], options["eps"])


class Adagrad(Optimizer):
    """accum += g²; p -= lr / (1 + t·lr_decay)·g / (√accum + eps), with t from 0.

    Args:
        params, lr: as in every experimental optimizer.
        lr_decay: how fast the rate falls.
        weight_decay: as in every experimental optimizer.
        initial_accumulator_value: where the accumulator starts.
        eps: > 0.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adagrad (2.10).
    """

    _leaves_out = True

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        GROUPED.above(lr, "lr", "Adagrad")
        GROUPED.at_least(lr_decay, "lr_decay", "Adagrad")
        GROUPED.at_least(weight_decay, "weight_decay", "Adagrad")
        GROUPED.at_least(initial_accumulator_value, "initial_accumulator_value", "Adagrad")
        GROUPED.above(eps, "eps", "Adagrad")
        options = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {**options, "initial_accumulator_value": initial_accumulator_value})
        self._keep("accum", float(initial_accumulator_value))
        self._count("step_t")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        lr = bucket.lr / (1 + (bucket.step - 1) * bucket.options["lr_decay"])
        rules.adagrad(p, g, bucket.of(self.accum), lr, bucket.options["eps"], overflow=bucket.overflow)


class Adadelta(Optimizer):
    """accum = ρ·accum + (1-ρ)·g²; d = √(update + eps) / √(accum + eps)·g; p -= lr·d.

    Args:
        params, lr: as in every experimental optimizer.
        rho: ρ, in [0, 1].
        eps: > 0.
        weight_decay, maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adadelta (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        GROUPED.above(lr, "lr", "Adadelta")
        GROUPED.above(eps, "eps", "Adadelta")
        GROUPED.at_least(weight_decay, "weight_decay", "Adadelta")
        in_range(rho, "rho", "Adadelta", 0.0, 1.0, "[]")
        options = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, options)
        self._keep("accum")
        self._keep("accum_update")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        state = bucket.of(self.accum), bucket.of(self.accum_update)
        rules.adadelta(p, g, *state, bucket.lr, bucket.options["rho"], bucket.options["eps"])
