"""Operators: the functions of every topic, and the primitives derived from them."""

from typing import Any

from msbridge.core.releases import overrides
from msbridge.core.runtime.lazy_names import imported
from msbridge.core.tensor import argument_checks
from msbridge.ops import contents, variants
from msbridge.ops.operations import *
from msbridge.ops.primitive.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    constexpr,
    prim_attr_register,
)
from msbridge.ops.tensor_api import tensor_methods

globals().update(contents.gather("functions"))


def __getattr__(name: str) -> Any:
    if name in contents.rare_primitives():
        return imported(f"msbridge.ops.operations.{name}")
    return variants.find(name)


overrides.follow("core", argument_checks.checking)
overrides.follow("ops", argument_checks.checking)
