"""Comparison, logic and bits. Judge: the real MindSpore 2.10 (values written down from it)."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops


def test_comparisons_mix_dtypes() -> None:
    x = Tensor([1, 2, 3])
    assert (x == Tensor([1.0, 2.5, 3.0])).tolist() == [True, False, True]
    assert (x < 2.5).tolist() == [True, True, False]
    assert (x < 2).tolist() == [True, False, False]
    assert ops.GreaterEqual()(x, 2).dtype == ms.bool_


@pytest.mark.parametrize("other", [None, "a", [1, 2, 3], (1, 2, 3), {}, object()])
def test_what_is_no_tensor_is_never_equal(other) -> None:
    x = Tensor([1, 2, 3])
    assert (x == other) is False
    assert (x != other) is True


def test_order_with_none_is_refused() -> None:
    with pytest.raises(TypeError, match="For 'less', other must be a number or a Tensor, got None"):
        assert Tensor([1]) < None


def test_shapes_that_do_not_broadcast_are_refused() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        assert Tensor([1, 2, 3]) == Tensor([1, 2])


def test_tensors_can_be_keys() -> None:
    x, y = Tensor([1]), Tensor([1])
    assert {x: 1, y: 2}[y] == 2


def test_logic_takes_numbers() -> None:
    x = Tensor([1, 0])
    assert ops.logical_and(x, Tensor([2, 2])).tolist() == [True, False]
    assert ops.logical_xor(x, True).tolist() == [False, True]
    assert (~x).tolist() == [False, True]


def test_bits() -> None:
    x, y = Tensor([6, 1]), Tensor([3, 1])
    assert (x & y).tolist() == [2, 1]
    assert (x | 1).tolist() == [7, 1]
    assert (x ^ y).tolist() == [5, 0]
    assert ops.invert(x).tolist() == [-7, -2]
    assert ops.LeftShift()(x, y).tolist() == [48, 2]
    assert ops.bitwise_right_shift(x, 1).tolist() == [3, 0]


@pytest.mark.parametrize("make", [np.transpose, lambda x: x[:0], lambda x: x[0, 1], lambda x: x.astype(np.uint16)])
def test_bits_are_counted_in_every_layout(make) -> None:
    """Judge: Python's int.bit_count."""
    x = make(np.arange(6).reshape(2, 3))
    counts = ops.population_count(Tensor(x))
    assert (counts.dtype, counts.shape) == (ms.uint8, x.shape)
    assert counts.asnumpy().ravel().tolist() == [int(value).bit_count() for value in x.ravel()]


def test_bits_of_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="bitwise_and"):
        Tensor([1.0]) & Tensor([1.0])


def test_closeness() -> None:
    x, y = Tensor([1.0, float("nan")]), Tensor([1.0 + 1e-7, float("nan")])
    assert ops.isclose(x, y).tolist() == [True, False]
    assert ops.IsClose(equal_nan=True)(x, y).tolist() == [True, True]
    assert ops.ApproximateEqual(2.0)(Tensor([1.0]), Tensor([2.5])).tolist() == [True]
    assert x.allclose(y) is False


def test_questions_about_tensors() -> None:
    assert ops.is_tensor(Tensor(1))
    assert not ops.is_tensor(1)
    assert ops.is_floating_point(Tensor([1.0])) is True
    assert ops.is_nonzero(Tensor(3)) is True
    with pytest.raises(ValueError, match="one element"):
        ops.is_nonzero(Tensor([1, 2]))


def test_equal_count() -> None:
    assert ops.EqualCount()(Tensor([1, 2, 3]), Tensor([1, 0, 3])).tolist() == [2]
