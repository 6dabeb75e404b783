"""Primitives of THOR: `mindspore.ops.operations._thor_ops`."""

from msbridge.contrib.ops.second_order import primitives
from msbridge.ops.contents import published_names

globals().update(published_names(primitives))
__all__ = sorted(published_names(primitives))
