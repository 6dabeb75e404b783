"""Primitives that said an attribute twice in 2.0: by the name of the kernel's argument, too."""

from typing import Any

from msbridge.ops import operations
from msbridge.ops.primitive.primitive import Primitive

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


OVERRIDES = {
    f"ops.{name}": with_second_names(getattr(operations, name), name)
    for name in ("MatMul", "SmoothL1Loss", "Split")  # BatchMatMul is among the products
}
