"""Primitives of 2.0: attributes with the names of the kernel's arguments, too; calls without names; an older base."""

import inspect
from typing import Any

from msbridge.ops import operations
from msbridge.ops.primitive.primitive import Primitive, PrimitiveWithInfer

_TWICE = {
    "BatchMatMul": {"adj_x1": "transpose_a", "adj_x2": "transpose_b"},
    "MatMul": {"transpose_x1": "transpose_a", "transpose_x2": "transpose_b"},
    "SmoothL1Loss": {"sigma": "beta"},
    "Split": {"num_split": "output_num"},
}


def with_second_names(kind: type[Primitive], name: str) -> type[Primitive]:
    """Return a primitive that also has attributes under second names."""

    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        kind.__init__(self, *args, **kwargs)
        for second, first in _TWICE[name].items():
            self.add_prim_attr(second, self.attrs[first])

    return type(name, (kind,), {"__init__": construct, "__module__": kind.__module__, "__doc__": kind.__doc__})


def without_input_names(kind: type[Primitive]) -> type[Primitive]:
    """Return a primitive whose calls show no names of inputs."""
    shown = {"_signature_of_call": lambda self: inspect.signature(lambda *args: None)}
    return type(kind.__name__, (kind,), {**shown, "__module__": kind.__module__, "__doc__": kind.__doc__})


def with_infer(kind: type[Primitive]) -> type[Primitive]:
    """Return a primitive that is a `PrimitiveWithInfer`."""
    return type(kind.__name__, (kind, PrimitiveWithInfer), {"__module__": kind.__module__, "__doc__": kind.__doc__})


OVERRIDES = {
    f"ops.{name}": with_second_names(getattr(operations, name), name)
    for name in ("SmoothL1Loss", "Split")  # BatchMatMul is among the products
} | {
    "ops.MatMul": without_input_names(with_second_names(operations.MatMul, "MatMul")),
    **{f"ops.{name}": with_infer(getattr(operations, name)) for name in ("Add", "Mul", "Sub")},
}
