"""Activation layers that let positive elements pass: ReLU and its variants."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import number, positive_int
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.layers._operators import is_operator
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops import operations
from msbridge.ops.elementwise.activation import functions as activation

__all__ = [
    "CELU",
    "ELU",
    "LeakyReLU",
    "PReLU",
    "PReLUExt",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
]


@is_operator("relu", lambda layer: operations.ReLU())
class ReLU(PlainLayer):
    """Compute max(0, x).

    Inputs, Outputs: elementwise, real -> same.

    Examples:
        >>> print(nn.ReLU()(Tensor([-1.0, 0.0, 2.0])))
        [0. 0. 2.]

    Follows: mindspore.nn.ReLU (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return activation.relu(input)


@is_operator("relu6", lambda layer: operations.ReLU6())
class ReLU6(PlainLayer):
    """Compute min(max(0, x), 6).

    Inputs, Outputs: elementwise, real -> number.

    Follows: mindspore.nn.ReLU6 (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.relu6(x)


class LeakyReLU(Cell):
    """Return x where it is positive, `alpha` times x elsewhere.

    Args:
        alpha: the slope of negative x.

    Inputs, Outputs: elementwise, real -> same.

    Examples:
        >>> print(nn.LeakyReLU(0.5)(Tensor([-1.0, 0.0, 2.0])))
        [-0.5  0.   2. ]

    Follows: mindspore.nn.LeakyReLU (2.10).
    """

    def __init__(self, alpha: float | Tensor = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return activation.leaky_relu(x, self.alpha)


class RReLU(Cell):
    """Return x where it is positive, else x times a slope drawn from [lower, upper).

    Args:
        lower: the smallest slope.
        upper: the largest slope, at least `lower`.

    Inputs, Outputs: elementwise, real -> same.

    Raises:
        ValueError: `lower` is over `upper`.

    Follows: mindspore.nn.RReLU (2.10).
    """

    lower, upper = TensorAttribute(), TensorAttribute()

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> None:
        super().__init__()
        for name, value in (("lower", lower), ("upper", upper)):
            number(value, name, "RReLU")
        if lower > upper:
            raise ValueError(f"For 'RReLU', 'lower' must be at most 'upper', but got {lower} and {upper}.")
        self.lower = lower
        self.upper = upper

    def construct(self, x: Tensor) -> Tensor:
        return activation.rrelu(x, self._lower_number, self._upper_number)


class PReLU(Cell):
    """Return x where it is positive, `w` times x elsewhere; `w` is trained.

    Args:
        channel: how many values `w` has: 1, or the length of the input's axis 1.
        w: what they start from.

    Inputs, Outputs: elementwise, float -> same.

    Raises:
        TypeError: `w` is of another type.
        ValueError: `channel` is not positive, or not the length of `w`.

    Follows: mindspore.nn.PReLU (2.10).
    """

    def __init__(self, channel: int = 1, w: float | Sequence[float] | Tensor = 0.25) -> None:
        super().__init__()
        positive_int(channel, "channel", "PReLU")
        if isinstance(w, float | np.floating):
            values: Any = Tensor([float(w)] * channel, mstype.float32)
        elif isinstance(w, list | Tensor):
            values = Tensor(w) if isinstance(w, Tensor) else Tensor(w, mstype.float32)
        else:
            raise TypeError(f"For 'PReLU', the 'w' must be a float, list or Tensor, but got {type(w).__name__}.")
        if values.shape != (channel,):
            raise ValueError(f"For 'PReLU', the length of 'w' must be 'channel' ({channel}), but got {values.shape}.")
        self.w = Parameter(values, name="a")

    def construct(self, x: Tensor) -> Tensor:
        return activation.prelu(x, self.w)


class PReLUExt(Cell):
    """Return x where it is positive, `weight` times x elsewhere.

    Args:
        num_parameters: how many values `weight` has: 1, or the length of the input's axis 1.
        init: what they start from.
        dtype: of `weight`; None for Float32.

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.mint.nn.PReLU (2.10).
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Type | None = None) -> None:
        super().__init__()
        values = Tensor([init] * num_parameters, mstype.float32 if dtype is None else dtype)
        self.weight = Parameter(values, name="weight")

    def construct(self, input: Tensor) -> Tensor:
        return activation.prelu(input, self.weight)


@is_operator("elu", lambda layer: operations.Elu(layer.alpha))
class ELU(Cell):
    """Return x where it is positive, alpha·(exp(x) - 1) elsewhere.

    Args:
        alpha: minus the limit of negative x.

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.ELU (2.10).
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return activation.elu(x, self.alpha)


class CELU(Cell):
    """Compute max(0, x) + min(0, alpha·(exp(x / alpha) - 1)).

    Args:
        alpha: minus the limit of negative x, not 0.

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.CELU (2.10).
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return activation.celu(x, self.alpha)


class SeLU(PlainLayer):
    """Compute elu(x, 1.67326) times 1.0507.

    Inputs, Outputs: elementwise, real number -> same.

    Follows: mindspore.nn.SeLU (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.selu(input_x)
