"""Operators: the functions of every topic, and the primitives derived from them."""

from msbridge.core.legacy import argument_checks, r2_gradients, r2_tensors
from msbridge.core.releases import overrides, signature_overrides
from msbridge.ops import contents
from msbridge.ops.operations import *
from msbridge.ops.primitive.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    constexpr,
    prim_attr_register,
)
from msbridge.ops.tensor_api import tensor_methods
from msbridge.ops.variants import __getattr__

globals().update(contents.gather("functions"))


def _earlier() -> list[overrides.Earlier]:
    from msbridge.core.legacy import r1_0 as core_oldest
    from msbridge.core.legacy import r2_jit
    from msbridge.ops.legacy import r1_0, r1_0_names, r2_0_attributes

    parts = [row for module in contents.files("earlier") for row in module.ROWS]
    rows = [
        *r2_tensors.ROWS,
        *r2_gradients.ROWS,
        *r2_jit.ROWS,
        *r2_0_attributes.rows(),
        *core_oldest.ROWS,
        *signature_overrides.rows("ops", "core"),
        *parts,
        *r1_0.ROWS,
        *r1_0_names.ROWS,
    ]
    return [*rows, *argument_checks.rows("ops", rows)]


overrides.follow(_earlier)
