"""Operators: the functions of every topic, and the primitives derived from them."""

from msbridge.core.legacy import argument_checks
from msbridge.core.releases import overrides
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

overrides.follow("core", argument_checks.checking)
overrides.follow("ops", argument_checks.checking)
