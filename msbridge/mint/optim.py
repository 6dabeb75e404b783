"""Optimizers with torch's update rules; their options are in `param_groups`."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import Style, instance
from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.checks import check_nesterov
from msbridge.nn.optim.engine import Bucket
from msbridge.nn.optim.experimental.optimizer import Optimizer
from msbridge.nn.optim.moments import Moments
from msbridge.ops.training.optimizer_updates import descents
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]

_STYLE = Style(
    of_bool="{the} type of '{name}' should be 'bool', but got '{kind}'.",
    of_number="{the} type of '{name}' should be 'float', but got '{kind}'.",
    bound="{the} '{name}' must be at least 0, but got {value}.",
)


class _Adam(Optimizer, Moments):
    """The base of Adam and AdamW: the options, both moments, the number of steps.

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

    _leaves_out = True
    _start = 0

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
        owner = type(self).__name__
        instance(betas, "betas", owner, (tuple, list))
        if len(betas) != 2:
            raise ValueError(f"For '{owner}', the betas must be two, but got {betas!r}.")
        for name, value in (("eps", eps), ("weight_decay", weight_decay), ("lr", lr)):
            _STYLE.number(value, name, owner)
        for name, flag in (("amsgrad", amsgrad), ("maximize", maximize)):
            _STYLE.boolean(flag, name, owner)
        for name, value in (("lr", lr), ("eps", eps), ("weight_decay", weight_decay)):
            _STYLE.at_least(value, name, owner)
        for index, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"For '{owner}', the beta at index {index} must be in [0, 1), but got {beta}.")
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "amsgrad": amsgrad, "maximize": maximize})
        self._keep("exp_avg")
        self._keep("exp_avg_sq")
        if any(group["amsgrad"] for group in self.param_groups):
            self._keep("max_exp_avg_sq")
        self._count("state_step", np.full(1, self._start, np.float32))


class Adam(_Adam):
    """m = β1·m + (1-β1)·g'; v = β2·v + (1-β2)·g'²; p -= lr·m̂ / (√v̂ + eps), with g' = g + weight_decay·p.

    Args:
        params: Parameters or groups of them.
        lr: at least 0; a Tensor of shape () as well.
        betas: decays of the first and the second moment, in [0, 1).
        eps: keeps the divisor from 0.
        weight_decay: how much parameters are pulled to 0.
        amsgrad: divide by the largest second moment so far.
        maximize: climb, not descend.

    Inputs:
        gradients: one for each parameter, of its shape.

    Outputs:
        True when the parameters are updated.

    Follows: mindspore.mint.optim.Adam (2.10).
    """


class AdamW(_Adam):
    """Adam whose weight decay shrinks the parameters themselves: p = p·(1 - lr·weight_decay) first.

    Args:
        params: Parameters or groups of them.
        lr: at least 0; a Tensor of shape () as well.
        betas: decays of the first and the second moment, in [0, 1).
        eps: keeps the divisor from 0.
        weight_decay: how much parameters are pulled to 0.
        amsgrad: divide by the largest second moment so far.
        maximize: climb, not descend.

    Inputs:
        gradients: one for each parameter, of its shape.

    Outputs:
        True when the parameters are updated.

    Follows: mindspore.mint.optim.AdamW (2.10).
    """

    _is_decoupled = True
    _start = -1  # what checkpoints of MindSpore hold before the first step
    __init__ = with_defaults(_Adam.__init__, weight_decay=0.01)


class FusedAdamW(AdamW):
    """AdamW; here every optimizer updates all parameters of a group together.

    Args:
        params: Parameters or groups of them.
        lr: at least 0; a Tensor of shape () as well.
        betas: decays of the first and the second moment, in [0, 1).
        eps: keeps the divisor from 0.
        weight_decay: how much parameters are pulled to 0.
        amsgrad: divide by the largest second moment so far.
        maximize: climb, not descend.

    Inputs:
        gradients: one for each parameter, of its shape.

    Outputs:
        True when the parameters are updated.

    Follows: mindspore.mint.optim.FusedAdamW (2.10).
    """


class SGD(Optimizer):
    """p -= lr·g'; with momentum v = momentum·v + (1 - dampening)·g', and v = g' in the first step; p -= lr·v.

    Args:
        params: Parameters or groups of them.
        lr: at least 0; a Tensor of shape () as well.
        momentum: at least 0.
        dampening: share of the gradient that momentum leaves out.
        weight_decay: added to the gradient times the parameter: g' = g + weight_decay·p.
        nesterov: look one step ahead; needs momentum > 0 and no dampening.
        maximize: climb, not descend.

    Inputs:
        gradients: one for each parameter, of its shape.

    Outputs:
        True when the parameters are updated.

    Raises:
        TypeError: an option has another type.
        ValueError: a number is out of range, or there are no parameters.

    Follows: mindspore.mint.optim.SGD (2.10).
    """

    _leaves_out = True
    _takes_decay = True

    def __init__(
        self,
        params: Any,
        lr: float | Tensor,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        numbers = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
        for name, value in numbers.items():
            if name != "lr" or not isinstance(value, Tensor):
                _STYLE.at_least(_STYLE.number(value, name, "SGD"), name, "SGD")
        for name, flag in (("nesterov", nesterov), ("maximize", maximize)):
            _STYLE.boolean(flag, name, "SGD")
        check_nesterov(nesterov, momentum, dampening)
        super().__init__(params, {**numbers, "dampening": dampening, "nesterov": nesterov, "maximize": maximize})
        self._keep("momentum_buf")
        self._count("step_t")

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        options = bucket.options
        if not options["momentum"]:
            descents.descent(p, g, bucket.lr, bucket.decay, bucket.overflow)
            return
        dampening = bucket.but_first(float(options["dampening"]))
        mu, nesterov, v = options["momentum"], options["nesterov"], bucket.of(self.momentum_buf)
        descents.momentum(p, g, v, bucket.lr, mu, bucket.decay, nesterov, dampening, bucket.overflow)
