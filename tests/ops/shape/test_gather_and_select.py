"""Indices, masks and slices: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops
from tests.tensors import b, f, i, v

VALUES = [
    (lambda: ops.gather(f(3, 2), i([[0], [2]]), 0), "Float32", [[[0, 1]], [[4, 5]]]),
    (lambda: ops.gather(f(3, 2), i(1), 0), "Float32", [2, 3]),
    (lambda: ops.gather(f(3, 2), i([-1]), 0), "Float32", [[4, 5]]),
    (lambda: ops.gather(f(2, 3), i([[0, 1], [2, 0]]), 1, 1), "Float32", [[0, 1], [5, 3]]),
    (lambda: ops.Gather()(f(3, 2), i([1]), 1), "Float32", [[1], [3], [5]]),
    (lambda: ops.GatherV2()(f(3, 2), i([1]), 0), "Float32", [[2, 3]]),
    (lambda: f(2, 3).gather(i([0]), axis=1), "Float32", [[0], [3]]),
    (lambda: f(2, 3).gather(1, i([[0], [1]])), "Float32", [[0], [4]]),
    (lambda: ops.gather_d(f(2, 2), 1, i([[0, 0], [1, 0]])), "Float32", [[0, 0], [3, 2]]),
    (lambda: ops.gather_elements(f(2, 2), 1, i([[-1, 0], [1, 0]])), "Float32", [[1, 0], [3, 2]]),
    (lambda: ops.gather_nd(f(2, 3), i([[0, 0], [1, 2]])), "Float32", [0, 5]),
    (lambda: ops.GatherNd()(f(2, 3), i([[1]])), "Float32", [[3, 4, 5]]),
    (lambda: ops.index_select(f(3, 2), 0, i([0, 2])), "Float32", [[0, 1], [4, 5]]),
    (lambda: f(2, 2).take(i([0, 1]), 1), "Float32", [[0, 1], [2, 3]]),
    (lambda: i([0, 1]).choose([v([1, 2]), v([3, 4])]), "Float32", [1, 4]),
    (lambda: ops.masked_fill(f(2, 2), b([True, False]), 9.0), "Float32", [[9, 1], [9, 3]]),
    (lambda: ops.MaskedFill()(f(2), b([True, False]), Tensor(5.0)), "Float32", [5, 1]),
    (lambda: ops.masked_select(f(2, 2), b([True, False])), "Float32", [0, 2]),
    (lambda: ops.select(b([True, False]), i([1, 2]), 2.5), "Float32", [1, 2.5]),
    (lambda: ops.Select()(b([[True], [False]]), v([1, 2]), v([3, 4])), "Float32", [[1, 2], [3, 4]]),
    (lambda: v([1, 2]).select(b([True, False]), v([3, 4])), "Float32", [1, 4]),
    (lambda: f(2, 2).select(0, 1), "Float32", [2, 3]),
    (lambda: ops.where(b([True, False]), 1, 0), "Int64", [1, 0]),
    (lambda: ops.where(b([True, False]), i([1, 2]), v([0.5])), "Float32", [1, 0.5]),
    (lambda: ops.nonzero(v([[0, 1], [2, 0]])), "Int64", [[0, 1], [1, 0]]),
    (lambda: ops.one_hot(i([0, 2]), 3), "Int64", [[1, 0, 0], [0, 0, 1]]),
    (lambda: ops.one_hot(i([0, 5, -1]), 2, Tensor(1.0), Tensor(0.0)), "Float32", [[1, 0], [0, 0], [0, 0]]),
    (lambda: ops.OneHot(axis=0)(i([0, 2]), 3, Tensor(1.0), Tensor(0.0)), "Float32", [[1, 0], [0, 0], [0, 1]]),
    (lambda: ops.slice(f(3, 3), (1, 0), (-1, 2)), "Float32", [[3, 4], [6, 7]]),
    (lambda: ops.strided_slice(f(3, 3), (2, 1), (0, 3), (-1, 1)), "Float32", [[7, 8], [4, 5]]),
    (lambda: ops.StridedSlice(0, 0, 0, 0, 1)(f(3, 3), (1, 0), (2, 3), (1, 1)), "Float32", [3, 4, 5]),
    (lambda: ops.strided_slice(f(3, 3), (1, 1), (3, 2), (1, 1), begin_mask=1), "Float32", [[1], [4], [7]]),
    (lambda: ops.sequence_mask(i([1, 3]), 4), "Bool", [[True, False, False, False], [True, True, True, False]]),
    (lambda: ops.UnravelIndex()(i([5, 1]), i([2, 3])), "Int32", [[1, 0], [2, 1]]),
]


@pytest.mark.parametrize(("call", "dtype", "values"), VALUES)
def test_values(call: Callable[[], Tensor], dtype: str, values: list) -> None:
    result = call()
    assert str(result.dtype) == dtype
    assert result.asnumpy().tolist() == values


MISTAKES = [
    (lambda: ops.gather(f(3, 2), i([3]), 0), RuntimeError, "out of range"),
    (lambda: ops.gather(f(3, 2), i([0]), 3), ValueError, r"axis must be in \[-2, 2\), got 3"),
    (lambda: ops.gather(f(3, 2), v([0]), 0), TypeError, "integers"),
    (lambda: ops.gather(f(3, 2), 1, 0), TypeError, "input_indices must be a Tensor, got 1"),
    (lambda: ops.gather_elements(f(2, 2), 1, i([[2, 0], [1, 0]])), RuntimeError, "out of range"),
    (lambda: ops.gather_nd(f(2, 3), i([[2, 2]])), RuntimeError, "out of range"),
    (lambda: ops.masked_fill(i([1, 2]), b([True, False]), 9.5), TypeError, "float does not fit"),
    (lambda: ops.masked_fill(f(2), i([1, 0]), 9.5), TypeError, "the mask must be bool"),
    (lambda: ops.select(i([1, 0]), v([1, 2]), v([3, 4])), TypeError, "must be Bool"),
    (lambda: ops.where(b([True, False]), f(3), f(2)), ValueError, "need to broadcast"),
    (lambda: ops.one_hot(i([0]), -1), ValueError, "depth must be at least 0"),
    (lambda: ops.one_hot(i([0]), 2, axis=5), ValueError, "axis must be in"),
    (lambda: ops.slice(f(3, 3), (1, 0), (5, 2)), ValueError, "axis 0, of length 3"),
    (lambda: ops.strided_slice(f(3), (0,), (2,), (0,)), ValueError, "cannot be 0"),
    (lambda: f(2).select(1), TypeError, "select"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


INDEX = torch.tensor([[2, 0], [0, 0]])
GRADIENTS = [
    (lambda x: ops.gather(x, Tensor(INDEX), 0), lambda x: x[INDEX]),
    (lambda x: ops.gather(x, Tensor([-1, 0]), 1), lambda x: x[:, [-1, 0]]),
    (lambda x: ops.gather_nd(x, Tensor(INDEX)), lambda x: x[INDEX[:, 0], INDEX[:, 1]]),
    (lambda x: ops.select(x > 2, x, x * 3), lambda x: torch.where(x > 2, x, x * 3)),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    leaf = torch.arange(9.0).reshape(3, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.allclose(ops.grad(lambda x: (ours(x) ** 2).sum())(f(3, 3)).asnumpy(), leaf.grad.numpy(), rtol=1e-6)


def test_strided_slice_inserts_and_skips_axes() -> None:
    assert ops.strided_slice(f(2, 3, 4), (0, 1), (1, 3), (1, 1), ellipsis_mask=1).shape == (2, 3, 2)
    assert ops.strided_slice(f(3, 3), (0, 1), (1, 3), (1, 1), new_axis_mask=1).shape == (1, 2, 3)


def test_batched_gather_beyond_the_batch_axis() -> None:
    """Judge: numpy, batch by batch."""
    data, index = f(2, 3, 4), np.array([[0, 3], [1, 1]])
    expected = np.stack([data.asnumpy()[n][:, index[n]] for n in range(2)])
    assert np.array_equal(ops.gather(data, i(index), 2, 1).asnumpy(), expected)


def test_one_hot_takes_the_dtype_of_its_values() -> None:
    one, zero = Tensor(1, ms.float16), Tensor(0, ms.float16)
    assert str(ops.OneHot()(i([0]), 2, one, zero).dtype) == "Float16"


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", [ms.uint8, ms.int32, ms.int64])
@pytest.mark.parametrize("depth", [8, 300])
def test_large_one_hot_marks_what_small_ones_mark(depth, dtype, axis) -> None:
    indices = np.arange(0 if dtype == ms.uint8 else -2, 240).reshape(-1, 2)
    on, off = Tensor(0.5, ms.float16), Tensor(-1.0, ms.float16)
    found = ops.one_hot(Tensor(indices, dtype), depth, on, off, axis).asnumpy()
    wanted = np.where(indices[..., None] == np.arange(depth), 0.5, -1)
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, np.moveaxis(wanted, -1, axis))
