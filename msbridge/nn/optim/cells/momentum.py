"""Momentum and SGD.

Follows: mindspore.nn.Momentum, mindspore.nn.SGD (2.10).
"""

from typing import Any

import numpy as np
import torch

from msbridge.nn.cell import Cell
from msbridge.nn.optim import rules
from msbridge.nn.optim.cells.optimizer import Optimizer, Rate, _Bucket, host_parameter
from msbridge.nn.optim.rules import Tensors


class Momentum(Optimizer):
    """v = momentum·v + g; p -= lr·v, or lr·(g + momentum·v) with `use_nesterov`.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        momentum: at least 0.
        weight_decay: added to the gradient times the parameter.
        loss_scale: gradients are divided by it.
        use_nesterov: look one step ahead.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.nn.Momentum (2.10).
    """

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
        if isinstance(momentum, bool) or not isinstance(momentum, int | float):
            raise TypeError(f"For 'Momentum', the type of 'momentum' must be float, but got {type(momentum).__name__}.")
        if momentum < 0.0:
            raise ValueError(f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}")
        if not isinstance(use_nesterov, bool):
            raise TypeError(f"For 'Momentum', 'use_nesterov' must be a bool, but got {type(use_nesterov).__name__}.")
        self.momentum = host_parameter(np.float32(momentum), "momentum")
        self.params = self.parameters
        self.use_nesterov = use_nesterov
        self.moments = self.parameters.clone(prefix="moments", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        mu = self.momentum._data.item()
        v = bucket.of(self.moments)
        if mu == 0.0:
            rules.descent(p, g, lr, decay, v)
        else:
            rules.momentum(p, g, v, lr, mu, decay, self.use_nesterov)


class SGD(Optimizer):
    """Stochastic gradient descent; with momentum v = momentum·v + (1 - dampening)·g, but v = g in the first step.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        momentum: at least 0.
        dampening: at least 0.
        weight_decay: added to the gradient times the parameter.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        loss_scale: gradients are divided by it.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.nn.SGD (2.10).
    """

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
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"For 'SGD', the type of '{name}' must be float, but got {type(value).__name__}.")
            if value < 0.0:
                raise ValueError(f"For 'SGD', the '{name}' must be at least 0.0, but got {value}.")
        if not isinstance(nesterov, bool):
            raise TypeError(f"For 'SGD', 'nesterov' must be a bool, but got {type(nesterov).__name__}.")
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, "
                f"but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        self.dampening = float(dampening)
        self.nesterov = nesterov
        self.momentum = host_parameter(np.float32(momentum), "momentum")
        self.accum = self.parameters.clone(prefix="accum", init="zeros")
        self.stat = self.parameters.clone(prefix="stat", init="ones")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        mu = self.momentum._data.item()
        if mu == 0.0:
            rules.descent(p, g, lr, decay)
            return
        is_first = self.global_step._data.item() == 0
        if is_first:
            torch._foreach_zero_(bucket.of(self.stat))
        rules.momentum(
            p, g, bucket.of(self.accum), lr, mu, decay, self.nesterov, dampening=0.0 if is_first else self.dampening
        )


__all__ = ["SGD", "Momentum"]
