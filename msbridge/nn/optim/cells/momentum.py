"""Momentum and SGD."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import at_least, boolean, instance
from msbridge.core.parameter.step_scalars import number, scalar_parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.cells.rates import Rate
from msbridge.nn.optim.checks import check_nesterov
from msbridge.nn.optim.engine import Bucket
from msbridge.ops.training.optimizer_updates import descents, lists
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["SGD", "Momentum"]


class Momentum(Optimizer):
    """v = momentum·v + g; p -= lr·v, or lr·(g + momentum·v) with `use_nesterov`.

    Args:
        params, learning_rate: as in every optimizer.
        momentum: at least 0.
        weight_decay, loss_scale, use_nesterov: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Raises:
        ValueError: a number is out of range.

    Examples:
        >>> net = nn.Dense(1, 1)
        >>> decayed = {"params": [net.weight], "weight_decay": 0.01}
        >>> optimizer = nn.Momentum([decayed, {"params": [net.bias]}], learning_rate=0.1, momentum=0.9)
        >>> [parameter.name for parameter in optimizer.parameters]
        ['weight', 'bias']

    Follows: mindspore.nn.Momentum (2.10).
    """

    _leaves_out = True
    _takes_decay = True

    def __init__(
        self,
        params: Any,
        learning_rate: Rate,
        momentum: float,
        weight_decay: float | Cell = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if instance(momentum, "momentum", "Momentum", float) < 0.0:
            raise ValueError(f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}")
        self.momentum = scalar_parameter(np.float32(momentum), "momentum", is_constant=True)
        self.params = self.parameters
        self.use_nesterov = boolean(use_nesterov, "use_nesterov", "Momentum")
        self._mu = momentum
        self._keep("moments")

    def _begin_step(self) -> None:
        super()._begin_step()
        self.__dict__["_mu"] = number(self.momentum)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        descents.momentum(
            p,
            g,
            bucket.of(self.moments),
            bucket.lr,
            self._mu,
            bucket.decay,
            self.use_nesterov,
            overflow=bucket.overflow,
        )


class SGD(Optimizer):
    """Stochastic gradient descent; with momentum v = momentum·v + (1 - dampening)·g, but v = g in the first step.

    Args:
        params, learning_rate: as in every optimizer.
        momentum: at least 0.
        dampening: at least 0.
        weight_decay: added to the gradient times the parameter; a number.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        loss_scale: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Raises:
        ValueError: a number is out of range.

    Examples:
        >>> weight = ms.Parameter(Tensor([1.0]), name="weight")
        >>> updated = nn.SGD([weight], learning_rate=0.1)((Tensor([2.0]),))
        >>> print(weight.asnumpy())
        [0.8]

    Follows: mindspore.nn.SGD (2.10).
    """

    _spared = ("beta", "gamma")
    _leaves_out = True
    _takes_decay = True

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float | Cell = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_weight_decay:
            raise TypeError("For 'SGD', the argument 'weight_decay' must be a number, but got a Cell.")
        for name, value in (("momentum", momentum), ("dampening", dampening)):
            at_least(instance(value, name, "SGD", (float, int, bool)), name, "SGD")
        check_nesterov(boolean(nesterov, "nesterov", "SGD"), momentum, dampening)
        self.dampening = float(dampening)
        self.nesterov = nesterov
        self.momentum = scalar_parameter(np.float32(momentum), "momentum", is_constant=True)
        self._keep("accum")
        self._keep("stat", "ones")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        mu = number(self.momentum)
        if mu == 0.0:
            descents.descent(p, g, bucket.lr, bucket.decay, bucket.overflow)
            return
        if self._has_tensors or bucket.is_first:
            lists.clear(bucket.of(self.stat), bucket.overflow)
        dampening, v = bucket.but_first(self.dampening), bucket.of(self.accum)
        descents.momentum(p, g, v, bucket.lr, mu, bucket.decay, self.nesterov, dampening, bucket.overflow)
