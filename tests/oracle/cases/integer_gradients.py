"""Gradients with respect to integers, and those of factors that are half read.

What writes into integers has one, too: see `msbridge/core/tensor/integer_gradients.py`.
"""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.scipy import linalg  # noqa: F401  # the expressions name it

from tests.oracle.case import Case, each, ints, rand

AT = Tensor([1, 0], ms.int32)
PLACES = Tensor([[0, 1], [1, 1]])


def grads(fn: Callable, *inputs: Tensor) -> tuple:
    return ms.grad(fn, tuple(range(len(inputs))))(*inputs)


def weighed(values: Tensor) -> Tensor:
    return (values * ops.cos(ops.arange(values.size).astype(values.dtype)).reshape(values.shape)).sum()


def total(values: Tensor) -> Tensor:
    return (values * (ops.arange(values.size).reshape(values.shape) + 1).astype(values.dtype)).sum()


OF_TWO = """
    grads(lambda p, q: total(ops.index_add(p, AT, q, 0)), x, y)
    grads(lambda p, q: total(p.index_add(0, AT, q)), x, y)
    grads(lambda p, q: total(ops.scatter_nd(Tensor([[0], [2]]), q, (3, 3))), x, y)
    grads(lambda p, q: total(ops.tensor_scatter_add(p, PLACES, q[0, :2])), x, y)
    grads(lambda p, q: total(ops.tensor_scatter_sub(p, PLACES, q[0, :2])), x, y)
    grads(lambda p, q: total(ops.tensor_scatter_update(p, PLACES, q[0, :2])), x, y)
    grads(lambda p, q: total(ops.cumsum(p, 0) * q), x, y)
    grads(lambda p, q: total(ops.sum(p, 1)), x, y)
    grads(lambda p, q: total(ops.prod(p, 1)), x, y)
    grads(lambda p, q: total(p.sum(0)), x, y)
    grads(lambda p, q: total(ops.sort(p)[0]), x, y)
    grads(lambda p, q: total(ops.topk(p, 2)[0]), x, y)
    grads(lambda p, q: total(ops.unsorted_segment_sum(p, AT, 2)), x, y)
    grads(lambda p, q: total(ops.gather(p, AT, 1)), x, y)
    grads(lambda p, q: total(ops.gather_nd(p, PLACES)), x, y)
    grads(lambda p, q: total(ops.masked_fill(p, p > 2, q[0, 0])), x, y)
    grads(lambda p, q: total(ops.where(p > 2, p, q)), x, y)
"""

CASES = [
    *each(OF_TWO, x=ints(2, 3, low=1), y=ints(2, 3, low=1)),
    *each(
        """
        grads(lambda p, q: total(ops.index_add(p, AT, q, 0)), x.astype(ms.uint8), y.astype(ms.uint8))
        grads(lambda p, q: total(ops.index_add(p, AT, q, 0)), x.astype(ms.int8), y.astype(ms.int8))
        grads(lambda p, q: total(ops.index_add(p, AT, q, 0)), x.astype(ms.int16), y.astype(ms.int16))
        grads(lambda p, q: total(ops.unsorted_segment_sum(p, AT, 2)), x, y)
        """,
        x=ints(2, 3, low=1, dtype="int64"),
        y=ints(2, 3, low=1, dtype="int64"),
    ),
    *each(
        """
        grads(lambda p, q: weighed(linalg.cho_solve((p, False), q)), a + 3 * ops.eye(3), b)
        grads(lambda p, q: weighed(linalg.cho_solve((p, True), q)), a + 3 * ops.eye(3), b)
        grads(lambda p: weighed(linalg.eigh(p, eigvals_only=True)), a)
        """,
        a=rand(3, 3),
        b=rand(3, 2),
    ),
    Case("grads(lambda p, q: total(p.max(1)[0]), x, y)", x=ints(2, 3, low=1), y=ints(2, 3, low=1)),
]
