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

    Follows: mindspore.nn.FastGelu (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.fast_gelu(x)


class SiLU(PlainLayer):
    """Compute x·sigmoid(x).

    Follows: mindspore.nn.SiLU (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.silu(x)


class Mish(PlainLayer):
    """Compute x·tanh(softplus(x)).

    Follows: mindspore.nn.Mish (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.mish(input_x)


@is_operator("hswish", lambda layer: operations.HSwish())
class HSwish(PlainLayer):
    """Compute x·min(max(0, x + 3), 6) / 6.

    Follows: mindspore.nn.HSwish (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return activation.hardswish(input)


@is_operator("hsigmoid", lambda layer: operations.HSigmoid())
class HSigmoid(PlainLayer):
    """Compute min(max(0, (x + 3) / 6), 1).

    Follows: mindspore.nn.HSigmoid (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return activation.hardsigmoid(input)


class HShrink(Cell):
    """Return x where it is outside [-lambd, lambd], 0 inside.

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

    Follows: mindspore.nn.SoftShrink (2.10).
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = instance(lambd, "lambd", "SoftShrink", (int, float, bool))

    def construct(self, input: Tensor) -> Tensor:
        return activation.softshrink(input, self.lambd)


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
        return activation.hardtanh(x, self.min_val, self.max_val)


class Threshold(Cell):
    """Return x where it is over `threshold`, `value` elsewhere.

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

    Follows: mindspore.nn.Sigmoid (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.sigmoid(x)


class LogSigmoid(PlainLayer):
    """Compute log(sigmoid(x)).

    Follows: mindspore.nn.LogSigmoid (2.10).
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return activation.logsigmoid(input_x)


@is_operator("tanh", lambda layer: operations.Tanh())
class Tanh(PlainLayer):
    """Compute the hyperbolic tangent.

    Follows: mindspore.nn.Tanh (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.tanh(x)


class Tanhshrink(PlainLayer):
    """Compute x - tanh(x).

    Follows: mindspore.nn.Tanhshrink (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.tanhshrink(x)


class Softsign(PlainLayer):
    """Compute x / (1 + |x|).

    Follows: mindspore.nn.Softsign (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.softsign(x)


class GLU(Cell):
    """Split in two halves a, b along `axis` and return a·sigmoid(b).

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
