"""Operators of 1.7: what has no reflected form, and values that a kernel returned in single precision."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.ops import operations


class Unique(operations.Unique):  # type: ignore[misc]
    """Find the distinct elements as today's does; floats become Float32.

    Follows: mindspore.ops.Unique (1.7).
    """

    def __call__(self, x: Tensor) -> Any:
        values, places = super().__call__(x)
        return (values.astype(mstype.float32) if values._data.is_floating_point() else values), places


OVERRIDES: dict[str, Any] = {
    "Tensor.__rpow__": lambda self, other: NotImplemented,
    "ops.Unique": Unique,
}
