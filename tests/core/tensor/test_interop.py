"""Tensors of other memory, and of each other's."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn
from msbridge.core.tensor import interop


def test_frombuffer_shares_what_can_be_written() -> None:
    buffer = bytearray(b"\x01\x02")
    tensor = ms.frombuffer(buffer, ms.uint8)
    buffer[0] = 9
    assert tensor.tolist() == [9, 2]
    assert ms.frombuffer(b"\x01\x02", ms.uint8).tolist() == [1, 2]
    assert ms.frombuffer(np.arange(3, dtype=np.int32), ms.int32, offset=4).tolist() == [1, 2]


def test_a_layer_computes_with_what_its_weight_was_swapped_for() -> None:
    net = nn.Dense(2, 1, has_bias=False)
    other = Parameter(Tensor([[1.0, 10.0]], ms.float32), name="other")
    weight = net.weight
    ms.swap_tensors(weight, other)
    assert net(Tensor([[1.0, 2.0]], ms.float32)).tolist() == [[21.0]]
    assert (net.weight is weight, weight.name) == (True, "other")


def test_a_tensor_takes_the_memory_of_another() -> None:
    memory, part = Tensor(np.arange(8, dtype=np.float32)), Tensor(np.zeros((2, 2), np.float32))
    interop.reuse_data_ptr(part, memory, 2)
    memory.add_(1)
    assert part.asnumpy().tolist() == [[3, 4], [5, 6]]
    with pytest.raises(ValueError, match="more than the 32"):
        interop.reuse_data_ptr(part, memory, 5)
    with pytest.raises(TypeError, match="int >= 0"):
        interop.reuse_data_ptr(part, memory, -1)
