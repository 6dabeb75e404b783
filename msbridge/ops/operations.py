"""Primitives: the operators as classes, configured once and called often.

Follows: mindspore.ops.operations (2.10).
"""

from msbridge.core.runtime.lazy_names import lazy_names, names_in
from msbridge.ops.contents import RARE_PRIMITIVES, take_published
from msbridge.ops.public_names import PRIMITIVES

__all__ = names_in(PRIMITIVES)
__getattr__, __dir__ = lazy_names(__name__, PRIMITIVES | RARE_PRIMITIVES, take=take_published)
