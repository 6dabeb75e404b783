"""Primitives that said an attribute twice in 2.0: by the name of the kernel's argument, too."""

from collections.abc import Mapping
from typing import Any

from msbridge.core.releases.overrides import Earlier
from msbridge.ops import operations
from msbridge.ops.primitive.primitive import Primitive

_TWICE = {
    "BatchMatMul": {"adj_x1": "transpose_a", "adj_x2": "transpose_b"},
    "MatMul": {"transpose_x1": "transpose_a", "transpose_x2": "transpose_b"},
    "SmoothL1Loss": {"sigma": "beta"},
    "Split": {"num_split": "output_num"},
}


def saying_twice(kind: type[Primitive], names: Mapping[str, str]) -> type[Primitive]:
    """Return a primitive that also has attributes under second names: second name → first."""

    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        kind.__init__(self, *args, **kwargs)
        for second, first in names.items():
            self.add_prim_attr(second, self.attrs[first])

    return type(kind.__name__, (kind,), {"__init__": construct, "__module__": kind.__module__, "__doc__": kind.__doc__})


def rows() -> list[Earlier]:
    """Return the primitives as they were."""
    return [
        Earlier(f"ops.{name}", "2.3", saying_twice(getattr(operations, name), names)) for name, names in _TWICE.items()
    ]
