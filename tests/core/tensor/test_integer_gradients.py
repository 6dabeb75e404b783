"""Gradients of integers, against MindSpore's rule: the operators' own gradients, in the dtype of the input."""

import numpy as np
import torch

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.core.tensor.integer_gradients import Dual

NUMBERS = Tensor([1, 2, 3])
FLOATS = Tensor([1.5, -2.5, 0.5])


def test_integer_has_the_gradient_of_its_operators() -> None:
    gradient = ms.grad(lambda a: (a * a * a).sum() + (a * 2).sum())(NUMBERS)
    assert gradient.dtype == ms.int64
    assert gradient.asnumpy().tolist() == [5, 14, 29]


def test_floats_beside_an_integer_keep_their_own_gradient() -> None:
    of_numbers, of_floats = ms.grad(lambda a, b: a * b * b, (0, 1))(NUMBERS, FLOATS)
    np.testing.assert_allclose(of_floats.asnumpy(), [3.0, -10.0, 3.0])
    assert of_numbers.asnumpy().tolist() == [2, 6, 0]


def test_gradient_passes_through_a_cast_to_integers() -> None:
    gradient = ms.grad(lambda a: a.astype(ms.int32).astype(ms.float32) * 3)(FLOATS)
    np.testing.assert_allclose(gradient.asnumpy(), [3.0, 3.0, 3.0])


def test_indices_have_no_gradient_and_what_they_pick_has() -> None:
    of_table, of_indices = ms.grad(lambda a, i: ops.gather(a, i, 0) * 2, (0, 1))(FLOATS, Tensor([0, 0, 2]))
    np.testing.assert_allclose(of_table.asnumpy(), [4.0, 0.0, 2.0])
    assert of_indices.asnumpy().tolist() == [0, 0, 0]


def test_nothing_of_it_is_left_outside() -> None:
    output, gradient = ms.value_and_grad(lambda a: a * a)(NUMBERS)
    assert type(output._data) is torch.Tensor
    assert type(gradient._data) is torch.Tensor


def test_writing_into_an_integer_ends_its_history() -> None:
    def written(a: Tensor) -> Tensor:
        a = a * 1
        a[0] = 7
        return a * FLOATS

    assert not isinstance(ms.value_and_grad(written)(NUMBERS)[0]._data, Dual)
