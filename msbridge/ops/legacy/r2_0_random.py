"""Random numbers as they were: seeds were inputs."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.primitive.primitive import Primitive
from msbridge.ops.random.distributions import functions


class RandpermV2(Primitive):
    """Return 0 … n-1 in random order.

    Args:
        dtype: of the result.

    Follows: mindspore.ops.RandpermV2 (2.0).
    """

    dtype: Type

    def __init__(self, dtype: Type = int64) -> None:
        super().__init__("RandpermV2")
        self.add_prim_attr("dtype", dtype)

    def __call__(self, n: Any, seed: Any, offset: Any) -> Tensor:
        """Draw."""
        return functions.randperm(int(n), int(seed), int(offset), self.dtype)


OVERRIDES = {"Tensor.bernoulli": functions.bernoulli, "ops.RandpermV2": RandpermV2}
