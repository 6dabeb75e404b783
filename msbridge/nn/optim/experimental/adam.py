"""Adam and its family, with `param_groups`.

Follows: mindspore.experimental.optim.Adam, AdamW, Adamax, NAdam, RAdam (2.10).
"""

import math
from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.nn.optim import rules as common
from msbridge.nn.optim.experimental import rules
from msbridge.nn.optim.experimental.optimizer import Group, Optimizer, Share, at_least, within
from msbridge.nn.optim.rules import Tensors


class _Moments(Optimizer):
    """State and step counter of Adam and AdamW."""

    def __init__(
        self,
        params: Any,
        lr: float | Tensor,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
        amsgrad: bool,
        maximize: bool,
    ) -> None:
        if lr < 0.0:
            raise ValueError(f"For '{type(self).__name__}', invalid learning rate: {lr}; it must be at least 0.")
        if eps < 0.0:
            raise ValueError(f"For '{type(self).__name__}', invalid epsilon value: {eps}; it must be at least 0.")
        for index in (0, 1):
            if not 0.0 <= betas[index] < 1.0:
                raise ValueError(
                    f"For '{type(self).__name__}', invalid beta parameter at index {index}: {betas[index]}; "
                    "it must be in [0, 1)."
                )
        if weight_decay < 0.0:
            raise ValueError(f"For '{type(self).__name__}', invalid weight_decay value: {weight_decay}.")
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "amsgrad": amsgrad, "maximize": maximize})
        for name in ("exp_avg", "exp_avg_sq", "max_exp_avg_sq"):
            self._keep(name)
        self._count("state_step")

    def _before_step(self) -> None:
        self.state_step._data.add_(1)


class Adam(_Moments):
    """p -= lr·√(1-β2^t) / (1-β1^t)·m / (√v + eps); weight decay is added to the gradient.

    `amsgrad` changes nothing, as in MindSpore 2.10. `eps` is not bias-corrected; torch's is.

    Args:
        params: Parameters or groups of them.
        lr: a number or a 0-d Tensor.
        betas: β1 and β2.
        eps: added below the line.
        weight_decay: added to the gradient times the parameter.
        amsgrad: without effect.
        maximize: climb, not descend.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adam (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        step = int(self.state_step._data.item())
        beta1, beta2 = group["betas"]
        rate = common.bias_corrected(lr, beta1**step, beta2**step)
        moments = share.of(self.exp_avg), share.of(self.exp_avg_sq)
        common.adam(p, g, *moments, rate, beta1, beta2, group["eps"], group["weight_decay"])


class AdamW(_Moments):
    """Adam whose weight decay shrinks the parameters themselves; eps stands beside the corrected √v.

    Args:
        params: Parameters or groups of them.
        lr: a number or a 0-d Tensor.
        betas: β1 and β2.
        eps: added below the line.
        weight_decay: share of `lr` by which parameters shrink.
        amsgrad: divide by the largest v so far.
        maximize: climb, not descend.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.AdamW (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        step = int(self.state_step._data.item())
        beta1, beta2 = group["betas"]
        rules.adamw(
            p,
            g,
            share.of(self.exp_avg),
            share.of(self.exp_avg_sq),
            share.of(self.max_exp_avg_sq) if group["amsgrad"] else None,
            step,
            lr,
            beta1,
            beta2,
            group["eps"],
            group["weight_decay"],
        )


class _Counted(Optimizer):
    """Adam-like rules that count their steps in `step_t`."""

    def __init__(self, params: Any, options: Group, slots: tuple[str, ...]) -> None:
        owner = type(self).__name__
        at_least(owner, "lr", options["lr"], above=True)
        at_least(owner, "eps", options["eps"], above=True)
        at_least(owner, "weight_decay", options["weight_decay"])
        for index, beta in enumerate(options["betas"]):
            within(owner, f"betas[{index}]", beta)
        super().__init__(params, options)
        self._count("step_t")
        for name in slots:
            self._keep(name)

    def _before_step(self) -> None:
        self.step_t._data.add_(1)

    def _step(self) -> int:
        return int(self.step_t._data.item())


class Adamax(_Counted):
    """u = max(β2·u, |g| + eps); p -= lr / (1-β1^t)·m / u.

    Args:
        params: Parameters or groups of them.
        lr: > 0.
        betas: β1 and β2.
        eps: > 0.
        weight_decay: added to the gradient times the parameter.
        maximize: climb, not descend.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adamax (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, options, ("exp_avg", "exp_inf"))

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        beta1, beta2 = group["betas"]
        rate = lr / (1 - beta1 ** self._step())
        g = rules.decayed(p, g, group["weight_decay"])
        rules.adamax(p, g, share.of(self.exp_avg), share.of(self.exp_inf), rate, beta1, beta2, group["eps"])


class NAdam(_Counted):
    """Adam with Nesterov's momentum, whose weight changes with the step.

    Args:
        params: Parameters or groups of them.
        lr: > 0.
        betas: β1 and β2.
        eps: > 0.
        weight_decay: added to the gradient times the parameter.
        momentum_decay: how fast the momentum grows to β1.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.NAdam (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
    ) -> None:
        at_least("NAdam", "momentum_decay", momentum_decay)
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "momentum_decay": momentum_decay}, ("exp_avg", "exp_avg_sq"))
        self.__dict__["_products"] = {}

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        step = self._step()
        beta1, beta2 = group["betas"]

        def weight(at: int) -> float:
            return float(beta1 * (1.0 - 0.5 * 0.96 ** (at * group["momentum_decay"])))

        product = self._products[share] = self._products.get(share, 1.0) * weight(step)
        shares = (
            lr * (1.0 - weight(step)) / (1.0 - product),
            lr * weight(step + 1) / (1.0 - product * weight(step + 1)),
        )
        g = rules.decayed(p, g, group["weight_decay"])
        moments = share.of(self.exp_avg), share.of(self.exp_avg_sq)
        rules.nadam(p, g, *moments, shares, beta1, beta2, group["eps"], 1 - beta2**step)


class RAdam(_Counted):
    """Adam whose rate is rectified while the variance of the step is not known well, and momentum alone at first.

    Args:
        params: Parameters or groups of them.
        lr: > 0.
        betas: β1 and β2.
        eps: > 0.
        weight_decay: added to the gradient times the parameter.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.RAdam (2.10).
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, options, ("exp_avg", "exp_avg_sq"))

    def _update(self, share: Share, group: Group, p: Tensors, g: Tensors, lr: float) -> None:
        step = self._step()
        beta1, beta2 = group["betas"]
        correction = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / correction
        rate = lr / (1 - beta1**step)
        g = rules.decayed(p, g, group["weight_decay"])
        moments = share.of(self.exp_avg), share.of(self.exp_avg_sq)
        if length <= 5.0:
            rules.momentum_only(p, g, *moments, rate, beta1, beta2)
            return
        rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        common.adam(p, g, *moments, rate * math.sqrt(rectified * correction), beta1, beta2, group["eps"], 0.0)


__all__ = ["Adam", "AdamW", "Adamax", "NAdam", "RAdam"]
