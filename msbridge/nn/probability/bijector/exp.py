"""The exponential function."""

from msbridge.nn.probability.bijector.power_transform import PowerTransform

__all__ = ["Exp"]


class Exp(PowerTransform):
    """Compute exp(x).

    Args:
        name: of the bijector.

    Follows: mindspore.nn.probability.bijector.Exp (2.10).
    """

    def __init__(self, name: str = "Exp") -> None:
        super().__init__(name=name)

    def extend_repr(self) -> str:
        return "exp"
