"""Smooth and piecewise activation layers, and the table of the names of all activations."""

from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers._operators import is_operator
from msbridge.nn.layers.activations.rectifiers import ELU, LeakyReLU, PReLU, PReLUExt, ReLU, ReLU6, RReLU
from msbridge.nn.layers.activations.softmax import LogSoftmax, LogSoftmaxExt, Softmax, Softmax2d, Softmin
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops import operations
from msbridge.ops.elementwise.activation import functions as activation

__all__ = [
    "GELU",
    "GLU",
    "FastGelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LogSigmoid",
    "Mish",
    "SiLU",
    "Sigmoid",
    "SoftShrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "get_activation",
]


class GELU(Cell):
    """Compute x·Φ(x).

    Args:
        approximate: whether by tanh.

    Inputs, Outputs: elementwise, float -> same.

    Raises:
        TypeError: `approximate` is not a bool.

    Follows: mindspore.nn.GELU (2.10).
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = "tanh" if boolean(approximate, "approximate", "GELU") else "none"

    def construct(self, x: Tensor) -> Tensor:
        return activation.gelu(x, self.approximate)


@is_operator("fast_gelu", lambda layer: operations.FastGeLU())
class FastGelu(PlainLayer):
    """Compute x·sigmoid(1.702·x).

    Inputs, Outputs: elementwise, any -> float.

    Follows: mindspore.nn.FastGelu (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.fast_gelu(x)


class SiLU(PlainLayer):
    """Compute x·sigmoid(x).

    Inputs, Outputs: elementwise, inexact -> same.

    Follows: mindspore.nn.SiLU (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.silu(x)


class Mish(PlainLayer):
    """Compute x·tanh(softplus(x)).

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.Mish (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.mish(input_x)


@is_operator("hswish", lambda layer: operations.HSwish())
class HSwish(PlainLayer):
    """Compute x·min(max(0, x + 3), 6) / 6.

    Inputs, Outputs: elementwise, real number -> same.

    Follows: mindspore.nn.HSwish (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return activation.hardswish(input)


@is_operator("hsigmoid", lambda layer: operations.HSigmoid())
class HSigmoid(PlainLayer):
    """Compute min(max(0, (x + 3) / 6), 1).

    Inputs, Outputs: elementwise, real number -> same.

    Follows: mindspore.nn.HSigmoid (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return activation.hardsigmoid(input)


class HShrink(Cell):
    """Return x where it is outside [-lambd, lambd], 0 inside.

    Args:
        lambd: half the width of the interval that becomes 0.

    Inputs, Outputs: elementwise, float -> same.

    Raises:
        TypeError: `lambd` is not a number.

    Follows: mindspore.nn.HShrink (2.10).
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = instance(lambd, "lambd", "HShrink", (int, float, bool))

    def construct(self, input: Tensor) -> Tensor:
        return activation.hardshrink(input, self.lambd)


class SoftShrink(Cell):
    """Shrink x towards 0 by `lambd`; 0 inside [-lambd, lambd].

    Args:
        lambd: how far values are moved towards 0; a negative one is refused on call.

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.SoftShrink (2.10).
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = instance(lambd, "lambd", "SoftShrink", (int, float, bool))

    def construct(self, input: Tensor) -> Tensor:
        return activation.softshrink(input, self.lambd)


class Hardtanh(Cell):
    """Clamp x to [min_val, max_val].

    Args:
        min_val: the smallest value that comes out.
        max_val: the largest value that comes out.

    Inputs, Outputs: elementwise, real -> same.

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
        return activation.hardtanh(x, self.min_val, self.max_val)


class Threshold(Cell):
    """Return x where it is over `threshold`, `value` elsewhere.

    Args:
        threshold: what x has to exceed.
        value: what comes out elsewhere.

    Inputs, Outputs: elementwise, real -> same.

    Follows: mindspore.nn.Threshold (2.10).
    """

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.threshold(input_x, self.threshold, self.value)


@is_operator("sigmoid", lambda layer: operations.Sigmoid())
class Sigmoid(PlainLayer):
    """Compute 1 / (1 + exp(-x)).

    Inputs, Outputs: elementwise, any -> float.

    Examples:
        >>> print(nn.Sigmoid()(Tensor([0.0])))
        [0.5]

    Follows: mindspore.nn.Sigmoid (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.sigmoid(x)


class LogSigmoid(PlainLayer):
    """Compute log(sigmoid(x)).

    Inputs, Outputs: elementwise, inexact -> same.

    Follows: mindspore.nn.LogSigmoid (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.logsigmoid(input_x)


@is_operator("tanh", lambda layer: operations.Tanh())
class Tanh(PlainLayer):
    """Compute the hyperbolic tangent.

    Inputs, Outputs: elementwise, any -> float.

    Follows: mindspore.nn.Tanh (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.tanh(x)


class Tanhshrink(PlainLayer):
    """Compute x - tanh(x).

    Inputs, Outputs: elementwise, number -> float.

    Follows: mindspore.nn.Tanhshrink (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.tanhshrink(x)


class Softsign(PlainLayer):
    """Compute x / (1 + |x|).

    Inputs, Outputs: elementwise, number -> float.

    Follows: mindspore.nn.Softsign (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.softsign(x)


class GLU(Cell):
    """Split in two halves a, b along `axis` and return a·sigmoid(b).

    Args:
        axis: the axis that is split, of even length n, in [-x.ndim, x.ndim).

    Inputs:
        x: a Tensor of any shape; floats.

    Outputs:
        A Tensor of the dtype of `x` and its shape, with n / 2 along `axis`.

    Follows: mindspore.nn.GLU (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return activation.glu(x, self.axis)


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

    Args:
        name: a name such as "relu", "gelu" or "leakyrelu"; None for none.
        prim_name: the layer to name in errors.

    Returns:
        A new Cell, or None.

    Raises:
        KeyError: there is no such name.

    Follows: mindspore.nn.get_activation (2.10).
    """
    if name is None:
        return None
    if name not in _activation:
        prefix = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(
            f"{prefix} 'name' must be in {list(_activation)}, but got {name}.{did_you_mean(name, _activation)}"
        )
    return _activation[name]()
