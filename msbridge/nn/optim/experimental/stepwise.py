"""SGD, Rprop and ASGD with `param_groups`.

Follows: mindspore.experimental.optim.SGD, Rprop, ASGD (2.10).
"""

from typing import Any

import torch

from msbridge.core.tensor import Tensor
from msbridge.nn.optim import rules as common
from msbridge.nn.optim.experimental import rules
from msbridge.nn.optim.experimental.optimizer import Group, Optimizer, Share, at_least, within
from msbridge.nn.optim.rules import Tensors


class SGD(Optimizer):
    """Stochastic gradient descent; with momentum v = momentum·v + (1 - dampening)·g, but v = g in the first step.

    Args:
        params: Parameters or groups of them.
        lr: a number or a 0-d Tensor.
        momentum: at least 0.
        dampening: share of the gradient that momentum leaves out.
        weight_decay: added to the gradient times the parameter.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        maximize: climb, not descend.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.SGD (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, bool) or not isinstance(lr, int | float | Tensor):
            raise TypeError(f"For 'SGD', the type of 'lr' should be float, int or Tensor, got {type(lr).__name__!r}.")
        if lr < 0.0:
            raise ValueError(f"For 'SGD', invalid learning rate: {lr}; it must be at least 0.")
        for name, value in (("momentum", momentum), ("dampening", dampening)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(
                    f"For 'SGD', the type of '{name}' should be int or float, got {type(value).__name__!r}."
                )
        if momentum < 0.0:
            raise ValueError(f"For 'SGD', invalid momentum value: {momentum}; it must be at least 0.")
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, "
                f"but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        options = {"lr": lr, "momentum": float(momentum), "dampening": float(dampening), "weight_decay": weight_decay}
        more = {"nesterov": nesterov, "maximize": maximize, "grad_centralization": False}
        super().__init__(params, {**options, **more})
        self._keep("accum")
        self._keep("stat", "ones")  # of ones until the first step is done
        self.__dict__["_begun"] = set()

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        mu, decay = group["momentum"], group["weight_decay"]
        if mu == 0.0:
            common.descent(p, g, lr, decay)
            return
        is_first = share not in self._begun and self._begin(share)
        dampening = 0.0 if is_first else float(group["dampening"])
        common.momentum(p, g, share.of(self.accum), lr, mu, decay, group["nesterov"], dampening)

    def _begin(self, share: Share) -> bool:
        """Say whether no step was done, here or before the state was loaded, and mark that one is."""
        self._begun.add(share)
        stat = share.of(self.stat)
        is_first = bool(stat[0].flatten()[:1].any())
        torch._foreach_zero_(stat)
        return is_first


class _Counted(Optimizer):
    """Rules that count their steps in `step_t`."""

    def _before_step(self) -> None:
        self.step_t._data.add_(1)


class Rprop(_Counted):
    """Resilient backpropagation: only the signs of the gradients count.

    Args:
        params: Parameters or groups of them.
        lr: the first step of every element, > 0.
        etas: factors that shrink, in (0, 1), and grow, > 1, the steps.
        step_sizes: the smallest and the largest step.
        maximize: climb, not descend.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Rprop (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        at_least("Rprop", "lr", lr, above=True)
        at_least("Rprop", "etas[1]", etas[1], 1.0, above=True)
        within("Rprop", "etas[0]", etas[0], low_in=False)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})
        self._keep("prev")
        self._keep("step_size")
        self._count("step_t")

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        size = share.of(self.step_size)
        if self.step_t._data.item() == 1:
            torch._foreach_zero_(size)
            torch._foreach_add_(size, lr)
        common.rprop(p, g, share.of(self.prev), size, group["etas"], group["step_sizes"])


class ASGD(_Counted):
    """Averaged stochastic gradient descent; the average stands in the parameters `ax.*`.

    Args:
        params: Parameters or groups of them.
        lr: > 0.
        lambd: decay of the parameters.
        alpha: power of the rate's decay.
        t0: the step at which averaging begins.
        weight_decay: added to the gradient times the parameter.
        maximize: climb, not descend.

    Raises:
        TypeError: `lambd` or `t0` is no float.
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.ASGD (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 0.01,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        at_least("ASGD", "lr", lr, above=True)
        at_least("ASGD", "weight_decay", weight_decay)
        for name, value in (("lambd", lambd), ("t0", t0)):
            if not isinstance(value, float):
                raise TypeError(f"For 'ASGD', the type of {name} must be float, but got {type(value)}.")
        options = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
        super().__init__(params, {**options, "maximize": maximize})
        self._keep("ax")
        self._count("step_t")
        self.__dict__["_rates"] = {}

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        g = rules.decayed(p, g, group["weight_decay"])
        step = int(self.step_t._data.item())
        eta, mu = self._rates.get(share, (lr, 1.0))
        common.averaged(p, g, share.of(self.ax), eta, group["lambd"], mu)
        self._rates[share] = self._next(group, lr, step)

    def _next(self, group: Group, lr: float, step: int) -> tuple[float, float]:
        """Give the rate of the next step, and how far the average will move."""
        return lr / (1 + group["lambd"] * lr * step) ** group["alpha"], 1 / max(1.0, step - group["t0"])


__all__ = ["ASGD", "SGD", "Rprop"]
