"""Order, search and distinct values: recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from tests.tensors import f, i, v

VALUES = [
    (lambda: ops.argsort(v([1, 1, 2, 2, 1]), descending=True), "Int32", [2, 3, 0, 1, 4]),
    (lambda: ops.searchsorted(v([1, 3, 5]), v([3, 6]), right=True), "Int64", [2, 3]),
    (lambda: ops.SearchSorted()(v([1, 3, 5]), v([3, 6])), "Int64", [1, 3]),
    (lambda: ops.NthElement(reverse=True)(v([[3, 1, 2]]), 0), "Float32", [3]),
    (lambda: ops.intopk(v([[1, 2, 3], [3, 2, 1]]), i([2, 2]), 1), "Bool", [True, False]),
    (lambda: ops.unique_consecutive(i([1, 1, 2, 1])), "Int32", [1, 2, 1]),
]


@pytest.mark.parametrize(("call", "dtype", "values"), VALUES)
def test_values(call: Callable[[], Tensor], dtype: str, values: list) -> None:
    result = call()
    assert str(result.dtype) == dtype
    assert result.asnumpy().tolist() == values


TUPLES = [
    (lambda: ops.topk(v([[1, 3, 2], [5, 4, 6]]), 1, 0), ("Float32", [[5, 4, 6]]), ("Int32", [[1, 1, 1]])),
    (lambda: ops.TopK()(v([1, 3, 2]), 2), ("Float32", [3, 2]), ("Int32", [1, 2])),
    (lambda: ops.topk(v([1, 3, 2]), i(2), largest=False), ("Float32", [1, 2]), ("Int32", [0, 2])),
    (lambda: ops.sort(v([1, 1, 2, 2, 1]), descending=True), ("Float32", [2, 2, 1, 1, 1]), ("Int32", [2, 3, 0, 1, 4])),
    (lambda: ops.Sort(axis=0)(i([3, 1, 2])), ("Int32", [1, 2, 3]), ("Int32", [1, 2, 0])),
    (lambda: ops.unique(v([3, 1, 3, 2])), ("Float32", [3, 1, 2]), ("Int32", [0, 1, 0, 2])),
    (lambda: ops.unique(Tensor([3, 1, 3])), ("Int64", [3, 1]), ("Int64", [0, 1, 0])),
    (lambda: ops.unique_with_pad(i([1, 2, 2]), 9), ("Int32", [1, 2, 9]), ("Int32", [0, 1, 1])),
    (lambda: ops.ListDiff()(i([1, 2, 3]), i([2])), ("Int32", [1, 3]), ("Int32", [0, 2])),
]


@pytest.mark.parametrize(("call", "first", "second"), TUPLES)
def test_pairs(call: Callable[[], tuple], first: tuple, second: tuple) -> None:
    assert tuple((str(part.dtype), part.asnumpy().tolist()) for part in call()) == (first, second)


MISTAKES = [
    (lambda: ops.topk(v([1, 3, 2]), 5), ValueError, r"k must be in \(0, 3\], got 5"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


GRADIENTS = [
    (lambda x: ops.topk(x, 2)[0], lambda x: x.topk(2)[0]),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    leaf = torch.arange(9.0).reshape(3, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.allclose(ops.grad(lambda x: (ours(x) ** 2).sum())(f(3, 3)).asnumpy(), leaf.grad.numpy(), rtol=1e-6)


def test_kthvalue_and_triangular_solve() -> None:
    assert [part.item() for part in Tensor([3.0, 1.0, 2.0]).kthvalue(2)] == [2.0, 2]
    upper = Tensor([[2.0, 1.0], [0.0, 4.0]])
    assert Tensor([[4.0], [4.0]]).triangular_solve(upper)[0].tolist() == [[1.5], [1.0]]
