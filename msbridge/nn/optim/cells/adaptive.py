"""Optimizers that scale each element by its past gradients."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.cells.rates import Rate
from msbridge.nn.optim.checks import check_floats, hyperparameter, legal
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.skipping import SKIPPING
from msbridge.ops.training.optimizer_updates import proximal, rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["FTRL", "Adadelta", "Adagrad", "ProximalAdagrad", "RMSProp"]


class RMSProp(Optimizer):
    """s = ρ·s + (1-ρ)·g²; mom = momentum·mom + lr·g / √(s + eps); p -= mom. s starts at one, eps is inside the root.

    Args:
        params, learning_rate: as in every optimizer.
        decay: ρ.
        momentum: at least 0.
        epsilon: added inside the root, > 0.
        use_locking: as in every optimizer.
        centered: subtract the squared mean of the gradients inside the root.
        loss_scale, weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

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
        self.decay = hyperparameter(decay, "decay", "RMSProp", 0.0, ends="[)")
        self.momentum = hyperparameter(momentum, "momentum", "RMSProp", 0.0, ends="[)")
        self.epsilon = hyperparameter(epsilon, "epsilon", "RMSProp", 0.0)
        self.use_locking = instance(use_locking, "use_locking", "RMSProp", bool)
        instance(centered, "centered", "RMSProp", bool)
        self.centered = centered
        if centered:
            self._keep("mg", prefix="mean_grad")
        self._keep("ms", "ones", prefix="mean_square")
        self._keep("moment")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        mean = bucket.of(self.mg) if self.centered else None
        state = bucket.of(self.ms), bucket.of(self.moment), mean
        rules.rmsprop(p, g, *state, bucket.lr, self.decay, self.momentum, self.epsilon)


class _OfGrads(Optimizer):
    """An optimizer that calls its gradients `grads`."""

    def construct(self, grads: Sequence[Tensor]) -> Any:
        return super().construct(grads)


SKIPPING.add(_OfGrads.construct)


class Adagrad(_OfGrads):
    """accum += g²; p -= lr·g / √accum.

    Args:
        params: as in every optimizer.
        accum: the accumulator's start, at least 0.
        learning_rate: as in every optimizer.
        update_slots: whether the accumulator grows.
        loss_scale, weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.Adagrad (2.10).
    """

    _leaves_out = True

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
        check_floats("Adagrad", accum=accum)
        self.update_slots = instance(update_slots, "update_slots", "Adagrad", bool)
        hyperparameter(accum, "accum", "Adagrad", 0.0, ends="[)")
        self._keep("accum", accum)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        acc, is_growing = bucket.of(self.accum), self.update_slots
        rules.adagrad(p, g, acc, bucket.lr, update_slots=is_growing, overflow=bucket.overflow)


class Adadelta(_OfGrads):
    """accum = ρ·accum + (1-ρ)·g²; d = √(update + eps) / √(accum + eps)·g; p -= lr·d.

    Args:
        params, learning_rate: as in every optimizer.
        rho: ρ, in [0, 1).
        epsilon: eps, added inside the roots, at least 0.
        loss_scale, weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

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
        check_floats("Adadelta", rho=rho, epsilon=epsilon)
        self.rho = hyperparameter(rho, "rho", "Adadelta", 0.0, 1.0, ends="[)")
        self.epsilon = hyperparameter(epsilon, "epsilon", "Adadelta", 0.0, ends="[)")
        self._keep("accum")
        self._keep("accum_update")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        rules.adadelta(p, g, bucket.of(self.accum), bucket.of(self.accum_update), bucket.lr, self.rho, self.epsilon)


class FTRL(_OfGrads):
    """Follow the regularised leader, proximal.

    Args:
        params: as in every optimizer.
        initial_accum: what the accumulator starts from, at least 0.
        learning_rate: a number, the same in all steps.
        lr_power: the exponent of the accumulator in the rate, at most 0.
        l1: how strongly parameters are drawn to 0, at least 0.
        l2: how strongly they are shrunk, at least 0.
        use_locking, loss_scale, weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

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
        hyperparameter(initial_accum, "initial_accum", "FTRL", 0.0, ends="[)")
        instance(learning_rate, "learning_rate", "FTRL", float)
        legal(learning_rate, "learning_rate", "FTRL", is_positive=True)
        self.lr = learning_rate
        if instance(lr_power, "lr_power", "FTRL", float) > 0:
            raise ValueError(f"For 'FTRL', the 'lr_power' must be at most 0, but got {lr_power}.")
        self.lr_power = float(lr_power)
        self.l1 = hyperparameter(l1, "l1", "FTRL", 0.0, ends="[)")
        self.l2 = hyperparameter(l2, "l2", "FTRL", 0.0, ends="[)")
        self.use_locking = instance(use_locking, "use_locking", "FTRL", bool)
        self._keep("moments", initial_accum)
        self._keep("linear")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        state = bucket.of(self.moments), bucket.of(self.linear)
        proximal.ftrl(p, g, *state, bucket.lr, self.lr_power, self.l1, self.l2)


class ProximalAdagrad(_OfGrads):
    """Adagrad, and a step that shrinks towards zero by l1 and l2.

    Args:
        params: as in every optimizer.
        accum: the accumulator's start, at least 0.
        learning_rate: as in every optimizer.
        l1: at least 0.
        l2: at least 0.
        use_locking, loss_scale, weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.ProximalAdagrad (2.10).
    """

    l1, l2 = TensorAttribute(), TensorAttribute()

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
        check_floats("ProximalAdagrad", accum=accum, l1=l1, l2=l2)
        self.use_locking = instance(use_locking, "use_locking", "ProximalAdagrad", bool)
        hyperparameter(accum, "accum", "ProximalAdagrad", 0.0, ends="[)")
        self.l1 = hyperparameter(l1, "l1", "ProximalAdagrad", 0.0, ends="[)")
        self.l2 = hyperparameter(l2, "l2", "ProximalAdagrad", 0.0, ends="[)")
        self._keep("accum", accum)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        proximal.proximal_adagrad(p, g, bucket.of(self.accum), bucket.lr, self._l1_number, self._l2_number)
