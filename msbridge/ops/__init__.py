"""Operators: the functions of every topic, and the primitives derived from them."""

from msbridge.core import earlier
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
earlier.follow(lambda: (row for module in contents.files("earlier") for row in module.ROWS))
