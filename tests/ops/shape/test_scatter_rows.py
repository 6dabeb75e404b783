"""Scatters into tensors and parameters: recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from msbridge import Parameter, Tensor, ops
from tests.tensors import f, i, v

VALUES = [
    (lambda: ops.scatter_nd(i([[0], [2], [0]]), v([1, 2, 3]), (4,)), "Float32", [4, 0, 2, 0]),
    (lambda: ops.SparseToDense()(i([[0, 1], [1, 0]]), v([5, 6]), (2, 2)), "Float32", [[0, 5], [6, 0]]),
    (lambda: ops.tensor_scatter_update(f(2, 2), i([[0], [1]]), f(2, 2) * 3), "Float32", [[0, 3], [6, 9]]),
    (lambda: ops.tensor_scatter_add(f(2, 2), i([[0, 0], [0, 0]]), v([9, 8])), "Float32", [[17, 1], [2, 3]]),
    (lambda: ops.tensor_scatter_mul(f(2, 2), i([[1, 0], [1, 0]]), v([9, 8])), "Float32", [[0, 1], [144, 3]]),
    (lambda: ops.tensor_scatter_div(f(2, 2), i([[1, 0], [1, 0]]), v([2, 2])), "Float32", [[0, 1], [0.5, 3]]),
    (lambda: ops.TensorScatterMax()(f(2, 2), i([[1, 0], [1, 0]]), v([2, 5])), "Float32", [[0, 1], [5, 3]]),
]


@pytest.mark.parametrize(("call", "dtype", "values"), VALUES)
def test_values(call: Callable[[], Tensor], dtype: str, values: list) -> None:
    result = call()
    assert str(result.dtype) == dtype
    assert result.asnumpy().tolist() == values


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
    (lambda: ops.scatter_update(f(3), i([5]), v([9])), RuntimeError, r"\[0, 3\), got 5"),
    (lambda: ops.TensorScatterAdd()(f(2, 2), i([[0, -1]]), v([9])), RuntimeError, r"\[0, 2\), got -1"),
]


@pytest.mark.parametrize(("call", "error", "says"), MISTAKES)
def test_mistake(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


GRADIENTS = [
    (lambda x: ops.tensor_scatter_mul(x, i([[0], [0]]), f(2, 3) + 1), lambda x: torch.stack((x[0] * f0, x[1], x[2]))),
]

f0 = torch.tensor([4.0, 10.0, 18.0])


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS)
def test_gradient_is_torchs(ours: Callable, theirs: Callable) -> None:
    leaf = torch.arange(9.0).reshape(3, 3).requires_grad_(True)
    (theirs(leaf) ** 2).sum().backward()
    assert np.allclose(ops.grad(lambda x: (ours(x) ** 2).sum())(f(3, 3)).asnumpy(), leaf.grad.numpy(), rtol=1e-6)
