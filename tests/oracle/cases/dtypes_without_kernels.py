"""Dtypes for which torch has no kernel and MindSpore has one: each operator on all of these."""

from collections.abc import Callable

import numpy as np
from mindspore import Tensor

from tests.oracle.case import Case

UNSIGNED = ("uint16", "uint32", "uint64")
INTEGERS = ("int8", "int32", "int64")
LEFT = [[1, 0, 3, 2], [2, 65000, 1, 1], [0, 2, 3, 3]]
RIGHT = [[2, 1, 1, 3], [1, 1, 2, 2], [3, 65530, 1, 2]]
PLACES = [[0, 1], [1, 0], [2, 2]]


def of(data: list, dtype: str) -> Tensor:
    """Values modulo the dtype's range, with a few above that of the signed type in uint64."""
    array = np.array(data).astype(dtype)
    if dtype == "uint64":
        array[array == 65000] = 2**64 - 5000
    return Tensor(array)


def on(dtypes: tuple[str, ...], operator: Callable) -> dict[str, object]:
    """The operator on each dtype."""
    return {dtype: operator(of(LEFT, dtype), of(RIGHT, dtype)) for dtype in dtypes}


def small(dtypes: tuple[str, ...], operator: Callable) -> dict[str, object]:
    """The operator on each dtype, with numbers that all of them hold."""
    x, y = np.array(LEFT) % 5, np.array(RIGHT) % 5
    return {dtype: operator(Tensor(x.astype(dtype)), Tensor(y.astype(dtype))) for dtype in dtypes}


def each(template: str, *operators: str) -> list[Case]:
    """One case for each operator in place of the braces."""
    return [Case(template.format(operator)) for operator in operators]


def square(x: Tensor) -> Tensor:
    return x[:3, :3]


CASES = [
    *each(
        "on(UNSIGNED, lambda x, y: {})",
        "ops.neg(x)",
        "ops.square(x)",
        "ops.invert(x)",
        "ops.logical_not(x)",
        "ops.logical_and(x, y)",
        "ops.logical_xor(x, y)",
        "ops.nonzero(x)",
        "ops.flip(x, (1,))",
        "ops.triu(x)",
        "ops.tril(x)",
        "ops.rot90(x, 1, (0, 1))",
        "ops.gather_d(x, 1, Tensor(PLACES))",
        "ops.scatter(x, 1, Tensor([[0], [1], [2]]), y[:, :1])",
        "ops.tensor_scatter_add(x, Tensor([[0], [2]]), y[:2])",
        "ops.masked_fill(x, x > y, Tensor(1, x.dtype))",
        "ops.bmm(x[None], y.T[None])",
        "ops.assign_add(ms.Parameter(x, name='x'), y)",
        "ops.bitwise_left_shift(x, x - x)",
        "ops.cumsum(x, 1)",
        "ops.trace(x)",
        "ops.max(x, 1)",
        "ops.min(x, 1)",
        "ops.amax(x, 1)",
        "ops.amin(x)",
        "ops.argmax(x, 1)",
        "ops.Argmin()(x)",
        "ops.cummax(x, 1)",
        "ops.topk(x, 1)",
        "ops.minimum(x, y)",
        "x.max()",
        "x.argmin(1)",
        "ops.ArgMaxWithValue(1)(x)",
        "mint.max(x)",
    ),
    *each("small(UNSIGNED, lambda x, y: {})", "ops.relu(x)", "ops.heaviside(x, y)"),
    *each(
        "small(('bool',), lambda x, y: {})", "ops.relu(x)", "ops.leaky_relu(x)", "ops.trunc(x)", "ops.fmod(x, y | ~y)"
    ),
    *each(
        "small(INTEGERS, lambda x, y: {})", "ops.hardswish(x)", "ops.hardsigmoid(x)", "ops.leaky_relu(x)", "ops.frac(x)"
    ),
    Case("small(('int8', 'int32'), lambda x, y: ops.selu(x))"),
    Case("small(INTEGERS, lambda x, y: ops.nansum(x, 1))"),
    *each(
        "small(('float16',), lambda x, y: {})",
        "ops.bessel_j0(x)",
        "ops.bessel_j1(x)",
        "ops.bessel_k0(x + 1)",
        "ops.bessel_k1e(x + 1)",
        "ops.bessel_y0(x + 1)",
        "ops.cdist(x, y)",
        "ops.det(square(x) + 1)",
        "ops.logdet(square(x) @ square(x).T + ops.eye(3, 3, ms.float16))",
        "ops.cov(x)",
        "ops.histc(x, 4)",
    ),
    *each(
        "small(('complex64',), lambda x, y: {})",
        "ops.sign(x)",
        "(x + 1) // (y + 1)",
        "7 // (x + 1)",
        "ops.remainder(x + 1, y + 2)",
        "ops.xlogy(x, y + 1)",
        "ops.logsigmoid(x)",
    ),
]
