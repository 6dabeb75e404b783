"""Compiling Cells ahead of a call: what fails then, what only a call shows, and what a network keeps."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.api import _cell_graph_executor

from tests.oracle.case import attempt, each


class Counted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4)
        self.count = Parameter(Tensor(0.0, ms.float32), name="count")

    def construct(self, x):
        self.count += 1
        print("constructed")
        return self.dense(x)


class Of(nn.Cell):
    """A function as a Cell."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *args):
        return self.function(*args)


class TwoRows(nn.Cell):
    def construct(self, x):
        if x.shape[0] == 2:
            raise ValueError("two rows")
        return x


class Small(nn.Cell):
    def construct(self, x):
        if x.sum() > 100:
            raise ValueError("too large")
        return x


class Nothing(nn.Cell):
    def construct(self, x):
        return x + self.nothing


class Nowhere(nn.Cell):
    def construct(self, x):
        return x + undefined  # noqa: F821


class Joined(nn.Cell):
    def construct(self, x):
        return ops.concat((x, x[:, :1]), 0)


class Product(nn.Cell):
    def construct(self, x, y):
        return ops.matmul(x, y)


class Gradients(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad = ops.GradOperation(get_all=True)

    def construct(self, *args):
        return self.grad(self.net)(*args)


class Squares(nn.Cell):
    def construct(self, x, y):
        return ((x - y) ** 2).mean()


ROWS = Tensor(np.ones((2, 3)), ms.float32)
WHOLE = Tensor(np.ones((2, 3)), ms.int32)
LARGE = Tensor(np.full((2, 3), 1000), ms.float32)


def ones(*shape):
    return Tensor(np.ones(shape), ms.float32)


def compiled(cell, *inputs):
    """Compile a Cell, by its method and by the executor; return the class of the error, and what the executor says."""
    return attempt(lambda: cell.compile(*inputs)), attempt(lambda: _cell_graph_executor.compile(cell, *inputs)[1])


def counted():
    """Return what a Cell has counted after it was compiled, and after a call."""
    cell = Counted()
    cell.compile(ROWS)
    before = float(cell.count.asnumpy())
    cell(ROWS)
    return before, float(cell.count.asnumpy())


def again():
    """Return whether the executor has something new to compile: for the same inputs, others, another phase."""
    cell = Counted()
    return [
        _cell_graph_executor.compile(cell, *given, phase=phase)[1]
        for given, phase in [((ROWS,), "a"), ((LARGE,), "a"), ((ones(5, 3),), "a"), ((ROWS,), "b"), ((ROWS,), "a")]
    ]


def trained(target):
    """Compile a training step; return what `compiled` does and whether all is as it was."""
    net = Counted()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, Squares()), optimizer)
    step.set_train()
    before = [parameter.asnumpy().copy() for parameter in step.get_parameters()]
    said = compiled(step, ROWS, target)
    after = [parameter.asnumpy() for parameter in step.get_parameters()]
    return said, all((one == other).all() for one, other in zip(before, after, strict=True))


def announced(shape, *inputs):
    """Compile a Cell with announced inputs."""
    cell = Counted()
    cell.set_inputs(Tensor(shape=shape, dtype=ms.float32))
    return attempt(lambda: cell.compile(*inputs))


CASES = each("""
    compiled(Counted(), ROWS)
    compiled(Counted(), ones(2, 5))
    compiled(Counted(), WHOLE)
    compiled(Counted())
    compiled(Counted(), ROWS, ROWS)
    compiled(TwoRows(), ROWS)
    compiled(Small(), LARGE)
    compiled(Nothing(), ROWS)
    compiled(Nowhere(), ROWS)
    compiled(Joined(), ROWS)
    compiled(Of(ops.Softmax(3)), ROWS)
    compiled(Of(ops.Sort(5)), ROWS)
    compiled(Of(ops.GeLU()), WHOLE)
    compiled(Of(ops.MatMul(transpose_b=True)), ROWS, WHOLE)
    compiled(Of(ops.BitwiseAnd()), ROWS, ROWS)
    compiled(Of(ops.Reshape()), ROWS, (4, 2))
    compiled(Of(ops.Conv2D(4, 3)), ones(1, 3, 8, 8), ones(4, 2, 3, 3))
    compiled(Of(ops.ReduceSum()), ROWS, 4)
    compiled(Gradients(Product()), ROWS, ones(3, 4))
    compiled(Gradients(Product()), ROWS, ones(2, 4))
    counted()
    again()
    trained(ones(2, 4))
    trained(ones(2, 5))
    announced([None, 3], Tensor(shape=[None, 3], dtype=ms.float32))
    announced([None, 3], ROWS)
    announced([None, 3], ones(2, 5))
    announced([None, 5], Tensor(shape=[None, 5], dtype=ms.float32))
""")
