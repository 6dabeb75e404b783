"""Operators on dtypes that torch has no kernel for; the values are in the oracle's records."""

import numpy as np
import pytest
import torch

from msbridge import Tensor, ops
from msbridge.ops import wider


def test_an_operator_that_torch_has_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wider, "_Wider", None)
    assert ops.neg(Tensor([1.0])).asnumpy() == [-1.0]


def test_the_highest_bit_counts_in_the_order_of_uint64() -> None:
    x = Tensor(np.array([1, 2**63 + 1, 5], np.uint64))
    values, places = ops.topk(x, 2)
    assert values.asnumpy().tolist() == [2**63 + 1, 5]
    assert places.asnumpy().tolist() == [1, 2]
    assert int(ops.argmax(x)) == 1


def test_gradients_go_through_the_wider_type() -> None:
    x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], dtype=torch.float16, requires_grad=True)
    ops.det(Tensor(x))._data.backward()
    assert x.grad is not None
    assert x.grad.dtype is torch.float16
    assert x.grad.tolist() == [[3.0, -1.0], [-1.0, 2.0]]


def test_what_no_type_takes_is_said_as_ever() -> None:
    with pytest.raises(TypeError, match="For 'lgamma', the dtypes do not fit: input complex64"):
        ops.lgamma(Tensor(np.ones(2, np.complex64)))


def test_a_second_failure_is_that_of_the_operator() -> None:
    with pytest.raises(ValueError, match="bmm"):
        ops.bmm(Tensor(np.ones((1, 2, 3), np.uint16)), Tensor(np.ones((1, 2, 3), np.uint16)))
