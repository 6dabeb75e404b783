"""set_inputs: graph mode compares the inputs of the outermost Cell. Judge: tests/oracle/cases/graph.py."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn

TWO_ROWS = Tensor(np.ones((2, 3), np.float32))
THREE_ROWS = Tensor(np.ones((3, 3), np.float32))


@pytest.fixture(autouse=True)
def graph_mode() -> None:
    ms.set_context(mode=ms.GRAPH_MODE)


def test_other_inputs_are_refused_in_graph_mode_alone() -> None:
    net = nn.ReLU()
    net.set_inputs(TWO_ROWS)
    with pytest.raises(ValueError, match=r"input 0 must have a length of 2 along axis 0, but its shape is \(3, 3\)"):
        net(THREE_ROWS)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net(THREE_ROWS).shape == (3, 3)


def test_a_cell_inside_another_is_not_asked() -> None:
    inner = nn.ReLU()
    inner.set_inputs(TWO_ROWS)
    assert nn.SequentialCell([inner])(THREE_ROWS).shape == (3, 3)


def test_the_length_of_a_mutable_list_may_change() -> None:
    class Total(nn.Cell):
        def construct(self, parts: list) -> Tensor:
            return sum(parts[1:], parts[0])

    net = Total()
    net.set_inputs(ms.mutable([Tensor(shape=[None, 3], dtype=ms.float32)], dynamic_len=True))
    assert net([TWO_ROWS, TWO_ROWS]).shape == (2, 3)
    with pytest.raises(TypeError, match=r"input 0\[1\] must be of Float32"):
        net([TWO_ROWS, TWO_ROWS.astype(ms.int32)])
