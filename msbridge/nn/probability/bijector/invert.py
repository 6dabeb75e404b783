"""The inverse of another bijector."""

from msbridge.core.checks.arguments import instance
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.probability._base.transforming import Bijector

__all__ = ["Invert"]


class Invert(Bijector):
    """Swap the directions of a bijector.

    Args:
        bijector: what is inverted.
        name: of this one; "Invert" before the other's name when it is empty.

    Raises:
        TypeError: `bijector` is not one.

    Follows: mindspore.nn.probability.bijector.Invert (2.10).
    """

    def __init__(self, bijector: Bijector, name: str = "") -> None:
        instance(bijector, "bijector", "Invert", Bijector)
        name = name or "Invert" + bijector.name
        super().__init__(
            is_constant_jacobian=bijector.is_constant_jacobian,
            is_injective=bijector.is_injective,
            name=name,
            dtype=bijector.dtype,
            param={"bijector": bijector, "name": name},
        )
        self._bijector = bijector
        self._batch_shape = bijector.batch_shape
        self._is_scalar_batch = bijector.is_scalar_batch

    bijector: Bijector = read_only("_bijector", "The bijector that is inverted.")

    def forward(self, x: Tensor) -> Tensor:
        return self.bijector("inverse", x)

    def inverse(self, y: Tensor) -> Tensor:
        return self.bijector("forward", y)

    def forward_log_jacobian(self, x: Tensor) -> Tensor:
        return self.bijector("inverse_log_jacobian", x)

    def inverse_log_jacobian(self, y: Tensor) -> Tensor:
        return self.bijector("forward_log_jacobian", y)
