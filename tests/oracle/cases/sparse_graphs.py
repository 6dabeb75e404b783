"""Sparse tensors in control flow of graphs, and gradients of them: values alone in PyNative, sparse ones in graphs.

The places of sparse gradients are left out: 2.10.0 has zeros there.
"""

from collections.abc import Callable

import mindspore as ms
from mindspore import COOTensor, CSRTensor, Tensor, nn, ops

from tests.oracle.case import Case, each, rand

AT = Tensor([[0, 1], [1, 0], [1, 2]], ms.int32)
STARTS = Tensor([0, 1, 3, 3], ms.int32)
COLUMNS = Tensor([1, 0, 2], ms.int32)
SHAPE = (3, 4)


def coo(values: Tensor) -> COOTensor:
    return COOTensor(AT, values, SHAPE)


def csr(values: Tensor) -> CSRTensor:
    return CSRTensor(STARTS, COLUMNS, values, SHAPE)


def parts(value: object) -> object:
    if isinstance(value, COOTensor):
        return "coo", value.indices, value.values, value.shape
    if isinstance(value, CSRTensor):
        return "csr", value.indptr, value.indices, value.values, value.shape
    return tuple(map(parts, value)) if isinstance(value, tuple) else value


def kinds(value: object) -> object:
    """Write sparse tensors as their kind and values."""
    if isinstance(value, COOTensor | CSRTensor):
        return type(value).__name__, value.values, value.shape
    return tuple(map(kinds, value)) if isinstance(value, tuple) else value


@ms.jit
def chosen(x: CSRTensor, sign: Tensor) -> CSRTensor:
    if sign > 0:
        return x.abs()
    return -x


@ms.jit
def repeated(x: COOTensor, count: Tensor) -> COOTensor:
    step = Tensor(0)
    while step < count:
        x = -x
        step = step + 1
    return x


@ms.jit
def built(values: Tensor, count: Tensor) -> CSRTensor:
    x = CSRTensor(STARTS, COLUMNS, values, (3, 4))
    while count > 0:
        x = CSRTensor(x.indptr, x.indices, x.values * 2, x.shape)
        count = count - 1
    return x


@ms.jit
def facts(x: COOTensor) -> tuple:
    return x.indices, x.values, x.shape, x.size, x.ndim


class Scaled(nn.Cell):
    def construct(self, x: COOTensor, y: Tensor) -> Tensor:
        return x.to_dense() * y


class Gradients(nn.Cell):
    def __init__(self, **options: bool) -> None:
        super().__init__()
        self.net, self.gradient = Scaled(), ops.GradOperation(**options)

    def construct(self, *inputs: object) -> object:
        return self.gradient(self.net)(*inputs)


class Jitted:
    """Functions of one sparse tensor in graphs, where numbers and indices apply to the tuple of its parts."""

    @ms.jit
    def doubled(x: object) -> object:
        return x * 2

    @ms.jit
    def doubled_right(x: object) -> object:
        return 2 * x

    @ms.jit
    def halved(x: object) -> object:
        return x / 2

    @ms.jit
    def increased(x: object) -> object:
        return x + 1

    @ms.jit
    def decreased(x: object) -> object:
        return x - 1

    @ms.jit
    def powered(x: object) -> object:
        return x**2

    @ms.jit
    def compared(x: object) -> object:
        return x > 1

    @ms.jit
    def scaled(x: object) -> object:
        return x * 2.0

    @ms.jit
    def first(x: object) -> object:
        return x[0]

    @ms.jit
    def last(x: object) -> object:
        return x[-1]

    @ms.jit
    def negative(x: object) -> object:
        return -x


def in_graph(make: Callable[[], Callable], *inputs: object) -> object:
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return kinds(make()(*inputs))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


CASES = [
    *each(
        """
        parts(chosen(csr(v), Tensor(1))), parts(chosen(csr(v), Tensor(-1)))
        parts(repeated(coo(v), Tensor(3)))
        parts(built(v, Tensor(2)))
        facts(coo(v))
        kinds(Gradients(get_all=True)(coo(v), d))
        kinds(Gradients(get_all=True)(csr(v), d))
        kinds(Gradients()(coo(v), d))
        kinds(Gradients(get_all=True, sens_param=True)(coo(v), d, d))
        kinds(ms.grad(Scaled(), (0, 1))(csr(v), d))
        in_graph(lambda: Gradients(get_all=True), coo(v), d)
        in_graph(lambda: Gradients(get_all=True), csr(v), d)
        in_graph(lambda: Gradients(get_all=True, sens_param=True), coo(v), d, d)
        in_graph(lambda: ms.grad(Scaled(), (0, 1)), coo(v), d)
        in_graph(lambda: ms.grad(Scaled(), (0, 1)), csr(v), d)
        """,
        v=rand(3),
        d=rand(3, 4),
    ),
    *each(
        "\n".join(
            f"parts(Jitted.{name}({kind}(v)))"
            for name in vars(Jitted)
            if not name.startswith("_")
            for kind in ("coo", "csr")
        ),
        may_raise=True,
        v=rand(3),
    ),
    Case("COOTensor(AT, Tensor([1.0, 2.0]), SHAPE)", raises=ValueError),
]
