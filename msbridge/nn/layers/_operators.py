"""The operators that scripts find in layers, and set strategies on: `net.dense.matmul.shard(((2, 1), (1, 1)))`.

A layer computes with one call of torch. Where several processes divide the network and an operator of a layer has a
strategy, `_by_operators` takes the place of `construct`: the same, operator by operator, as MindSpore computes it.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["is_operator"]

Layer = TypeVar("Layer", bound=type[Cell])


def is_operator(name: str, make: Callable[[Any], Primitive]) -> Callable[[Layer], Layer]:
    """Return a decorator of layers that are one operator, which they have under a name.

    Args:
        name: of the attribute.
        make: makes the operator for a layer.
    """

    def decorate(layer: Layer) -> Layer:
        operator = cached_property(make)
        operator.__set_name__(layer, name)
        setattr(layer, name, operator)

        def by_operator(self: Cell, x: Tensor) -> Any:
            return getattr(self, name)(x)

        layer._by_operators = by_operator  # type: ignore[attr-defined]
        return layer

    return decorate
