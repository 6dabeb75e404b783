"""Primitives that MindSpore keeps for its own modules: `mindspore.ops.operations._inner_ops`."""

from msbridge.ops.contents import merge
from msbridge.ops.framework.internal import arrays, language, regions, stacks

_PRIMITIVES = merge((arrays, language, regions, stacks))
globals().update(_PRIMITIVES)
globals().update(language.INSTANCES)
__all__ = sorted([*_PRIMITIVES, *language.INSTANCES])
