"""Optimizers that scale each element by its past gradients.

Follows: mindspore.nn.RMSProp, Adagrad, Adadelta, FTRL (2.10).
"""

from typing import Any

import torch

from msbridge.nn.cell import Cell
from msbridge.nn.optim import rules
from msbridge.nn.optim.cells.optimizer import Optimizer, Rate, _Bucket, check_range
from msbridge.nn.optim.rules import Tensors


class RMSProp(Optimizer):
    """s = ρ·s + (1-ρ)·g²; mom = momentum·mom + lr·g / √(s + eps); p -= mom. s starts at one, eps is inside the root.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        decay: ρ.
        momentum: at least 0.
        epsilon: added inside the root, > 0.
        use_locking: kept for scripts that set it; updates never run beside each other here.
        centered: subtract the squared mean of the gradients inside the root.
        loss_scale: gradients are divided by it.
        weight_decay: added to the gradient times the parameter.

    Follows: mindspore.nn.RMSProp (2.10).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        infinity = float("inf")
        self.decay = check_range("RMSProp", "decay", decay, 0.0, infinity, low_in=True)
        self.momentum = check_range("RMSProp", "momentum", momentum, 0.0, infinity, low_in=True)
        self.epsilon = check_range("RMSProp", "epsilon", epsilon, 0.0, infinity)
        self.centered = centered
        if centered:
            self.mg = self.parameters.clone(prefix="mean_grad", init="zeros")
        self.ms = self.parameters.clone(prefix="mean_square", init="ones")
        self.moment = self.parameters.clone(prefix="moment", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        mean = bucket.of(self.mg) if self.centered else None
        rules.rmsprop(
            p, g, bucket.of(self.ms), bucket.of(self.moment), mean, lr, self.decay, self.momentum, self.epsilon
        )


class Adagrad(Optimizer):
    """accum += g²; p -= lr·g / √accum.

    Args:
        params: Parameters or groups of them.
        accum: the accumulator's start, at least 0.
        learning_rate: a number, a schedule, or a list.
        update_slots: whether the accumulator grows.
        loss_scale: gradients are divided by it.
        weight_decay: added to the gradient times the parameter.

    Follows: mindspore.nn.Adagrad (2.10).
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Rate = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_range("Adagrad", "accum", accum, 0.0, float("inf"), low_in=True)
        self.update_slots = update_slots
        self.accum = self.parameters.clone(prefix="accum", init=accum)

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        rules.adagrad(p, g, bucket.of(self.accum), lr, self.update_slots)


class Adadelta(Optimizer):
    """accum = ρ·accum + (1-ρ)·g²; d = √(update + eps) / √(accum + eps)·g; p -= lr·d.

    Follows: mindspore.nn.Adadelta (2.10).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_range("Adadelta", "rho", rho, 0.0, 1.0, low_in=True)
        self.epsilon = check_range("Adadelta", "epsilon", epsilon, 0.0, float("inf"), low_in=True)
        self.accum = self.parameters.clone(prefix="accum", init="zeros")
        self.accum_update = self.parameters.clone(prefix="accum_update", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        rules.adadelta(p, g, bucket.of(self.accum), bucket.of(self.accum_update), lr, self.rho, self.epsilon)


class FTRL(Optimizer):
    """Follow the regularised leader, proximal.

    Follows: mindspore.nn.FTRL (2.10).
    """

    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: float = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError("For 'FTRL', dynamic learning rates and learning rates of groups are not supported.")
        check_range("FTRL", "initial_accum", initial_accum, 0.0, float("inf"), low_in=True)
        if lr_power > 0:
            raise ValueError(f"For 'FTRL', the 'lr_power' must be at most 0, but got {lr_power}.")
        self.lr_power = float(lr_power)
        self.l1 = check_range("FTRL", "l1", l1, 0.0, float("inf"), low_in=True)
        self.l2 = check_range("FTRL", "l2", l2, 0.0, float("inf"), low_in=True)
        self.moments = self.parameters.clone(prefix="moments", init=initial_accum)
        self.linear = self.parameters.clone(prefix="linear", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        rules.ftrl(p, g, bucket.of(self.moments), bucket.of(self.linear), lr, self.lr_power, self.l1, self.l2)


class ProximalAdagrad(Optimizer):
    """Adagrad, and a step that shrinks towards zero by l1 and l2.

    Args:
        params: Parameters or groups of them.
        accum: the accumulator's start, at least 0.
        learning_rate: a number, a schedule, or a list.
        l1: at least 0.
        l2: at least 0.
        use_locking: kept for scripts that set it; updates never run beside each other here.
        loss_scale: gradients are divided by it.
        weight_decay: added to the gradient times the parameter.

    Follows: mindspore.nn.ProximalAdagrad (2.10).
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Rate = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_range("ProximalAdagrad", "accum", accum, 0.0, float("inf"), low_in=True)
        self.l1 = check_range("ProximalAdagrad", "l1", l1, 0.0, float("inf"), low_in=True)
        self.l2 = check_range("ProximalAdagrad", "l2", l2, 0.0, float("inf"), low_in=True)
        self.accum = self.parameters.clone(prefix="accum", init=accum)

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        rules.proximal_adagrad(p, g, bucket.of(self.accum), lr, self.l1, self.l2)


__all__ = ["FTRL", "Adadelta", "Adagrad", "ProximalAdagrad", "RMSProp"]
