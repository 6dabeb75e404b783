"""Gradients through casts to integers: what operators pass back to these is cut off to their dtype."""

import mindspore as ms
from mindspore import Tensor

from tests.oracle.case import Case, values


def product(t: Tensor) -> Tensor:
    return t.astype(ms.int32) * t


def total(t: Tensor) -> Tensor:
    return product(t).sum()


FUNCTIONS = (
    "t.astype(ms.int32) * 0.5",
    "t.astype(ms.int32) * t",
    "(t.astype(ms.int32) * t) ** 2",
    "t.int().float() * 1.5",
    "t.int() / 2",
    "ops.sin(t.int().float())",
    "(t.int() * 2).float() * 0.7",
    "(t.int() * t.int()).float() * 0.6",
    "t.int() + t * 0.3",
    "t.int() * Tensor([0.5, 1.5, 2.5])",
    "t.int().float().mean()",
    "t.int()[0] * 1.5",
    "(t - t.int()) * 0.5",
    "t.bool().float() * 0.5",
    "t.long() * 0.9",
    "t.int() * 2.7 + t.int() * 0.6",
    "t.astype(ms.int8) * 3.5 - t",
    "ops.cast(t, ms.int64) * t * t",
)
CASES = [
    Case(f"ms.grad(lambda t: {function})(x){end}", x=values(1.7, -2.3, 0.4))
    for function in FUNCTIONS
    for end in ("", ", ms.grad(lambda t: (" + function + ").sum() * 1.9)(x)")
] + [
    Case(f"ms.grad(lambda t: {function})(x)", x=values(1, -2, 3, dtype="int32"))
    for function in ("t * 0.5", "t * 0.6 + t * 0.6", "t * 2.7", "(t * t).float() * 0.5", "t * Tensor([0.5, 1.5, 2.5])")
]

CASES += [
    Case("ms.jacrev(ms.grad(total))(x)", x=values(1.0, 2.0, 3.0)),
    Case("ms.jacrev(product)(x)", x=values(1.0, 2.0, 3.0)),
]
