"""Adam and its family, with `param_groups`."""

from typing import Any

import torch

from msbridge.core.checks.arguments import in_range
from msbridge.core.parameter.step_scalars import Scalar
from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.checks import GROUPED
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.experimental.optimizer import Group, Optimizer
from msbridge.nn.optim.moments import Moments
from msbridge.ops.training.optimizer_updates import lists, rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Adam", "AdamW", "Adamax", "NAdam", "RAdam"]


class _Adam(Optimizer, Moments):
    """The base of Adam and AdamW: the options, the moments, the number of steps."""

    _leaves_out = True

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


class Adam(_Adam):
    """p -= lr·√(1-β2^t) / (1-β1^t)·m / (√v + eps); weight decay is added to the gradient.

    `amsgrad` changes nothing, as in MindSpore 2.10. `eps` is not bias-corrected; torch's is.

    Args:
        params, lr: as in every experimental optimizer.
        betas: β1 and β2.
        eps: added below the line.
        weight_decay: as in every experimental optimizer.
        amsgrad: without effect.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adam (2.10).
    """

    _is_eps_corrected = False

    def _is_amsgrad(self, bucket: Bucket) -> bool:
        return False


class AdamW(_Adam):
    """Adam whose weight decay shrinks the parameters themselves; eps is added to the corrected √v.

    Args:
        params, lr: as in every experimental optimizer.
        betas: β1 and β2.
        eps: added below the line.
        weight_decay: share of `lr` by which parameters shrink.
        amsgrad: divide by the largest v so far.
        maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.AdamW (2.10).
    """

    _is_decoupled = True
    __init__ = with_defaults(_Adam.__init__, weight_decay=0.01)


class SpeedAdamW(AdamW):
    """AdamW without `amsgrad`, which MindSpore computes in one kernel of the Ascend.

    Raises:
        ValueError: a number is out of range; or, when called, `amsgrad` is set.

    Follows: mindspore.experimental.optim.adamw.SpeedAdamW (2.10), which has no kernel on the CPU.
    """

    def construct(self, gradients: Any) -> Any:
        if any(group["amsgrad"] for group in self.param_groups):
            raise ValueError("For 'SpeedAdamW', amsgrad must be False.")
        return super().construct(gradients)


def prepare_func(lr: Any, weight_decay: Any, state_step: Any, beta1: Any, beta2: Any) -> tuple[Any, Any, Any]:
    """Return the scalars of a step of AdamW: the share that stays of a weight, the step's size and the root below m.

    Follows: mindspore.experimental.optim.adamw.prepare_func (2.10).
    """
    return 1 - lr * weight_decay, lr / (1 - beta1**state_step), (1 - beta2**state_step) ** 0.5


class _Rectified(Optimizer, Moments):
    """Relatives of Adam with rules of their own, which count their steps in `step_t`."""

    _takes_decay = False

    def __init__(self, params: Any, options: Group) -> None:
        owner = type(self).__name__
        GROUPED.above(options["lr"], "lr", owner)
        GROUPED.above(options["eps"], "eps", owner)
        GROUPED.at_least(options["weight_decay"], "weight_decay", owner)
        for index, beta in enumerate(options["betas"]):
            in_range(beta, f"betas[{index}]", owner, 0.0, 1.0)
        super().__init__(params, options)
        self._count("step_t")
        for name in self._moments:
            self._keep(name)


class Adamax(_Rectified):
    """u = max(β2·u, |g| + eps); p -= lr / (1-β1^t)·m / u.

    Args:
        params, lr: as in every experimental optimizer.
        betas: β1 and β2.
        eps: > 0.
        weight_decay, maximize: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

    Raises:
        ValueError: a number is out of range.

    Follows: mindspore.experimental.optim.Adamax (2.10).
    """

    _moments = ("exp_avg", "exp_inf")

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
        super().__init__(params, options)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        m, u = self._means(bucket)
        lr = bucket.lr / (1 - self._powers(bucket)[0])
        rules.adamax(p, g, m, u, lr, self._betas(bucket), self._eps(bucket), is_eps_kept=True)


class NAdam(_Rectified):
    """Adam with Nesterov's momentum, whose weight changes with the step.

    Args:
        params, lr: as in every experimental optimizer.
        betas: β1 and β2.
        eps: > 0.
        weight_decay: as in every experimental optimizer.
        momentum_decay: how fast the momentum grows to β1.

    Inputs, Outputs: as in every experimental optimizer.

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
        GROUPED.at_least(momentum_decay, "momentum_decay", "NAdam")
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "momentum_decay": momentum_decay})

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        betas = self._betas(bucket)

        def weight(step: Scalar) -> Scalar:
            return betas[0] * (1.0 - 0.5 * 0.96 ** (step * bucket.options["momentum_decay"]))

        now, after = weight(bucket.step), weight(bucket.step + 1)
        product = self._carried_scalar(bucket, "product", 1.0) * now
        self._carry(bucket, "product", product)
        shares = bucket.lr * (1.0 - now) / (1.0 - product), bucket.lr * after / (1.0 - product * after)
        m, v = self._means(bucket)
        rules.nadam(p, g, m, v, shares, betas, self._eps(bucket), 1 - self._powers(bucket)[1])


class RAdam(_Rectified):
    """Adam whose rate is rectified while the variance of the step is not known well, and only momentum at first.

    Args:
        params, lr: as in every experimental optimizer.
        betas: β1 and β2.
        eps: > 0.
        weight_decay: as in every experimental optimizer.

    Inputs, Outputs: as in every experimental optimizer.

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
        super().__init__(params, options)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        betas, powers = self._betas(bucket), self._powers(bucket)
        m, v = self._means(bucket)
        longest = 2 / (1 - betas[1]) - 1
        length = longest - 2 * bucket.step * powers[1] / (1 - powers[1])
        plain = bucket.lr / (1 - powers[0])
        is_rectified = length > 5.0
        if isinstance(length, torch.Tensor) or is_rectified:
            factor = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            lr = rules.corrected_rate(bucket.lr * lists.root(factor), powers)
            plain = torch.where(is_rectified, lr, plain) if isinstance(length, torch.Tensor) else lr  # type: ignore[arg-type]
        rules.rectified_adam(p, g, m, v, plain, betas, self._eps(bucket), is_rectified)
