"""Primitives of THOR: `mindspore.ops.operations._thor_ops`."""

from msbridge.contrib.ops.second_order import primitives
from msbridge.ops.contents import list_published_names

globals().update(list_published_names(primitives))
__all__ = sorted(list_published_names(primitives))
