"""Operators on dtypes that torch has no kernel for; the values are in the oracle's records."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, mint, nn, ops
from msbridge.ops.kernel_calls import wider_dtypes


def test_an_operator_that_torch_has_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wider_dtypes, "_Wider", None)
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


HALF = Tensor([1.0, 2.0], ms.float16)
MASK = Tensor([True, False])
LARGE = {
    "masked_fill": (lambda v: HALF.masked_fill(MASK, v), [-np.inf, 2]),
    "masked_fill of a Tensor": (lambda v: HALF.masked_fill(MASK, Tensor(v, ms.float32)), [-np.inf, 2]),
    "masked_fill_": (lambda v: HALF.copy().masked_fill_(MASK, v), [-np.inf, 2]),
    "fill_": (lambda v: HALF.copy().fill_(v), [-np.inf, -np.inf]),
    "clamp": (lambda v: ops.clamp(HALF, v, -v), [1, 2]),
    "clip_by_value": (lambda v: ops.clip_by_value(HALF, v, -v), [1, 2]),
    "hardtanh": (lambda v: ops.hardtanh(HALF, v, -v), [1, 2]),
    "pad": (lambda v: ops.pad(HALF, [1, 1], value=v), [-np.inf, 1, 2, -np.inf]),
    "index_fill": (lambda v: ops.index_fill(HALF, 0, Tensor([0], ms.int32), v), [-np.inf, 2]),
    "scatter": (lambda v: mint.scatter(HALF, 0, Tensor([0]), v), [-np.inf, 2]),
    "threshold": (lambda v: ops.threshold(HALF, 5.0, v), [-np.inf, -np.inf]),
    "full": (lambda v: ops.full((2,), v, dtype=ms.float16), [-np.inf, -np.inf]),
    "full_like": (lambda v: ops.full_like(HALF, v), [-np.inf, -np.inf]),
    "full_like of a Tensor": (lambda v: ops.full_like(HALF, Tensor(v, ms.float32)), [-np.inf, -np.inf]),
    "fill": (lambda v: ops.fill(ms.float16, (2,), v), [-np.inf, -np.inf]),
    "ConstantPad1d": (lambda v: nn.ConstantPad1d(1, v)(HALF.reshape(1, 1, 2)), [-np.inf, 1, 2, -np.inf]),
}


@pytest.mark.parametrize("name", LARGE)
def test_numbers_beyond_half_precision_are_infinite(name: str) -> None:
    """As recorded from MindSpore 2.10; torch refuses them."""
    call, wanted = LARGE[name]
    found = call(-1e9)
    assert found.dtype == ms.float16
    assert found.asnumpy().ravel().tolist() == wanted


def test_a_number_just_beyond_rounds_and_integers_wrap() -> None:
    assert HALF.masked_fill(MASK, -65519.0).asnumpy().tolist() == [-65504, 2]
    assert Tensor([1, 2], ms.int8).masked_fill(MASK, 300).asnumpy().tolist() == [44, 2]
    assert ops.full((1,), 2**40, dtype=ms.int32).asnumpy().tolist() == [0]


def test_gradients_of_a_fill_beyond_half_precision() -> None:
    found = ms.grad(lambda x: x.masked_fill(MASK, -1e9)[1])(HALF)
    assert found.asnumpy().tolist() == [0, 1]
