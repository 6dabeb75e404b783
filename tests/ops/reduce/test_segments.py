"""Sums and extremes of segments: recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from tests.tensors import f, i, v

VALUES = [
    (lambda: ops.unsorted_segment_sum(v([1, 2, 3]), i([0, -1, 1]), 3), "Float32", [1, 3, 0]),
    (lambda: ops.UnsortedSegmentSum()(f(3, 2), i([0, 0, 2]), 3), "Float32", [[2, 4], [0, 0], [4, 5]]),
    (lambda: ops.unsorted_segment_prod(v([1, 2, 3]), i([0, 0, 1]), 3), "Float32", [2, 3, 1]),
    (lambda: ops.SegmentMean()(f(3, 2), i([0, 0, 2])), "Float32", [[1, 2], [0, 0], [4, 5]]),
    (lambda: ops.SegmentMax()(v([1, 2, 3]), i([0, 0, 2])), "Float32", [2, 0, 3]),
]


@pytest.mark.parametrize(("call", "dtype", "values"), VALUES)
def test_values(call: Callable[[], Tensor], dtype: str, values: list) -> None:
    result = call()
    assert str(result.dtype) == dtype
    assert result.asnumpy().tolist() == values


GRADIENTS = [
    (lambda x: ops.unsorted_segment_sum(x, i([1, 0, 1]), 2), lambda x: torch.stack((x[1], x[0] + x[2]))),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    leaf = torch.arange(9.0).reshape(3, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.allclose(ops.grad(lambda x: (ours(x) ** 2).sum())(f(3, 3)).asnumpy(), leaf.grad.numpy(), rtol=1e-6)


def test_unsorted_segment_max_of_an_empty_segment_is_the_lowest_number() -> None:
    result = ops.unsorted_segment_max(v([1, 2]), i([0, 0]), 2)
    assert result.asnumpy().tolist() == [2, np.finfo(np.float32).min]
