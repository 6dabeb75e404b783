"""Layers for reinforcement learning. Judge: MindSpore 2.0."""

import pytest

from msbridge import float32, int32, int64, string
from msbridge.contrib.reinforcement import TensorArray
from msbridge.core.tensor.tensor import Tensor


def test_an_array_of_numbers():
    array = TensorArray(int64, ())
    assert array.write(0, 1)
    assert array.write(1, 2)
    assert array.read(1).asnumpy() == 2
    assert array.size().asnumpy() == 2
    assert array.stack().asnumpy().tolist() == [1, 2]
    assert array.clear()
    assert array.size().asnumpy() == 0
    assert array.close()


def test_an_array_of_vectors():
    array = TensorArray(float32, (2,))
    array.write(0, Tensor([1.0, 2.0], float32))
    array.write(1, Tensor([3.0, 4.0], float32))
    assert array.stack().asnumpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("arguments", "error"), [((1, ()), TypeError), ((string, ()), TypeError), ((int32, (), True, -1), ValueError)]
)
def test_bad_argument(arguments, error):
    with pytest.raises(error):
        TensorArray(*arguments)
