"""LARS: another optimizer, whose gradients are scaled parameter by parameter."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.skipping import SKIPPING
from msbridge.ops.training.optimizer_updates import rules

__all__ = ["LARS"]


def _is_scaled(parameter: Parameter) -> bool:
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


class LARS(Optimizer):
    """Scales the gradient of each parameter to its norm, then lets another optimizer update.

    g = λ·(g + decay·p) with λ = coefficient·|p| / (|g| + decay·|p| + epsilon). The weight decay is that of the other
    optimizer, which then decays no more itself.

    Args:
        optimizer: what updates.
        epsilon: added below the line.
        coefficient: how far a step goes in relation to |p|.
        use_clip: λ is divided by the learning rate, and at most 1.
        lars_filter: says of a Parameter whether its gradient is scaled; by default, those of biases and LayerNorm are
            not.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: λ is to be clipped, and groups have learning rates that change.

    Follows: mindspore.nn.LARS (2.10).
    """

    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-5,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Callable[[Parameter], bool] = _is_scaled,
    ) -> None:
        super().__init__(0.0, [Parameter(Tensor(0.0), name="fake_param")])
        instance(optimizer, "optimizer", "LARS", Optimizer)
        self.epsilon = instance(epsilon, "epsilon", "LARS", float)
        self.coefficient = instance(coefficient, "coefficient", "LARS", float)
        self.use_clip = instance(use_clip, "use_clip", "LARS", bool)
        if use_clip and optimizer.is_group_lr and optimizer.dynamic_lr:
            raise ValueError(
                "For 'LARS', if the argument 'use_clip' is set to True, then the dynamic learning rate and group "
                "learning rate cannot both be true."
            )
        self.opt = optimizer
        self.global_step = optimizer.global_step
        optimizer._counter = "global_step"
        self.learning_rate = scalar_parameter(np.float32(0.0), "fake_lr")
        self.parameters = optimizer.parameters
        self.lars_flag = tuple(map(lars_filter, self.parameters))
        for name in ("weight_decay", "decay_flags", "dynamic_weight_decay", "is_group", "is_group_lr", "dynamic_lr"):
            setattr(self, name, getattr(optimizer, name))
        for name in ("need_scale", "reciprocal_scale", "loss_scale", "param_length"):
            setattr(self, name, getattr(optimizer, name))
        self.__dict__["_decays"] = [bucket.options["weight_decay"] for bucket in optimizer._buckets]
        for bucket in optimizer._buckets:
            bucket.options = {**bucket.options, "weight_decay": 0.0}
        optimizer.decay_flags = (False,) * len(optimizer.decay_flags)
        optimizer.dynamic_weight_decay = optimizer.exec_weight_decay = False
        optimizer.need_scale = False

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update all parameters from their gradients.

        Args:
            gradients: one per parameter of the other optimizer.

        Returns:
            What the other optimizer does.
        """
        optimizer = self.opt
        self._has_tensors = step_scalars.are_tensors(self.parameters[0]._data.device)
        scaled = list(self.scale_grad(gradients))
        for bucket, decay in zip(optimizer._buckets, self._decays, strict=True):
            positions = range(len(scaled)) if bucket.indices is None else bucket.indices
            chosen = [position for position in positions if self.lars_flag[position]]
            if not chosen:
                continue
            p = [self.parameters[position]._data for position in chosen]
            g = [scaled[position]._data for position in chosen]
            rate = self._value(bucket.rate, self.global_step, is_scalar=True) if self.use_clip else None
            found = self._value(decay, self.global_step) / self.loss_scale
            changed = rules.lars(p, g, found, self.coefficient, self.epsilon, rate)
            for position, data in zip(chosen, changed, strict=True):
                scaled[position] = wrap(data)
        return optimizer(scaled)


SKIPPING.add(LARS.construct)
