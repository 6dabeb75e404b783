"""Adam and its relatives.

Follows: mindspore.nn.Adam, AdamWeightDecay, AdaMax, LazyAdam, AdamOffload, Lamb (2.10).
"""

from typing import Any

import numpy as np
import torch

from msbridge.nn.cell import Cell
from msbridge.nn.optim import rules
from msbridge.nn.optim.cells.optimizer import Optimizer, Rate, _Bucket, check_range, host_parameter
from msbridge.nn.optim.rules import Tensors


class _Moments(Optimizer):
    """What the Adam family shares: two betas and eps."""

    def __init__(
        self,
        params: Any,
        learning_rate: Rate,
        beta1: float,
        beta2: float,
        eps: float,
        weight_decay: float | Cell,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        owner = type(self).__name__
        self.beta1 = check_range(owner, "beta1", beta1, 0.0, 1.0)
        self.beta2 = check_range(owner, "beta2", beta2, 0.0, 1.0)
        self.eps = check_range(owner, "eps", eps, 0.0, float("inf"))


class Adam(_Moments):
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·√(1-β2^t) / (1-β1^t)·m / (√v + eps).

    `eps` is not bias-corrected, other than in torch; weight decay is added to the gradient.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        beta1: decay of the first moment, in (0, 1).
        beta2: decay of the second moment, in (0, 1).
        eps: added to the root, > 0.
        use_locking: kept for scripts that set it; updates never run beside each other here.
        use_nesterov: look one step ahead.
        weight_decay: added to the gradient times the parameter.
        loss_scale: gradients are divided by it.
        use_amsgrad: divide by the largest v so far.
        use_lazy: update only rows with gradients; gradients here are dense, so all rows are updated.
        use_offload: MindSpore's switch for updating on the host; the result is the same.

    Raises:
        ValueError: a number is out of range, or switches exclude each other.

    Follows: mindspore.nn.Adam (2.10).
    """

    _power_shape: tuple[int, ...] = ()

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float | Cell = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        *,
        use_lazy: bool = False,
        use_offload: bool = False,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        if use_lazy and use_offload:
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' can not be both True.")
        if use_nesterov and use_amsgrad:
            raise ValueError("For 'Adam', 'use_nesterov' and 'use_amsgrad' can not be both True.")
        self.use_nesterov = use_nesterov
        self.use_amsgrad = use_amsgrad
        self.beta1_power = host_parameter(np.ones(self._power_shape, np.float32), "beta1_power")
        self.beta2_power = host_parameter(np.ones(self._power_shape, np.float32), "beta2_power")
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")
        if use_amsgrad:
            self.vhat = self.parameters.clone(prefix="vhat", init="zeros")

    def _before_step(self) -> None:
        self.beta1_power._data.mul_(self.beta1)
        self.beta2_power._data.mul_(self.beta2)

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        lr = rules.bias_corrected(lr, self.beta1_power._data.item(), self.beta2_power._data.item())
        m, v = bucket.of(self.moment1), bucket.of(self.moment2)
        if self.use_nesterov:
            if decay:
                g = torch._foreach_add(g, p, alpha=decay)
            rules.adam_nesterov(p, g, m, v, lr, self.beta1, self.beta2, self.eps)
            return
        largest = bucket.of(self.vhat) if self.use_amsgrad else None
        rules.adam(p, g, m, v, lr, self.beta1, self.beta2, self.eps, decay, largest)


class LazyAdam(Adam):
    """Adam; with dense gradients, as here, the lazy form is the same.

    Follows: mindspore.nn.LazyAdam (2.10).
    """

    _power_shape = (1,)

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float | Cell = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamOffload(LazyAdam):
    """Adam; updating on the host, as MindSpore's does, gives the same.

    Follows: mindspore.nn.AdamOffload (2.10).
    """


class AdamWeightDecay(_Moments):
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·(m / (√v + eps) + decay·p): without bias correction.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        beta1: decay of the first moment, in (0, 1).
        beta2: decay of the second moment, in (0, 1).
        eps: added to the root, > 0.
        weight_decay: decoupled from the gradient.

    Follows: mindspore.nn.AdamWeightDecay (2.10).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)
        self.moments1 = self.parameters.clone(prefix="adam_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="adam_v", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        m, v = bucket.of(self.moments1), bucket.of(self.moments2)
        rules.adam_decoupled(p, g, m, v, lr, self.beta1, self.beta2, self.eps, decay)


class AdaMax(_Moments):
    """m = β1·m + (1-β1)·g; v = max(β2·v, |g|); p -= lr / (1-β1^t)·m / (v + eps).

    Follows: mindspore.nn.AdaMax (2.10).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-08,
        weight_decay: float | Cell = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.beta1_power = host_parameter(np.ones(1, np.float32), "beta1_power")
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")

    def _before_step(self) -> None:
        self.beta1_power._data.mul_(self.beta1)

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        lr /= 1 - self.beta1_power._data.item()
        rules.adamax(p, g, bucket.of(self.moment1), bucket.of(self.moment2), lr, self.beta1, self.beta2, self.eps)


class Lamb(_Moments):
    """Adam's step with decoupled decay, rescaled per parameter to the norm of the parameter.

    Follows: mindspore.nn.Lamb (2.10).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Rate,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)
        self.moments1 = self.parameters.clone(prefix="lamb_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="lamb_v", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        step = int(self.global_step._data.item()) + 1
        m, v = bucket.of(self.moments1), bucket.of(self.moments2)
        rules.lamb(p, g, m, v, lr, self.beta1, self.beta2, self.eps, decay, step)


__all__ = ["AdaMax", "Adam", "AdamOffload", "AdamWeightDecay", "Lamb", "LazyAdam"]
