"""Optimizers and layers of 1.7."""

import functools
from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.layers.math import ClipByNorm
from msbridge.nn.legacy.r1_10 import Dropout
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.transformer import attention, feed_forward


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


class _Dropout(Dropout):
    """Dropout by the probability to keep, as layers of the Transformer had it."""


def _with_dropouts(layer: Any, *names: str) -> None:
    """Put this class in place of the layer's Dropouts."""
    for name in names:
        layer._cells[name] = _Dropout(layer._cells[name].keep_prob)


@functools.wraps(attention.MultiHeadAttention.__init__)
def _attention(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, whose dropouts are Cells of its own kind."""
    _today_attention(self, *args, **kwargs)
    _with_dropouts(self, "dropout", "prob_dropout")
    for name in ("dense1", "dense2", "dense3"):
        self._cells[name] = self._cells.pop(name)


@functools.wraps(feed_forward.FeedForward.__init__)
def feed_forward_of(self: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the layer, which has Dropouts for three axes and for four, too."""
    _today_feed_forward(self, *args, **kwargs)
    self.dropout_3d, self.dropout_4d = _Dropout(self.dropout.keep_prob), _Dropout(self.dropout.keep_prob)
    _with_dropouts(self, "dropout")


_today_attention, _today_feed_forward = attention.MultiHeadAttention.__init__, feed_forward.FeedForward.__init__
_today_clip = ClipByNorm.construct
_today = Optimizer.get_lr
OVERRIDES = {
    "nn.ClipByNorm.construct": _clip_by_norm,
    "nn.Optimizer.get_lr": _get_lr,
    "nn.Transformer": [
        Part(attention.MultiHeadAttention, "__init__", _attention),
        Part(feed_forward.FeedForward, "__init__", feed_forward_of),
    ],
}
