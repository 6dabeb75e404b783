"""Indices, masks, scatters, order: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Parameter, Tensor, ops


def f(*shape: int) -> Tensor:
    """0, 1, 2 … in float32."""
    return Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def v(values: object) -> Tensor:
    return Tensor(np.array(values, np.float32))


def i(values: object) -> Tensor:
    return Tensor(np.array(values, np.int32))


def b(values: object) -> Tensor:
    return Tensor(np.array(values, bool))


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
    (lambda: f(2, 2).masked_scatter(b([True, False]), v([8, 9])), "Float32", [[8, 1], [9, 3]]),
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
    (lambda: ops.scatter_nd(i([[0], [2], [0]]), v([1, 2, 3]), (4,)), "Float32", [4, 0, 2, 0]),
    (lambda: ops.SparseToDense()(i([[0, 1], [1, 0]]), v([5, 6]), (2, 2)), "Float32", [[0, 5], [6, 0]]),
    (lambda: ops.tensor_scatter_update(f(2, 2), i([[0], [1]]), f(2, 2) * 3), "Float32", [[0, 3], [6, 9]]),
    (lambda: ops.tensor_scatter_add(f(2, 2), i([[0, 0], [0, 0]]), v([9, 8])), "Float32", [[17, 1], [2, 3]]),
    (lambda: ops.tensor_scatter_mul(f(2, 2), i([[1, 0], [1, 0]]), v([9, 8])), "Float32", [[0, 1], [144, 3]]),
    (lambda: ops.tensor_scatter_div(f(2, 2), i([[1, 0], [1, 0]]), v([2, 2])), "Float32", [[0, 1], [0.5, 3]]),
    (lambda: ops.TensorScatterMax()(f(2, 2), i([[1, 0], [1, 0]]), v([2, 5])), "Float32", [[0, 1], [5, 3]]),
    (lambda: ops.tensor_scatter_elements(f(2, 2), i([[1, 0]]), v([[9, 8]]), 1, "add"), "Float32", [[8, 10], [2, 3]]),
    (lambda: ops.scatter(f(2, 3), 1, i([[1, 0, 2]]), v([[9, 8, 7]])), "Float32", [[8, 9, 7], [3, 4, 5]]),
    (lambda: f(3).scatter_add(i([[0], [0]]), v([1, 2])), "Float32", [3, 1, 2]),
    (lambda: f(2, 3).scatter_add(0, i([[1, 0, 1]]), v([[9, 8, 7]])), "Float32", [[0, 9, 2], [12, 4, 12]]),
    (lambda: ops.index_fill(f(3, 2), 1, i([0]), Tensor(9.0)), "Float32", [[9, 1], [9, 3], [9, 5]]),
    (lambda: f(3, 2).index_put((i([0, 1]), i([1, 0])), v([9, 8])), "Float32", [[0, 9], [8, 3], [4, 5]]),
    (lambda: ops.slice_scatter(f(2, 2), v([[9, 9]]), 0, 1, 2), "Float32", [[0, 1], [9, 9]]),
    (lambda: ops.select_scatter(f(2, 2), v([9, 9]), 0, 1), "Float32", [[0, 1], [9, 9]]),
    (lambda: ops.inplace_update(f(3, 2), v([[9, 8]]), (0,)), "Float32", [[9, 8], [2, 3], [4, 5]]),
    (lambda: ops.InplaceAdd((0,))(f(3, 2), v([[9, 8]])), "Float32", [[9, 9], [2, 3], [4, 5]]),
    (lambda: ops.unsorted_segment_sum(v([1, 2, 3]), i([0, -1, 1]), 3), "Float32", [1, 3, 0]),
    (lambda: ops.UnsortedSegmentSum()(f(3, 2), i([0, 0, 2]), 3), "Float32", [[2, 4], [0, 0], [4, 5]]),
    (lambda: ops.unsorted_segment_prod(v([1, 2, 3]), i([0, 0, 1]), 3), "Float32", [2, 3, 1]),
    (lambda: ops.SegmentMean()(f(3, 2), i([0, 0, 2])), "Float32", [[1, 2], [0, 0], [4, 5]]),
    (lambda: ops.SegmentMax()(v([1, 2, 3]), i([0, 0, 2])), "Float32", [2, 0, 3]),
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


WRITES = [
    (lambda p: ops.scatter_update(p, i([0, 0]), v([5, 6])), [6, 1, 2]),
    (lambda p: ops.ScatterUpdate()(p, i([2]), i([9])), [0, 1, 9]),
    (lambda p: ops.ScatterAdd()(p, i([[0, 1], [2, 0]]), f(2, 2)), [3, 2, 4]),
    (lambda p: ops.ScatterSub(use_locking=True)(p, i([0, 0]), v([5, 6])), [-11, 1, 2]),
    (lambda p: ops.scatter_mul(p, i([1, 1]), v([5, 6])), [0, 30, 2]),
    (lambda p: ops.scatter_div(p, i([1, 1]), v([2, 4])), [0, 0.125, 2]),
    (lambda p: ops.scatter_max(p, i([1, 1]), v([2, 4])), [0, 4, 2]),
    (lambda p: ops.scatter_min(p, i([1, 1]), v([2, -4])), [0, -4, 2]),
    (lambda p: ops.ScatterNdUpdate()(p, i([[1], [0]]), v([20, 40])), [40, 20, 2]),
    (lambda p: ops.scatter_nd_add(p, i([[1], [1]]), v([20, 40])), [0, 61, 2]),
    (lambda p: ops.scatter_nd_sub(p, i([[1], [1]]), v([20, 40])), [0, -59, 2]),
    (lambda p: ops.scatter_nd_max(p, i([[1], [2]]), v([20, -40])), [0, 20, 2]),
    (lambda p: ops.index_add(p, i([0, 2]), v([1, 2]), 0), [1, 1, 4]),
    (lambda p: ops.IndexAdd(axis=0)(p, i([0]), v([7])), [7, 1, 2]),
    (lambda p: p.index_add(0, i([1]), p[:1]), [0, 1, 2]),
]


@pytest.mark.parametrize(("write", "values"), WRITES)
def test_write_changes_the_parameter_and_gives_its_values(write: Callable, values: list) -> None:
    parameter = Parameter(f(3), name="p")
    result = write(parameter)
    assert type(result) is Tensor
    assert result.asnumpy().tolist() == parameter.asnumpy().tolist() == values


def test_scatter_writes_through_a_tensor_that_is_not_contiguous() -> None:
    """Judge: numpy."""
    x = f(2, 3).T
    ops.scatter_nd_update(x, i([[2, 1]]), v([9]))
    assert x.asnumpy().tolist() == [[0, 3], [1, 4], [2, 9]]


def test_scatter_to_a_weight_that_is_differentiated_keeps_the_gradient() -> None:
    """Judge: the chain rule; the write happens after the weight was used."""
    weight = Parameter(f(3), name="w")

    def forward() -> Tensor:
        loss = (weight * weight).sum()
        ops.scatter_update(weight, i([0]), v([9]))
        return loss

    gradient = ops.grad(forward, None, [weight])()
    assert gradient[0].asnumpy().tolist() == [0, 2, 4]
    assert weight.asnumpy().tolist() == [9, 1, 2]


MISTAKES = [
    (lambda: ops.gather(f(3, 2), i([3]), 0), RuntimeError, "out of range"),
    (lambda: ops.gather(f(3, 2), i([0]), 3), ValueError, r"axis must be in \[-2, 2\), got 3"),
    (lambda: ops.gather(f(3, 2), v([0]), 0), TypeError, "integers"),
    (lambda: ops.gather(f(3, 2), 1, 0), TypeError, "a Tensor is needed"),
    (lambda: ops.gather_elements(f(2, 2), 1, i([[2, 0], [1, 0]])), RuntimeError, "out of bounds"),
    (lambda: ops.gather_nd(f(2, 3), i([[2, 2]])), RuntimeError, "out of range"),
    (lambda: ops.scatter_update(f(3), i([5]), v([9])), RuntimeError, r"\[0, 3\), got 5"),
    (lambda: ops.TensorScatterAdd()(f(2, 2), i([[0, -1]]), v([9])), RuntimeError, r"\[0, 2\), got -1"),
    (lambda: ops.masked_fill(i([1, 2]), b([True, False]), 9.5), TypeError, "float does not fit"),
    (lambda: ops.masked_fill(f(2), i([1, 0]), 9.5), TypeError, "boolean masks"),
    (lambda: ops.select(i([1, 0]), v([1, 2]), v([3, 4])), TypeError, "must be Bool"),
    (lambda: ops.where(b([True, False]), f(3), f(2)), ValueError, "need to broadcast"),
    (lambda: ops.topk(v([1, 3, 2]), 5), ValueError, r"k must be in \(0, 3\], got 5"),
    (lambda: ops.one_hot(i([0]), -1), ValueError, "depth must be at least 0"),
    (lambda: ops.one_hot(i([0]), 2, axis=5), ValueError, "axis must be in"),
    (lambda: ops.slice(f(3, 3), (1, 0), (5, 2)), ValueError, "axis 0, of length 3"),
    (lambda: ops.strided_slice(f(3), (0,), (2,), (0,)), ValueError, "cannot be 0"),
    (lambda: ops.tensor_scatter_elements(f(2), i([0]), v([1]), 0, "foo"), ValueError, "reduction must be"),
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
    (lambda x: ops.topk(x, 2)[0], lambda x: x.topk(2)[0]),
    (lambda x: ops.select(x > 2, x, x * 3), lambda x: torch.where(x > 2, x, x * 3)),
    (lambda x: ops.tensor_scatter_mul(x, i([[0], [0]]), f(2, 3) + 1), lambda x: torch.stack((x[0] * f0, x[1], x[2]))),
    (lambda x: ops.unsorted_segment_sum(x, i([1, 0, 1]), 2), lambda x: torch.stack((x[1], x[0] + x[2]))),
]
f0 = torch.tensor([4.0, 10.0, 18.0])


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


def test_unsorted_segment_max_of_an_empty_segment_is_the_lowest_number() -> None:
    result = ops.unsorted_segment_max(v([1, 2]), i([0, 0]), 2)
    assert result.asnumpy().tolist() == [2, np.finfo(np.float32).min]


def test_one_hot_takes_the_dtype_of_its_values() -> None:
    one, zero = Tensor(1, ms.float16), Tensor(0, ms.float16)
    assert str(ops.OneHot()(i([0]), 2, one, zero).dtype) == "Float16"
