"""Optimizers and layers of 1.7."""

from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.layers.math import ClipByNorm
from msbridge.nn.optim.cells.optimizer import Optimizer


def _get_lr(self: Optimizer) -> Any:
    """Return the learning rate now; one that changes with the steps has one axis."""
    rates = _today(self)
    several = rates if isinstance(rates, tuple) else (rates,)
    shown = tuple(rate if isinstance(rate, Parameter) else rate.reshape((1,)) for rate in several)
    return shown if isinstance(rates, tuple) else shown[0]


def _clip_by_norm(self: ClipByNorm, x: Tensor, clip_norm: Tensor) -> Tensor:
    """Shrink `x`; beside a norm of Float64 the result is Float64."""
    clipped = _today_clip(self, x, clip_norm)
    return wrap(clipped._data.double()) if clip_norm.dtype == mstype.float64 else clipped


_today_clip = ClipByNorm.construct
_today = Optimizer.get_lr
OVERRIDES = {
    "nn.ClipByNorm.construct": _clip_by_norm,
    "nn.Optimizer.get_lr": _get_lr,
}
