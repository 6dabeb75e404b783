"""Adam and its relatives."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.step_scalars import Scalar, scalar_parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.cells.rates import Rate
from msbridge.nn.optim.checks import check_floats, hyperparameter
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.moments import Moments
from msbridge.ops.training.optimizer_updates import lists, rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["AdaMax", "Adam", "AdamOffload", "AdamWeightDecay", "Lamb", "LazyAdam"]


class _Betas(Optimizer, Moments):
    """The Adam family with its options in attributes: two betas and eps."""

    _largest = "vhat"
    use_amsgrad = False
    beta1, beta2, eps = (TensorAttribute() for _ in range(3))

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
        check_floats(owner, beta1=beta1, beta2=beta2, eps=eps)
        self.beta1 = hyperparameter(beta1, "beta1", owner, 0.0, 1.0)
        self.beta2 = hyperparameter(beta2, "beta2", owner, 0.0, 1.0)
        self.eps = hyperparameter(eps, "eps", owner, 0.0)

    def _betas(self, bucket: Bucket) -> tuple[float, float]:
        return self._beta1_number, self._beta2_number

    def _eps(self, bucket: Bucket) -> float:
        return self._eps_number

    def _is_amsgrad(self, bucket: Bucket) -> bool:
        return self.use_amsgrad

    def _keep_moments(self, first: str, second: str, *prefixes: str) -> None:
        self._moments = first, second
        for name, prefix in zip(self._moments, prefixes or self._moments, strict=True):
            self._keep(name, prefix=prefix)


class Adam(_Betas):
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·√(1-β2^t) / (1-β1^t)·m / (√v + eps).

    `eps` is not bias-corrected, other than in torch; weight decay is added to the gradient.

    Args:
        params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay: as in every optimizer.
        loss_scale: as in every optimizer.
        use_amsgrad: divide by the largest v so far.
        kwargs: `use_lazy`, to update only rows with gradients (gradients here are dense, so all rows are updated), and
            `use_offload`, MindSpore's switch for updating on the host (the result is the same).

    Inputs, Outputs: as in every optimizer.

    Raises:
        KeyError: an unknown keyword argument.
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, or switches exclude each other.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="zeros")
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1))
        >>> loss = step(Tensor([[1.0]]), Tensor([[1.0]]))
        >>> round(net.weight.item(), 4)
        0.1

    Follows: mindspore.nn.Adam (2.10).
    """

    _is_eps_corrected = False
    _leaves_out = True
    _power_shape: tuple[int, ...] = ()
    _keeps_largest = False  # whether the largest v is kept where it does not count

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
        **kwargs: bool,
    ) -> None:
        if unknown := kwargs.keys() - {"use_lazy", "use_offload"}:
            raise KeyError(
                f"For '{type(self).__name__}', the keyword arguments {sorted(unknown)} are unknown; besides the named "
                "ones there are 'use_lazy' and 'use_offload'. The rate is called 'learning_rate'."
            )
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        switches = {"use_locking": use_locking, "use_nesterov": use_nesterov, "use_amsgrad": use_amsgrad}
        for name, value in (switches | kwargs).items():
            instance(value, name, type(self).__name__, bool)
        if len(kwargs) == 2 and all(kwargs.values()):
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' can not be both True.")
        if kwargs.get("use_lazy"):
            without_effect("mindspore.nn.Adam.use_lazy", True)
        if use_nesterov and use_amsgrad:
            raise ValueError("For 'Adam', 'use_nesterov' and 'use_amsgrad' can not be both True.")
        self.use_lazy = bool(kwargs.get("use_lazy"))
        self.use_offload = bool(kwargs.get("use_offload"))
        self.use_locking = use_locking
        self.use_nesterov = use_nesterov
        self._leaves_out = not use_nesterov
        self.use_amsgrad = use_amsgrad
        self.beta1_power = scalar_parameter(np.ones(self._power_shape, np.float32), "beta1_power")
        self.beta2_power = scalar_parameter(np.ones(self._power_shape, np.float32), "beta2_power")
        self._keep_moments("moment1", "moment2")
        if use_amsgrad or self._keeps_largest:
            self._keep("vhat")

    def _begin_step(self) -> None:
        super()._begin_step()
        step_scalars.multiply(self.beta1_power, self._beta1_number)
        step_scalars.multiply(self.beta2_power, self._beta2_number)

    def _powers(self, bucket: Bucket) -> tuple[Scalar, Scalar]:
        return self._value(self.beta1_power), self._value(self.beta2_power)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        if not self.use_nesterov:
            super()._update(bucket, p, g)
            return
        g = lists.add_weight_decay(p, g, bucket.decay)
        m, v = self._means(bucket)
        rules.adam_nesterov(p, g, m, v, self._corrected_rate(bucket), self._betas(bucket), self._eps_number)


class LazyAdam(Adam):
    """Adam; with dense gradients, as here, the lazy form is the same.

    Args:
        params, learning_rate, beta1, beta2, eps: as in every optimizer.
        use_locking, use_nesterov, weight_decay, loss_scale: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.LazyAdam (2.10).
    """

    _power_shape = (1,)
    _keeps_largest = False

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
    """Adam; updating on the host, as MindSpore's does, changes nothing.

    Args:
        params, learning_rate, beta1, beta2, eps: as in every optimizer.
        use_locking, use_nesterov, weight_decay, loss_scale: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.AdamOffload (2.10).
    """


class AdamWeightDecay(_Betas):
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr·(m / (√v + eps) + decay·p): without bias correction.

    Args:
        params, learning_rate, beta1, beta2, eps: as in every optimizer.
        weight_decay: decoupled from the gradient.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.AdamWeightDecay (2.10).
    """

    _support_parallel_optimizer = True
    beta1, beta2, eps = (TensorAttribute((1,)) for _ in range(3))

    _is_decoupled = True
    _is_eps_corrected = False
    _leaves_out = True

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
        self._keep_moments("moments1", "moments2", "adam_m", "adam_v")

    def _corrected_rate(self, bucket: Bucket) -> Scalar:
        return bucket.lr


class AdaMax(_Betas):
    """m = β1·m + (1-β1)·g; v = max(β2·v, |g|); p -= lr / (1-β1^t)·m / (v + eps).

    Args:
        params, learning_rate, beta1, beta2: as in every optimizer.
        eps: added to v, > 0.
        weight_decay, loss_scale: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.AdaMax (2.10).
    """

    _takes_decay = False

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
        self.beta1_power = scalar_parameter(np.ones(1, np.float32), "beta1_power")
        self._keep_moments("moment1", "moment2")

    def _begin_step(self) -> None:
        super()._begin_step()
        step_scalars.multiply(self.beta1_power, self._beta1_number)

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        lr = bucket.lr / (1 - self._value(self.beta1_power))
        m, u = self._means(bucket)
        rules.adamax(p, g, m, u, lr, self._betas(bucket), self._eps_number, is_eps_kept=False)


class Lamb(_Betas):
    """Adam's step with decoupled decay, rescaled per parameter to the norm of the parameter.

    Args:
        params, learning_rate, beta1, beta2, eps: as in every optimizer.
        weight_decay: decoupled from the gradient: times the parameter it is added to the step.

    Inputs, Outputs: as in every optimizer.

    Follows: mindspore.nn.Lamb (2.10).
    """

    _always_counts = True
    _support_parallel_optimizer = True
    beta1, beta2, eps = (TensorAttribute((1,)) for _ in range(3))

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
        self._keep_moments("moments1", "moments2", "lamb_m", "lamb_v")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        m, v = self._means(bucket)
        beta1_power, beta2_power = self._powers(bucket)
        biases = 1 - beta1_power, 1 - beta2_power
        rules.lamb(p, g, m, v, bucket.lr, self._betas(bucket), self._eps_number, bucket.decay, biases)
