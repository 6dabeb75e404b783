"""What the oracle has not recorded of Tensors in one piece of memory."""

import numpy as np

from msbridge import Parameter, Tensor
from msbridge.device.contiguous import ContiguousTensorsHandle


def test_tensors_of_several_types_keep_their_values() -> None:
    parts = [Tensor(np.array([1, 2, 3], np.int8)), Tensor(np.array([4.0, 5.0], np.float64))]
    ContiguousTensorsHandle(parts)
    assert parts[0].asnumpy().tolist() == [1, 2, 3]
    assert parts[1].asnumpy().tolist() == [4.0, 5.0]


def test_parameters_share_the_memory() -> None:
    weight = Parameter(Tensor(np.zeros((2, 2), np.float32)), name="weight")
    handle = ContiguousTensorsHandle([weight])
    weight[0, 1] = 7.0
    assert handle[1].asnumpy().tolist() == [7.0]
