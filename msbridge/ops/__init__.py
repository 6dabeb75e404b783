"""Operators: the functions of every topic, and the primitives derived from them."""

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import lazy_names, names_in
from msbridge.core.tensor import argument_checks
from msbridge.ops import contents, variants
from msbridge.ops.framework.control import functions as control
from msbridge.ops.primitive.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    constexpr,
    prim_attr_register,
)
from msbridge.ops.public_names import FUNCTIONS, PRIMITIVES
from msbridge.ops.tensor_api import tensor_methods

shape = control.shape  # instead of the wing of that name, which imports have put here
_OWN = ["Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr", "prim_attr_register"]
_OPERATIONS = " ".join(names_in(PRIMITIVES | contents.RARE_PRIMITIVES))

__all__ = sorted([*_OWN, *names_in(FUNCTIONS), *names_in(PRIMITIVES)])
__getattr__, __dir__ = lazy_names(
    __name__,
    {**FUNCTIONS, "msbridge.ops.operations": _OPERATIONS},
    modules="operations",
    otherwise=variants.find,
    take=contents.take_published,
)

overrides.follow("core", argument_checks.checking)
overrides.follow("ops", argument_checks.checking)
