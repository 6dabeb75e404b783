"""Hooks that return gradients of another dtype or too many, and gradients of integers that nothing casts back."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops  # noqa: F401  used by the expressions

from tests.oracle.case import Case


def of_tensor(hook: Callable, after: Callable) -> Tensor:
    def function(x):
        y = x * 2
        y.register_hook(hook)
        return after(y)

    return ms.grad(function)(Tensor([1.0, 3.0, -2.5]))


def of_cell(cell: nn.Cell, hook: Callable) -> Tensor:
    cell.register_backward_pre_hook(hook)
    return ms.grad(lambda x: cell(x).sum())(Tensor([[1.0, 3.0, -2.5]]))


AFTER = ("lambda y: (y * y).sum()", "lambda y: ops.abs(y).sum()", "lambda y: ops.sin(y).mean()", "lambda y: y.sum()")
HALVED = "x x[0] x.T x.reshape(3,1) x.expand_dims(0) -x ops.square(x) ops.broadcast_to(x,(2,3))"

CASES = [
    *(Case(f"of_tensor(lambda g: g.astype(ms.float16), {after})") for after in AFTER),
    *(Case(f"of_tensor(lambda g: g.astype(ms.float64), {after})") for after in AFTER),
    *(
        Case(f"of_cell({cell}, lambda c, g: (g[0], g[0]))", raises=TypeError, says="gradients")
        for cell in ("nn.ReLU()", "nn.Tanh()", "nn.Dense(3, 2)")
    ),
    Case("of_cell(nn.ReLU(), lambda c, g: g[0] * 2)"),
    *(
        Case(f"ms.grad(lambda x: {x} / 2)(Tensor([1, 3, 2], ms.{dtype}))")
        for x in HALVED.split()
        for dtype in ("int32", "int64", "int8")
    ),
]
