"""None where a backward pass of the script's returns a gradient, or all of them, in both modes."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import each, rand


class Product(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y


class WithoutFirst(Product):
    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple:
        return None, dout * x


class WithoutSecond(Product):
    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple:
        return dout * y, None


class WithoutBoth(Product):
    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple:
        return None, None


class Nothing(Product):
    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> None:
        return None


class OfSeveral(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> tuple:
        return x * y, x + y

    def bprop(self, x: Tensor, y: Tensor, out: tuple, dout: tuple) -> tuple:
        return None, dout[0] * x


class OfTuple(nn.Cell):
    def construct(self, pair: tuple) -> Tensor:
        return pair[0] * pair[1]

    def bprop(self, pair: tuple, out: Tensor, dout: Tensor) -> tuple:
        return ((None, dout),)


class OfNumber(nn.Cell):
    def construct(self, x: Tensor, factor: int) -> Tensor:
        return x * factor

    def bprop(self, x: Tensor, factor: int, out: Tensor, dout: Tensor) -> tuple:
        return dout * factor, None


class Summed(nn.Cell):
    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.cell(x, y).sum()


class OfParts(Summed):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        product, total = self.cell(x, y)
        return (product + total).sum()


class OfPair(Summed):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.cell((x, y)).sum()


class Doubled(Summed):
    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.cell(x, 2).sum() + y.sum()


class Weighted(Summed):
    def __init__(self, cell: nn.Cell) -> None:
        super().__init__(cell)
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.u = Parameter(Tensor([1.0, 1.0]), name="u")

    def construct(self, x: Tensor) -> Tensor:
        return (self.cell(x, self.w) * self.u).sum()


def product(x: object, y: object) -> object:
    return x * y


def without_first(x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple:
    return None, dout * x


def nothing(x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> None:
    return None


class Custom(Summed):
    def __init__(self, bprop: object) -> None:
        super().__init__(nn.Cell())
        self.op = ops.Custom(product, lambda x, y: x, lambda x, y: x, func_type="pyfunc", bprop=bprop)

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.op(x, y).sum()


def hooked(register: str, hook: object) -> nn.Cell:
    cell = Product()
    getattr(cell, register)(hook)
    return cell


class Inserted(nn.Cell):
    def __init__(self, hook: object) -> None:
        super().__init__()
        self.op = ops.InsertGradientOf(hook)

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.op(x * x).sum() + y.sum()


def none(gradient: Tensor) -> None:
    return None


def three(gradient: Tensor) -> int:
    return 3


def grads(cell: object, *inputs: Tensor, mode: int = ms.PYNATIVE_MODE) -> object:
    """Differentiate by all inputs, and by the parameters where there are any."""
    ms.set_context(mode=mode)
    try:
        weights = cell.trainable_params() or None
        return ms.grad(cell, tuple(range(len(inputs))), weights)(*inputs)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


GRAPH = ms.GRAPH_MODE

CASES = [
    *each(
        """
        grads(Summed(WithoutFirst()), x, y)
        grads(Summed(WithoutFirst()), x, y, mode=GRAPH)
        grads(Summed(WithoutSecond()), x, y)
        grads(Summed(WithoutSecond()), x, y, mode=GRAPH)
        grads(WithoutBoth(), x, y)
        grads(WithoutBoth(), x, y, mode=GRAPH)
        grads(Summed(Nothing()), x, y)
        grads(Summed(Nothing()), x, y, mode=GRAPH)
        grads(OfParts(OfSeveral()), x, y)
        grads(OfParts(OfSeveral()), x, y, mode=GRAPH)
        grads(OfPair(OfTuple()), x, y)
        grads(OfPair(OfTuple()), x, y, mode=GRAPH)
        grads(Doubled(OfNumber()), x, y)
        grads(Doubled(OfNumber()), x, y, mode=GRAPH)
        grads(Weighted(WithoutFirst()), x)
        grads(Weighted(WithoutFirst()), x, mode=GRAPH)
        grads(Weighted(WithoutSecond()), x)
        grads(Weighted(WithoutSecond()), x, mode=GRAPH)
        grads(Custom(without_first), x, y)
        grads(Custom(without_first), x, y, mode=GRAPH)
        grads(Custom(nothing), x, y)
        grads(hooked("register_backward_hook", lambda cell, of_in, of_out: None), x, y)
        grads(hooked("register_backward_hook", lambda cell, of_in, of_out: (None, of_in[1])), x, y)
        grads(hooked("register_backward_pre_hook", lambda cell, of_out: None), x, y)
        grads(hooked("register_backward_pre_hook", lambda cell, of_out: (None,)), x, y)
        grads(Inserted(none), x, y)
        grads(Inserted(none), x, y, mode=GRAPH)
        grads(Inserted(three), x, y)
        """,
        may_raise=True,
        x=rand(2),
        y=rand(2),
    ),
]
