"""Operators whose results were read on the host, under vmap; and the inverse of max pooling."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, ops

from tests.oracle.case import Case, each, rand

STARTS = Tensor([1.0, 2.0])
ENDS = Tensor([5.0, 7.0])
CLASSES = Tensor([[1, 1, 2], [3, 3, 3]], ms.int32)
PAIRS = Tensor([[[3.0, 5.0, 7.0, 1.0]]]), Tensor([[[0, 3, 5, 6]]])
SQUARES = Tensor([[[[5.0, 7.0], [13.0, 15.0]]]]), Tensor([[[[5, 7], [13, 15]]]])


def three(start: Tensor, end: Tensor) -> Tensor:
    return ops.linspace(start, end, 3)


def both(value: Tensor) -> list[Tensor]:
    return [value, value + 1]


def spaced(start: Tensor, end: Tensor) -> Tensor:
    return ops.LinSpace()(start, end, 4)


def until_five(start: Tensor) -> Tensor:
    return ops.linspace(start, 5.0, 3)


def filled(x: Tensor) -> tuple:
    return ops.unique_with_pad(x, 0)


def filled_with(x: Tensor, pad: Tensor) -> tuple:
    return ops.UniqueWithPad()(x, pad)


def weighed(fn: Callable, *inputs: Tensor) -> Callable:
    def total(x: Tensor) -> Tensor:
        return (fn(x, *inputs) ** 2).sum()

    return ms.grad(total)


CASES = [
    *each(
        """
        ms.vmap(both)(STARTS)
        type(ms.vmap(both)(STARTS)).__name__
        ms.vmap(three, (0, 0))(STARTS, ENDS)
        ms.vmap(three, (0, None))(STARTS, Tensor(9.0))
        ms.vmap(three, (None, 0), 1)(Tensor(0.0), ENDS)
        ms.vmap(until_five)(STARTS)
        ms.vmap(ms.vmap(spaced))(Tensor([[1.0, 2.0]]), Tensor([[3.0, 5.0]]))
        ms.vmap(ms.vmap(spaced, (0, None)), (None, 0))(STARTS, ENDS)
        three(Tensor(1.0), Tensor(5.0)), three(Tensor(1.0, ms.float64), Tensor(5.0, ms.float64))
        ms.vmap(filled)(CLASSES)
        ms.vmap(filled, 1)(CLASSES)
        ms.vmap(filled, 0, 1)(CLASSES)
        ms.vmap(ms.vmap(filled))(CLASSES[None])
        ms.vmap(filled)(CLASSES.astype(ms.int64))
        ms.vmap(filled_with, (0, None))(CLASSES, 0)
        ms.vmap(filled_with, (0, 0))(CLASSES, Tensor([0, 9], ms.int32))
        filled(Tensor([3, 1, 3, 2])), filled_with(Tensor([3, 1, 3, 2]), Tensor(9))
        nn.MaxUnpool1d(2, 2)(*PAIRS), nn.MaxUnpool1d(2, 2)(*PAIRS, (9,)), nn.MaxUnpool1d(2, 2)(*PAIRS, (1, 9))
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=(1, 1, 9))
        nn.MaxUnpool1d(2, 2)(PAIRS[0][0], PAIRS[1][0], (1, 9))
        nn.MaxUnpool2d(2, 2)(*SQUARES, (5, 5)), nn.MaxUnpool2d(2, 2)(*SQUARES, (1, 5, 5))
        nn.MaxUnpool2d(2, 2)(SQUARES[0][0], SQUARES[1][0], (1, 5, 5))
        ops.max_unpool2d(*SQUARES, (2, 2), 0)
        ops.max_unpool1d(PAIRS[0].astype(ms.int32), PAIRS[1], 2)
        weighed(nn.MaxUnpool1d(2, 2), PAIRS[1], (9,))(PAIRS[0])
        """
    ),
    *each(
        """
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=8)
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=())
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=[8])
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=Tensor([8]))
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=(11,))
        nn.MaxUnpool1d(2, 2)(*PAIRS, output_size=(5,))
        nn.MaxUnpool2d(2, 2)(*SQUARES, (5,))
        nn.MaxUnpool2d(2, 2)(*SQUARES, 5)
        ops.linspace(Tensor([1.0, 2.0]), Tensor(5.0), 3)
        """,
        raises=(ValueError, TypeError),
    ),
    Case("nn.MaxPool1d(2, 2)(x)", x=rand(1, 2, 6)),
]
