"""Operators on Python's values. Judge: Python; those that MindSpore's CPU computes are in the recorded cases."""

import numpy as np
import pytest

from msbridge import Tensor, ops
from msbridge.ops.framework.python_values import scalars, sequences

X, Y = Tensor(np.float32([1, 2])), Tensor(np.float32([3, 4]))


def test_a_slice_is_set_in_a_new_sequence() -> None:
    values = (1, 2, 3)
    assert sequences.SequenceSliceSetItem()(values, (7, 8), 0, 3, 2) == (7, 2, 8)
    assert values == (1, 2, 3)


def test_the_gradient_of_a_slice_is_zero_elsewhere() -> None:
    assert sequences.SequenceSliceGrad()((5, 6), (1, 2, 3, 9), 0, 4, 2) == (5, 0, 6, 0)


def test_the_gradient_of_a_product() -> None:
    assert sequences.ShapeMulGrad()((2, 3, 4), 5) == (60, 40, 30)


def test_offsets_in_a_sum_of_sequences() -> None:
    assert sequences.SequenceAddOffset()((1, 2), (2,)) == (0, 2)


def test_tensors_in_sequences() -> None:
    assert ops.equal(sequences.SequenceAddN()((X, Y)), X + Y).all()
    stacked = sequences.SequenceStack(1)([X, Y])
    assert ops.equal(stacked, ops.stack([X, Y], 1)).all()
    assert [one.asnumpy().tolist() for one in sequences.SequenceUnstack(1, 2)(stacked)] == [[1, 2], [3, 4]]


def test_old_spelling() -> None:
    assert scalars.ScalarFloordiv()(7, 2) == 3
    assert scalars.scalar_lt()(1, 2)


@pytest.mark.parametrize("module", [scalars, sequences])
def test_tables_are_sorted_and_documented(module: object) -> None:
    for name in module.__all__:
        assert "Follows:" in getattr(module, name).__doc__ or name.startswith("Sequence")
