"""Level O1: what computes in Float16. MindSpore rewrites sources, so the networks are classes here."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, amp, mint, nn, ops

from tests.oracle.case import Case
from tests.oracle.cases._fixed import fixed


def numbers(*shape):
    return Tensor(np.sin(np.arange(int(np.prod(shape)))).reshape(shape), ms.float32)


X, B, IM = numbers(3, 4), numbers(2, 3, 4), numbers(1, 3, 4, 4)


def product(x, w):
    return ops.mm(x, w) + 1


class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(numbers(4, 4) + 0.1, name="w")
        self.kernel = Parameter(numbers(2, 3, 3, 3), name="kernel")
        self.bias = Parameter(numbers(2), name="bias")
        self.slope = Parameter(Tensor([0.137]), name="slope")
        self.product = ops.MatMul()


class Products(Base):
    def construct(self, x, b, im):
        by_mm, by_matmul = ops.mm(x, self.w), ops.matmul(x, self.w)
        by_at, by_method = x @ self.w, x.mm(self.w)
        by_primitive, by_dense = self.product(x, self.w), ops.dense(x, self.w)
        by_mint, by_function = mint.matmul(x, self.w), product(x, self.w)
        return by_mm, by_matmul, by_at, by_method, by_primitive, by_dense, by_mint, by_function


class Sums(Base):
    def construct(self, x, b, im):
        square = ops.addmm(x, x, self.w)
        batches = ops.baddbmm(ops.bmm(b, b.swapaxes(1, 2)), b, b.swapaxes(1, 2))
        total = ops.addbmm(x[:, :3], b, b.swapaxes(1, 2))
        vector = ops.addmv(x[:, 0], x, x[0])
        return square, batches, total, vector


class Others(Base):
    def construct(self, x, b, im):
        by_dot, by_mv, by_inner = ops.dot(x, self.w), ops.mv(x, x[0]), ops.inner(x, self.w)
        by_tensor_dot, by_ger, by_outer = ops.tensor_dot(x, self.w, 1), ops.ger(x[1], x[2]), ops.outer(x[1], x[2])
        by_relu, by_prelu, by_gelu = ops.relu(x), ops.prelu(b, self.slope), ops.silu(x)
        by_conv, by_biased = ops.conv2d(im, self.kernel), ops.conv2d(im, self.kernel, self.bias)
        return by_dot, by_mv, by_inner, by_tensor_dot, by_ger, by_outer, by_relu, by_prelu, by_gelu, by_conv, by_biased


class Derived(nn.Dense):
    pass


def differences(make, *inputs, mode=ms.PYNATIVE_MODE):
    """Return for each output its dtype, and whether Float16 shows in it: of the new network, and of the given one."""
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        plain, given = fixed(make()), fixed(make())
        narrowed = amp.auto_mixed_precision(given, "O1")
        expected = listed(plain(*inputs))
        return [compare(expected, listed(net(*inputs))) for net in (narrowed, given)]
    finally:
        ms.set_context(mode=before)


def listed(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def compare(expected, outputs):
    pairs = zip(expected, outputs, strict=True)
    return [(str(new.dtype), bool(np.abs((old - new).asnumpy()).max() > 5e-6)) for old, new in pairs]


NETWORKS = ("Products", "Sums", "Others")
LAYERS = """
nn.Dense(4, 3) | X
Derived(4, 3) | X
nn.SequentialCell(Derived(4, 3)) | X
nn.SequentialCell(nn.Dense(4, 3)) | X
nn.SequentialCell(nn.SequentialCell(nn.Dense(4, 3), nn.ReLU())) | X
nn.SequentialCell(nn.Dense(4, 3).to_float(ms.float32)) | X
nn.Conv2d(3, 2, 3, has_bias=True) | IM
nn.ReLU() | X
nn.PReLU() | B
nn.SiLU() | X
mint.nn.Linear(4, 3) | X
nn.LayerNorm((4,)) | X
"""
MODES = ("ms.PYNATIVE_MODE", "ms.GRAPH_MODE")
ROWS = [row.split(" | ") for row in LAYERS.strip().splitlines()]
CASES = [
    *(Case(f"differences({name}, X, B, IM, mode={mode})") for name in NETWORKS for mode in MODES),
    *(Case(f"differences(lambda: {layer}, {inputs})") for layer, inputs in ROWS),
]
