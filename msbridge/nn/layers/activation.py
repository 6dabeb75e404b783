"""Activation layers, and the table of their names.

Follows: mindspore.nn.layer.activation (2.10).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from msbridge.core import dtype as mstype
from msbridge.core.arguments import boolean
from msbridge.core.dtype import Type
from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell
from msbridge.ops.activation import functions as activation
from msbridge.ops.activation.kernels import softmax_over
from msbridge.ops.families import along_axis, unary, unary_with
from msbridge.ops.normalization.functions import lrn

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "LRN",
    "FastGelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "LogSoftmaxExt",
    "Mish",
    "PReLU",
    "PReLUExt",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "SiLU",
    "Sigmoid",
    "SoftShrink",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "get_activation",
]


class ReLU(Cell):
    """Compute max(0, x).

    Follows: mindspore.nn.ReLU (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return unary(torch.relu, "ReLU", input)


class ReLU6(Cell):
    """Compute min(max(0, x), 6).

    Follows: mindspore.nn.ReLU6 (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(F.relu6, "ReLU6", x)


class LeakyReLU(Cell):
    """Return x where it is positive, `alpha` times x elsewhere.

    Follows: mindspore.nn.LeakyReLU (2.10).
    """

    def __init__(self, alpha: float | Tensor = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return activation.leaky_relu(x, self.alpha)


class RReLU(Cell):
    """Return x where it is positive, else x times a slope drawn from [lower, upper).

    Raises:
        ValueError: `lower` is over `upper`.

    Follows: mindspore.nn.RReLU (2.10).
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> None:
        super().__init__()
        for name, value in (("lower", lower), ("upper", upper)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"For 'RReLU', the '{name}' must be int or float, but got {type(value).__name__}.")
        if lower > upper:
            raise ValueError(f"For 'RReLU', 'lower' must be at most 'upper', but got {lower} and {upper}.")
        self.lower = lower
        self.upper = upper

    def construct(self, x: Tensor) -> Tensor:
        return activation.rrelu(x, self.lower, self.upper)


class PReLU(Cell):
    """Return x where it is positive, `w` times x elsewhere; `w` is trained.

    Args:
        channel: how many values `w` has: 1, or the length of the input's axis 1.
        w: what they start from.

    Raises:
        TypeError: `w` is of another type.
        ValueError: `channel` is not positive, or not the length of `w`.

    Follows: mindspore.nn.PReLU (2.10).
    """

    def __init__(self, channel: int = 1, w: float | Sequence[float] | Tensor = 0.25) -> None:
        super().__init__()
        if isinstance(channel, bool) or not isinstance(channel, int) or channel <= 0:
            raise ValueError(f"For 'PReLU', the 'channel' must be int and must > 0, but got {channel!r}.")
        if isinstance(w, float | int | np.floating) and not isinstance(w, bool):
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


class ELU(Cell):
    """Return x where it is positive, alpha·(exp(x) - 1) elsewhere.

    Follows: mindspore.nn.ELU (2.10).
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return unary_with(F.elu, "Elu", x, self.alpha)


class CELU(Cell):
    """Compute max(0, x) + min(0, alpha·(exp(x / alpha) - 1)).

    Follows: mindspore.nn.CELU (2.10).
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return activation.celu(x, self.alpha)


class SeLU(Cell):
    """Compute elu(x, 1.67326) times 1.0507.

    Follows: mindspore.nn.SeLU (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return unary(torch.selu, "SeLU", input_x)


class GELU(Cell):
    """Compute x·Φ(x).

    Args:
        approximate: whether by tanh.

    Raises:
        TypeError: `approximate` is not a bool.

    Follows: mindspore.nn.GELU (2.10).
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = "tanh" if boolean(approximate, "approximate", "GELU") else "none"

    def construct(self, x: Tensor) -> Tensor:
        return activation.gelu(x, self.approximate)


class FastGelu(Cell):
    """Compute x·sigmoid(1.702·x).

    Follows: mindspore.nn.FastGelu (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.fast_gelu(x)


class SiLU(Cell):
    """Compute x·sigmoid(x).

    Follows: mindspore.nn.SiLU (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(F.silu, "SiLU", x)


class Mish(Cell):
    """Compute x·tanh(softplus(x)).

    Follows: mindspore.nn.Mish (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return unary(F.mish, "Mish", input_x)


class HSwish(Cell):
    """Compute x·min(max(0, x + 3), 6) / 6.

    Follows: mindspore.nn.HSwish (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return unary(F.hardswish, "HSwish", input)


class HSigmoid(Cell):
    """Compute min(max(0, (x + 3) / 6), 1).

    Follows: mindspore.nn.HSigmoid (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return unary(F.hardsigmoid, "HSigmoid", input)


class HShrink(Cell):
    """Return x where it is outside [-lambd, lambd], 0 inside.

    Raises:
        TypeError: `lambd` is not a number.

    Follows: mindspore.nn.HShrink (2.10).
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        if not isinstance(lambd, int | float):
            raise TypeError(f"For 'HShrink', the 'lambd' must be a number, but got {type(lambd).__name__}.")
        self.lambd = lambd

    def construct(self, input: Tensor) -> Tensor:
        return unary_with(torch.hardshrink, "HShrink", input, self.lambd)


class SoftShrink(Cell):
    """Shrink x towards 0 by `lambd`; 0 inside [-lambd, lambd].

    Follows: mindspore.nn.SoftShrink (2.10).
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def construct(self, input: Tensor) -> Tensor:
        return unary_with(F.softshrink, "SoftShrink", input, self.lambd)


class Hardtanh(Cell):
    """Clamp x to [min_val, max_val].

    Raises:
        ValueError: `min_val` is not under `max_val`.

    Follows: mindspore.nn.Hardtanh (2.10).
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        if min_val >= max_val:
            raise ValueError(f"For 'Hardtanh', min_val must be less than max_val, but got {min_val} and {max_val}.")
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x: Tensor) -> Tensor:
        return unary_with(torch.clamp, "Hardtanh", x, self.min_val, self.max_val)


class Threshold(Cell):
    """Return x where it is over `threshold`, `value` elsewhere.

    Follows: mindspore.nn.Threshold (2.10).
    """

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, input_x: Tensor) -> Tensor:
        return unary_with(torch.threshold, "Threshold", input_x, self.threshold, self.value)


class Sigmoid(Cell):
    """Compute 1 / (1 + exp(-x)).

    Follows: mindspore.nn.Sigmoid (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(torch.sigmoid, "Sigmoid", x)


class LogSigmoid(Cell):
    """Compute log(sigmoid(x)).

    Follows: mindspore.nn.LogSigmoid (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return unary(F.logsigmoid, "LogSigmoid", input_x)


class Tanh(Cell):
    """Compute the hyperbolic tangent.

    Follows: mindspore.nn.Tanh (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(torch.tanh, "Tanh", x)


class Tanhshrink(Cell):
    """Compute x - tanh(x).

    Follows: mindspore.nn.Tanhshrink (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(F.tanhshrink, "Tanhshrink", x)


class Softsign(Cell):
    """Compute x / (1 + |x|).

    Follows: mindspore.nn.Softsign (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return unary(F.softsign, "Softsign", x)


class Softplus(Cell):
    """Compute log(1 + exp(x)).

    Follows: mindspore.nn.Softplus (1.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.softplus(x)


class Softmax(Cell):
    """Scale the exponentials so that they sum to one along `axis`.

    Args:
        axis: an int, or a tuple of axes that are taken together.

    Raises:
        TypeError: `axis` is of another type.

    Follows: mindspore.nn.Softmax (2.10).
    """

    def __init__(self, axis: int | tuple[int, ...] = -1) -> None:
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int | tuple):
            raise TypeError(f"For 'Softmax', the 'axis' must be int or tuple of int, but got {type(axis)}.")
        self.axis = axis
        self._softmax = activation.softmax if isinstance(axis, int) else softmax_over

    def construct(self, input: Tensor) -> Tensor:
        return self._softmax(input, self.axis)


class LogSoftmax(Cell):
    """Compute the logarithm of softmax along `axis`.

    Follows: mindspore.nn.LogSoftmax (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return along_axis(torch.log_softmax, "LogSoftmax", x, self.axis)


class Softmin(Cell):
    """Compute the softmax of -x along `axis`.

    Follows: mindspore.nn.Softmin (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return activation.softmin(x, self.axis)


class Softmax2d(Cell):
    """Compute the softmax over the channels of (N, C, H, W) or (C, H, W).

    Follows: mindspore.nn.Softmax2d (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return along_axis(torch.softmax, "Softmax2d", x, -3)


class GLU(Cell):
    """Split in two halves a, b along `axis` and give a·sigmoid(b).

    Follows: mindspore.nn.GLU (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return along_axis(F.glu, "GLU", x, self.axis)


class LRN(Cell):
    """Divide by (bias + alpha·Σ x²)^beta, the sum over the channels within `depth_radius`.

    Follows: mindspore.nn.LRN (2.10).
    """

    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:
        super().__init__()
        self._settings = (depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x: Tensor) -> Tensor:
        return lrn(input_x, *self._settings)


class LogSoftmaxExt(Cell):
    """Compute the logarithm of softmax along `dim`; None means torch's old choice: axis 0 of 0, 1 or 3 axes, else 1.

    Follows: mindspore.mint.nn.LogSoftmax (2.10).
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, x: Tensor) -> Tensor:
        axis = self.dim
        if axis is None:
            axis = 0 if x.ndim in (0, 1, 3) else 1
        return along_axis(torch.log_softmax, "LogSoftmax", x, axis)


class PReLUExt(Cell):
    """Return x where it is positive, `weight` times x elsewhere.

    Follows: mindspore.mint.nn.PReLU (2.10).
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Type | None = None) -> None:
        super().__init__()
        values = Tensor([init] * num_parameters, mstype.float32 if dtype is None else dtype)
        self.weight = Parameter(values, name="weight")

    def construct(self, input: Tensor) -> Tensor:
        return activation.prelu(input, self.weight)


_activation: dict[str, type[Cell]] = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "logsoftmaxExt": LogSoftmaxExt,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": RReLU,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "hardtanh": Hardtanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "preluExt": PReLUExt,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
    "mish": Mish,
}


def get_activation(name: str | None, prim_name: str | None = None) -> Cell | None:
    """Construct the activation layer of a name, such as "relu"; return None for None.

    Raises:
        KeyError: there is no such name.

    Follows: mindspore.nn.get_activation (2.10).
    """
    if name is None:
        return None
    if name not in _activation:
        prefix = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(f"{prefix} 'name' must be in {list(_activation)}, but got {name}.")
    return _activation[name]()
