"""Networks under every way of mixed precision, in both modes: types and values, gradients too."""

# ruff: noqa: F811  `x` makes an input in the expressions, and is one in the networks

import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import Case
from tests.oracle.cases._precise import i, precise, x  # noqa: F401  used by the expressions

WAYS = ("O0", "O2", "O3", "auto", "float16")


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(2, 2, 3)
        self.bn1 = nn.BatchNorm2d(2)
        self.conv2 = nn.Conv2d(2, 2, 3)
        self.bn2 = nn.BatchNorm2d(2)

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.bn2(self.conv2(ops.relu(self.bn1(self.conv1(x))))) + x)


class Tied(nn.Cell):
    """Words in and words out by the same table."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(6, 4)
        self.norm = nn.LayerNorm((4,))

    def construct(self, ids: Tensor) -> Tensor:
        return ops.matmul(self.norm(self.embedding(ids)), self.embedding.embedding_table.T)


class Attention(nn.Cell):
    """Attention by hand, with a mask and a scale of constants."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Dense(4, 12)
        self.out = nn.Dense(4, 4, has_bias=False)
        self.mask = Tensor(np.triu(np.ones((3, 3)), 1) * -1e4, Tensor([1.0]).dtype)

    def construct(self, x: Tensor) -> Tensor:
        q, k, v = ops.split(self.qkv(x), 4, -1)
        scores = ops.matmul(q, k.swapaxes(-1, -2)) * 0.5 + self.mask
        return self.out(ops.matmul(ops.softmax(scores, -1), v))


class Scaled(nn.Cell):
    """A Parameter and a constant of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = Parameter(Tensor(np.ones((3,)), Tensor([1.0]).dtype), name="scale")
        self.table = Tensor(np.arange(9).reshape(3, 3) / 8, Tensor([1.0]).dtype)

    def construct(self, x: Tensor) -> Tensor:
        return ops.matmul(x * self.scale, self.table)


class Wide(nn.Cell):
    """Computes a part in Float32 on purpose."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 3)

    def construct(self, x: Tensor) -> Tensor:
        y = self.dense(x)
        z = y.astype(Tensor([1.0]).dtype)
        return y + z.mean(-1, keep_dims=True)


class Two(nn.Cell):
    """Two outputs, one of which no operator makes."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 2)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.dense(x), x


class Gated(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Dense(3, 4, has_bias=False)
        self.gate = nn.Dense(3, 4, has_bias=False)
        self.down = nn.Dense(4, 3, has_bias=False)

    def construct(self, x: Tensor) -> Tensor:
        return self.down(ops.silu(self.gate(x)) * self.up(x))


class Lists(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3) for _ in range(3)])

    def construct(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = ops.tanh(layer(x)) + x
        return x


class Losing(nn.Cell):
    """A network with its loss."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Dense(3, 2)
        self.loss = nn.MSELoss()

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.loss(self.net(x), y)


NETWORKS = """
nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2)) | x(4, 3)
nn.SequentialCell(nn.Dense(3, 4), nn.LayerNorm((4,)), nn.GELU(), nn.Dense(4, 2), nn.Softmax()) | x(4, 3)
nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()) | x(1, 2, 4, 4)
nn.SequentialCell(nn.Conv2d(2, 3, 3, has_bias=True), nn.LeakyReLU(), nn.AvgPool2d(2, 2)) | x(1, 2, 4, 4)
nn.SequentialCell(nn.Conv2d(2, 2, 3), nn.Conv2dTranspose(2, 1, 3), nn.Sigmoid()) | x(1, 2, 4, 4)
nn.SequentialCell(nn.Conv1d(2, 3, 3), nn.Tanh(), nn.Flatten(), nn.Dense(15, 2)) | x(1, 2, 5)
nn.SequentialCell(nn.Embedding(5, 4), nn.Dense(4, 2), nn.LogSoftmax()) | i(1, 4, 0)
nn.SequentialCell(nn.Dense(3, 3), nn.SequentialCell(nn.Dense(3, 3), nn.ELU()), nn.Dense(3, 1)) | x(4, 3)
nn.SequentialCell(nn.Dense(3, 3), nn.BatchNorm1d(3), nn.Dropout(p=0.0)) | x(4, 3)
nn.SequentialCell(nn.PReLU(), nn.Dense(3, 2), nn.HSwish()) | x(4, 3)
nn.SequentialCell(nn.TransformerEncoderLayer(4, 2, 8, 0.0), nn.Dense(4, 2)) | x(3, 2, 4)
Block() | x(1, 2, 3, 3)
nn.SequentialCell(Block(), Block()) | x(1, 2, 3, 3)
Tied() | i(1, 4, 0)
Attention() | x(2, 3, 4)
nn.SequentialCell(Attention(), nn.LayerNorm((4,))) | x(2, 3, 4)
Scaled() | x(2, 3)
Wide() | x(2, 3)
Two() | x(2, 3)
Gated() | x(2, 3)
Lists() | x(2, 3)
Losing() | x(2, 3), x(2, 2)
"""
CASES = [
    Case(f"precise({network}, '{way}', {mode}, {inputs})", tolerance=2e-2)
    for network, inputs in (line.split(" | ") for line in NETWORKS.strip().splitlines())
    for way in WAYS
    for mode in (1, 0)
    if not (network == "Tied()" and way in ("O2", "O3", "float16") and mode == 0)  # Float32 beside Float16 there
]
