"""Where the compiler of graph mode casts a Parameter under `to_float`: as an operand of what it has no source of."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, amp, mint, nn, ops

from tests.oracle.case import Case


class Own(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.full((2, 2), 0.5), ms.float32), name="w")
        self.v = Parameter(Tensor(np.full((2, 2), 0.3), ms.float32), name="v")
        self.d = nn.Dense(2, 2)
        self.matmul, self.exp = ops.MatMul(), ops.Exp()
        self.relu = nn.ReLU()

    def construct(self, x: Tensor) -> object:
        return x


class Operators(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        y = x * 0
        for _ in range(2):
            y = y + w
        return w + 1, w - self.v, x * w, x / w, 2 - w, 2 / w, w**2, w % 2, w // 2, -w, abs(w), y, (w > x) * x


class Products(Own):
    def construct(self, x: Tensor) -> object:
        return self.w @ self.v, x @ (self.w * 1), ops.matmul(x, self.w + 0), ops.matmul(self.w, self.v)


class Primitives(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        return ops.Exp()(w), self.exp(w), self.matmul(x, w), ops.Add()(w, self.v), ops.ReduceSum()(w), self.relu(w)


class Functions(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        return ops.exp(w), mint.exp(w), ops.add(x, w), ops.mul(w, x), ops.softmax(w), ops.tile(w, (2, 1)), mint.sum(w)


class Methods(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        cast = w.exp(), w.abs(), w.sqrt(), w.tanh(), w.log(), w.square(), w.reshape(4), w.view(4), w.div(2), w.rsqrt()
        whole = w.sum(), w.mean(), w.max(), w.std(), w.pow(2), w.transpose(1, 0), w.flatten(), w.add(1), w.sub(1)
        return cast, whole


class Looks(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        parts = w[0], w[:, 0] * 2, x + w[0]
        return w.dtype, w.T, parts, x + w.T, x * ops.sigmoid(w), self.d.weight.T, x.astype(w.dtype)


class Below(Own):
    def construct(self, x: Tensor) -> object:
        return self.d.weight * 1, ops.exp(self.d.weight), self.d.weight.dtype, self.d(x) + self.d.bias


class Elements(Own):
    def construct(self, x: Tensor) -> object:
        w = self.w
        return ops.stack((w, x)), ops.concat([x, w]), ops.stack((ops.exp(w), ops.exp(w))), w


class Helped(Own):
    def scaled(self, x: Tensor) -> object:
        return x * self.w, self.w.dtype

    def construct(self, x: Tensor) -> object:
        return self.scaled(x), (lambda one: one * 2)(self.w)


def seen(value: object) -> object:
    if isinstance(value, tuple | list):
        return [seen(one) for one in value]
    return [str(value.dtype), value.astype(ms.float32)] if isinstance(value, Tensor) else str(value)


def steady(cell: nn.Cell) -> nn.Cell:
    for parameter in cell.get_parameters():
        values = np.cos(np.arange(parameter.size)).reshape(parameter.shape)
        parameter.set_data(Tensor(values, ms.float32))
    return cell


X = Tensor(np.array([[0.3, 0.2], [0.4, 0.1]]), ms.float32)


def operands(kind: str, dtype: str) -> object:
    ms.set_context(mode=0)
    return seen(steady(globals()[kind]()).to_float(getattr(ms, dtype))(X))


def lowered(kind: str, level: str) -> object:
    ms.set_context(mode=0)
    return seen(amp.auto_mixed_precision(steady(globals()[kind]()), level)(X))


KINDS = ["Operators", "Products", "Primitives", "Functions", "Methods", "Looks", "Below", "Elements", "Helped"]
CASES = [
    *(Case(f"operands('{kind}', 'float16')", tolerance=2e-2) for kind in KINDS),
    *(Case(f"lowered('{kind}', '{level}')", tolerance=2e-2) for kind in KINDS for level in ("O2", "O3")),
]
