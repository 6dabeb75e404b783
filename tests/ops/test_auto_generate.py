"""The primitives of mint: each is a face of the function of that name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, mint
from msbridge.ops import auto_generate as primitives

X = Tensor([[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]])
ROWS = [
    (primitives.AddExt(), (X, X, 2), lambda: mint.add(X, X, alpha=2)),
    (primitives.SubExt(), (X, X, 2), lambda: mint.sub(X, X, alpha=2)),
    (primitives.SumExt(), (X, 1, True), lambda: mint.sum(X, 1, True)),
    (primitives.MeanExt(), (X, 0, False, ms.float16), lambda: mint.mean(X, 0, dtype=ms.float16)),
    (primitives.MatMulExt(), (X, X.T), lambda: mint.matmul(X, X.T)),
    (primitives.BatchMatMulExt(), (X[None], X.T[None]), lambda: mint.bmm(X[None], X.T[None])),
    (primitives.StackExt(dim=1), ((X, X),), lambda: mint.stack((X, X), 1)),
    (primitives.TopkExt(), (X, 2, 1, False), lambda: mint.topk(X, 2, 1, False)),
    (primitives.SortExt(), (X, 0, True), lambda: mint.sort(X, dim=0, descending=True)),
    (primitives.CumsumExt(), (X, 1), lambda: mint.cumsum(X, 1)),
    (primitives.ZerosLikeExt(), (X, ms.int32), lambda: mint.zeros_like(X, dtype=ms.int32)),
    (primitives.IndexSelect(), (X, 1, Tensor([2, 0])), lambda: mint.index_select(X, 1, Tensor([2, 0]))),
    (primitives.SplitWithSize(), (X, (1, 2), 1), lambda: mint.split(X, [1, 2], 1)),
    (primitives.FmodScalar(), (X, 2), lambda: mint.fmod(X, 2)),
    (primitives.Outer(), (X[0], X[1]), lambda: mint.outer(X[0], X[1])),
    (primitives.SiLU(), (X,), lambda: mint.nn.functional.silu(X)),
    (primitives.Scatter(), (X, 1, Tensor([[0], [2]]), X), lambda: mint.scatter(X, 1, Tensor([[0], [2]]), X)),
    (
        primitives.Scatter(),
        (X, 1, Tensor([[0], [2]]), X, "add"),
        lambda: mint.scatter_add(X, 1, Tensor([[0], [2]]), X),
    ),
]


@pytest.mark.parametrize(("primitive", "given", "wanted"), ROWS, ids=lambda value: getattr(value, "name", ""))
def test_a_primitive_is_its_function(primitive: Callable, given: tuple, wanted: Callable[[], Any]) -> None:
    found, expected = primitive(*given), wanted()
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for ours, theirs in pairs:
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


def test_what_has_an_attribute_takes_it_first() -> None:
    marks = primitives.OneHotExt(axis=-1)(Tensor([1, 0]), 3, Tensor(5.0), Tensor(0.0))
    assert marks.asnumpy().tolist() == [[0.0, 5.0, 0.0], [5.0, 0.0, 0.0]]
    halves = Tensor([[1.0, 2.0]])
    assert np.allclose(primitives.Swiglu()(halves, 1), mint.nn.functional.silu(halves[:, :1]) * 2)


def test_an_unknown_reduction_is_refused() -> None:
    with pytest.raises(ValueError, match="reduce must be one of"):
        primitives.Scatter()(X, 1, Tensor([[0], [2]]), X, "mean")
