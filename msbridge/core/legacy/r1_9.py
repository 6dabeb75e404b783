"""Gradients of 1.9: of the weights of a ParameterTuple, or of all."""

from collections.abc import Callable
from typing import Any

from msbridge.core.autograd.grad import GradOperation
from msbridge.core.parameter.parameter import ParameterTuple
from msbridge.core.releases.overrides import Part


def _differentiate(self: GradOperation, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
    """Return the gradient function of `fn`; weights in anything but a ParameterTuple count for none."""
    return _today(self, fn, weights if isinstance(weights, ParameterTuple) else None)


_today = GradOperation.__call__
OVERRIDES = {"ops.GradOperation": Part(GradOperation, "__call__", _differentiate)}
