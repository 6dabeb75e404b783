"""Operators: the functions of every topic, and the primitives derived from them."""

from msbridge.core import asking, earlier, former_gradients, formerly, wording
from msbridge.ops import contents, tensor_methods
from msbridge.ops.operations import *
from msbridge.ops.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    constexpr,
    prim_attr_register,
)
from msbridge.ops.variants import __getattr__

globals().update(contents.gather("functions"))


def _earlier() -> list[earlier.Earlier]:
    from msbridge.core import oldest as core_oldest
    from msbridge.core.jit import former
    from msbridge.ops import first_names, former_attributes, oldest

    parts = [row for module in contents.files("earlier") for row in module.ROWS]
    rows = [
        *formerly.ROWS,
        *former_gradients.ROWS,
        *former.ROWS,
        *former_attributes.rows(),
        *core_oldest.ROWS,
        *wording.rows("ops", "core"),
        *parts,
        *oldest.ROWS,
        *first_names.ROWS,
    ]
    return [*rows, *asking.rows("ops", rows)]


earlier.follow(_earlier)
