"""Gradients of operators as operators: `mindspore.ops.operations._grad_ops`."""

from msbridge.ops.contents import merge
from msbridge.ops.gradients import losses, pointwise, shapes, spatial

_PRIMITIVES = merge((losses, pointwise, shapes, spatial))
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
