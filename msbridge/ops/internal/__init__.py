"""Primitives that MindSpore keeps for its own modules: `mindspore.ops.operations._inner_ops`."""

from msbridge.ops.contents import merge
from msbridge.ops.internal import arrays, language, stacks

_PRIMITIVES = merge((arrays, language, stacks))
globals().update(_PRIMITIVES)
globals().update(language.INSTANCES)
__all__ = sorted([*_PRIMITIVES, *language.INSTANCES])
