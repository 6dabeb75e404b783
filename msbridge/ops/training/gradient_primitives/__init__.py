"""Gradients of operators as operators: `mindspore.ops.operations._grad_ops`."""

from msbridge.ops.contents import merge
from msbridge.ops.training.gradient_primitives import (
    convolving,
    gathering,
    losses,
    matrices,
    normalizing,
    pointwise,
    pooling,
    sampling,
    shapes,
    spatial,
)

_TOPICS = (convolving, gathering, losses, matrices, normalizing, pointwise, pooling, sampling, shapes, spatial)
_PRIMITIVES = merge(_TOPICS)
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
