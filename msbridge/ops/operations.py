"""Primitives: the operators as classes, configured once and called often.

Follows: mindspore.ops.operations (2.10).
"""

from msbridge.ops import contents

_PRIMITIVES = contents.gather("primitives")
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
