"""Numbers in graphs: powers and scalars of numpy are Python's numbers, missing keys and zero divisors wrong values."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.oracle.case import Case, each

x = Tensor([1.0, 2.0])
known = {"a": 1}


@ms.jit
def powers(x):
    return 2**-1, 2**-2, (-1) ** -1, 1**-1, x.shape[0] ** -1, 2**-1.0, 2.0**-1, 2**3, 0**-1, 0.0**-1, 2**62


@ms.jit
def kept(x):
    return x


@ms.jit
def kinds(x):
    return isinstance(x, float), isinstance(x, int), isinstance(x, bool)


@ms.jit
def added(x, y):
    return x + y


@ms.jit
def scaled(x):
    return 10**-3 * x, x**-1, 2**-x


@ms.jit
def assigned(x):
    a = 2
    a **= -1
    b = x
    b **= 2
    return a, b


@ms.jit
def scalars(x):
    a = np.array([1, 2])
    return a.sum(), np.sqrt(4.0), np.array([1, 2])[0], np.prod(x.shape), np.float32(1.5), np.bool_(True), np.int32(3)


@ms.jit
def beside(x):
    return np.array([1, 2]).sum() + x, np.sqrt(4.0) * x, np.array([1, 2])[0] - x, x / np.prod(x.shape)


@ms.jit
def narrow(x):
    return np.float64(2.5) + x.astype(ms.int32), np.float64(2.5) + x.astype(ms.float16), np.log(2.0) < x


@ms.jit
def inside(x):
    return {"a": np.int64(1), "b": [np.float64(i) for i in range(2)]}


@ms.jit
def by_operators(x):
    return ops.add(x, np.array([1.0, 2.0]).mean()), ops.mul(x, np.float64(2))


class Rooted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 2

    def construct(self, x):
        return self.count**-1 * x, np.sqrt(self.count) * x


def of_cell(x):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return Rooted()(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@ms.jit
def divided(x):
    return 7 / 0


@ms.jit
def remainder(x):
    return 7 % 0


@ms.jit
def missing(x):
    return {"a": x}["b"]


@ms.jit
def missing_outside(x):
    return x * known["b"]


@ms.jit
def raised(x):
    raise KeyError("a")


CASES = [
    *each(
        """
        powers(x)
        scaled(x)
        assigned(x)
        scalars(x)
        beside(x)
        narrow(x)
        inside(x)
        by_operators(x)
        of_cell(x)
        """
    ),
    Case("divided(x)", raises=ValueError),
    Case("remainder(x)", raises=ValueError),
    Case("missing(x)", raises=ValueError),
    Case("missing_outside(x)", raises=ValueError),
    Case("raised(x)", raises=KeyError),
    *each(
        """
        kept(np.float32(2)), kept(np.int8(2)), kept(np.bool_(True)), kept(np.float16(2))
        kinds(np.float32(2)), kinds(np.int8(2)), kinds(np.bool_(True)), kinds(np.int32(2)), kinds(np.float64(2))
        added(np.float32(2), x), added(np.float64(2), x), added(np.int64(2), x), added(np.bool_(True), x)
        added(np.float32(2), x.astype(ms.int32)), added(np.float64(2), x.astype(ms.float16))
        added(np.uint8(2), x.astype(ms.int8)), added(x, np.int32(2)), added(np.int8(2), 3), added(np.float32(2), 3)
        added(x=np.float32(2), y=x), added(np.float32(2), y=x)
        """
    ),
]
