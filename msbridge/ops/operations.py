"""Primitives: the operators as classes, configured once and called often.

Follows: mindspore.ops.operations (2.10).
"""

from msbridge.core.runtime.lazy_names import lazy_names
from msbridge.ops import contents

_PRIMITIVES = contents.gather("primitives")
globals().update(_PRIMITIVES)
__getattr__, __dir__ = lazy_names(__name__, contents.RARE_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
