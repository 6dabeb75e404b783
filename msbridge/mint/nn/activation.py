"""Activation layers under torch's argument names."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.plain import PlainLayer

__all__ = [
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardtanh",
    "LogSigmoid",
    "Mish",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Tanh",
    "Threshold",
]


class ELU(Cell):
    """Return x where it is positive, alpha·(exp(x) - 1) elsewhere.

    Args:
        alpha: the limit is -alpha for x → -∞.
        inplace: write into the input.

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.ELU (2.10).
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.elu(input, self.alpha, self.inplace)


class GELU(Cell):
    """Compute x·Φ(x), Φ the normal distribution function; with `approximate="tanh"` its usual approximation.

    Args:
        approximate: "none" or "tanh".

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.GELU (2.10).
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def construct(self, input: Tensor) -> Tensor:
        return functional.gelu(input, approximate=self.approximate)


class GLU(Cell):
    """Compute the first half along `dim` times the logistic function of the second.

    Follows: mindspore.mint.nn.GLU (2.10).
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, input: Tensor) -> Tensor:
        return functional.glu(input, self.dim)


class Hardtanh(Cell):
    """Clamp x to [min_val, max_val].

    Args:
        min_val: the least value.
        max_val: the largest.
        inplace: write into the input.

    Inputs:
        input: any shape; integers or floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.Hardtanh (2.10).
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.hardtanh(input, self.min_val, self.max_val, self.inplace)


class LogSigmoid(PlainLayer):
    """Compute log(sigmoid(x)).

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.LogSigmoid (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.logsigmoid(input)


class Mish(Cell):
    """Compute x·tanh(softplus(x)).

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.Mish (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.mish(input)


class ReLU6(Cell):
    """Clamp x to [0, 6].

    Args:
        inplace: write into the input.

    Inputs:
        input: any shape; integers or floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.ReLU6 (2.10).
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.relu6(input, self.inplace)


class SELU(Cell):
    """Compute elu(x, 1.67326) times 1.0507.

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.SELU (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.selu(input)


class SiLU(Cell):
    """Compute x·sigmoid(x).

    Args:
        inplace: write into the input.

    Inputs:
        x: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.mint.nn.SiLU (2.10).
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def construct(self, x: Tensor) -> Tensor:
        return functional.silu(x, self.inplace)


class Sigmoid(PlainLayer):
    """Compute 1 / (1 + exp(-x)).

    Inputs:
        input: any shape and dtype.

    Outputs:
        A Tensor of the shape of `input`, of its float dtype; Float32 for integers and bools.

    Follows: mindspore.mint.nn.Sigmoid (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.sigmoid(input)


class SoftmaxExt(Cell):
    """Scale the exponentials so that they sum to one along `dim`; None takes axis 0 of 0, 1 or 3 axes, else 1.

    Args:
        dim: which axis, in [-rank, rank).

    Inputs:
        input: any shape; floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.Softmax (2.10).
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, input: Tensor) -> Tensor:
        return functional.softmax(input, self.dim)

    def _torch_layer(self) -> Any:
        """Return torch's layer, which only warns where no axis is given."""
        return None if self.dim is None else torch.nn.Softmax(self.dim)


class Tanh(PlainLayer):
    """Compute the hyperbolic tangent.

    Inputs:
        input: any shape and dtype.

    Outputs:
        A Tensor of the shape of `input`, of its float dtype; Float32 for integers and bools.

    Follows: mindspore.mint.nn.Tanh (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.tanh(input)


class Threshold(Cell):
    """Return x where it is over `threshold`, `value` elsewhere.

    Args:
        threshold: the limit, exclusive.
        value: what takes the place of the other elements.
        inplace: write into the input.

    Inputs:
        input: any shape; integers or floats.

    Outputs:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.nn.Threshold (2.10).
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.threshold(input, self.threshold, self.value, self.inplace)
