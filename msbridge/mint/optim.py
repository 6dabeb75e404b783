"""Optimizers with torch's update rules; their options stand in `param_groups`.

Follows: mindspore.mint.optim (2.10).
"""

from typing import Any

import numpy as np

from msbridge.nn.optim import rules as common
from msbridge.nn.optim.cells.optimizer import host_parameter
from msbridge.nn.optim.experimental import rules
from msbridge.nn.optim.experimental.optimizer import Group, Optimizer, Share
from msbridge.nn.optim.rules import Tensors

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]


class _Moments(Optimizer):
    """What Adam and AdamW share: the options, both moments, the number of steps.

    Args:
        params: Parameters or groups of them.
        lr: at least 0.
        betas: β1 and β2, in [0, 1).
        eps: added below the line, at least 0.
        weight_decay: at least 0.
        amsgrad: divide by the largest v so far.
        maximize: climb, not descend.

    Raises:
        TypeError: an option has another type.
        ValueError: a number is out of range, or there are no parameters.
    """

    _first_step = 0

    def __init__(
        self,
        params: Any,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
        amsgrad: bool,
        maximize: bool,
    ) -> None:
        owner = type(self).__name__
        for name, value in (("lr", lr), ("eps", eps), ("weight_decay", weight_decay)):
            _check_option(owner, name, value)
        if not isinstance(betas, tuple | list):
            raise TypeError(f"For '{owner}', the type of 'betas' should be 'tuple', but got {type(betas).__name__!r}.")
        for index, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"For '{owner}', the beta at index {index} must be in [0, 1), but got {beta}.")
        for name, flag in (("amsgrad", amsgrad), ("maximize", maximize)):
            _check_flag(owner, name, flag)
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "amsgrad": amsgrad, "maximize": maximize})
        self._keep("exp_avg")
        self._keep("exp_avg_sq")
        if any(group["amsgrad"] for group in self.param_groups):
            self._keep("max_exp_avg_sq")
        self.state_step = host_parameter(np.full(1, self._first_step, np.float32), "state_step")

    def _before_step(self) -> None:
        self.state_step._data.add_(1)

    def _step(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float, shrink: float) -> None:
        """Apply Adam's rule, with decay that shrinks the parameters themselves."""
        largest = share.of(self.max_exp_avg_sq) if group["amsgrad"] else None
        moments = share.of(self.exp_avg), share.of(self.exp_avg_sq), largest
        beta1, beta2 = group["betas"]
        step = int(self.state_step._data.item()) - self._first_step
        rules.adamw(p, g, *moments, step, lr, beta1, beta2, group["eps"], shrink)


class Adam(_Moments):
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr·m̂ / (√v̂ + eps), with g' = g + weight_decay·p.

    Follows: mindspore.mint.optim.Adam (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        self._step(share, group, p, rules.decayed(p, g, group["weight_decay"]), lr, 0.0)


class AdamW(_Moments):
    """Adam whose weight decay shrinks the parameters themselves: p = p·(1 - lr·weight_decay) first.

    Follows: mindspore.mint.optim.AdamW (2.10).
    """

    _first_step = -1  # what checkpoints of MindSpore hold before the first step

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        self._step(share, group, p, g, lr, group["weight_decay"])


class FusedAdamW(AdamW):
    """AdamW; here every optimizer updates all parameters of a group together.

    Follows: mindspore.mint.optim.FusedAdamW (2.10).
    """


class SGD(Optimizer):
    """p -= lr·g'; with momentum v = momentum·v + (1 - dampening)·g', and v = g' in the first step; p -= lr·v.

    Args:
        params: Parameters or groups of them.
        lr: at least 0.
        momentum: at least 0.
        dampening: share of the gradient that momentum leaves out.
        weight_decay: added to the gradient times the parameter: g' = g + weight_decay·p.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        maximize: climb, not descend.

    Raises:
        TypeError: an option has another type.
        ValueError: a number is out of range, or there are no parameters.

    Follows: mindspore.mint.optim.SGD (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        numbers = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
        for name, value in numbers.items():
            _check_option("SGD", name, value)
        for name, flag in (("nesterov", nesterov), ("maximize", maximize)):
            _check_flag("SGD", name, flag)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, "
                f"but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        super().__init__(params, {**numbers, "dampening": dampening, "nesterov": nesterov, "maximize": maximize})
        self._keep("momentum_buf")
        self._count("step_t")

    def _before_step(self) -> None:
        self.step_t._data.add_(1)

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        mu, decay = group["momentum"], group["weight_decay"]
        if not mu:
            common.descent(p, g, lr, decay)
            return
        dampening = 0.0 if self.step_t._data.item() == 1 else float(group["dampening"])
        common.momentum(p, g, share.of(self.momentum_buf), lr, mu, decay, group["nesterov"], dampening)


def _check_option(owner: str, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', the type of '{name}' should be 'float', but got {type(value).__name__!r}.")
    if value < 0.0:
        raise ValueError(f"For '{owner}', the '{name}' must be at least 0, but got {value}.")


def _check_flag(owner: str, name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', the type of '{name}' should be 'bool', but got {type(value).__name__!r}.")
