"""Primitives that MindSpore keeps for its own modules: `mindspore.ops.operations._inner_ops`."""

from msbridge.contrib.ops.internal import arrays, language, regions, stacks
from msbridge.ops.contents import merge

_PRIMITIVES = merge((arrays, language, regions, stacks))
globals().update(_PRIMITIVES)
globals().update(language.INSTANCES)
__all__ = sorted([*_PRIMITIVES, *language.INSTANCES])
