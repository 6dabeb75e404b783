"""Placeholders: what they tell, what they refuse, and that they survive copies. Judge: tests/oracle/cases/graph.py."""

import copy
import pickle

import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops

ANY_ROWS = Tensor(shape=[None, 3], dtype=ms.float32)


@pytest.mark.parametrize("use", [ops.relu, lambda t: t + 1, lambda t: t[0], lambda t: t.T, str, Tensor.tolist, sum])
def test_whoever_asks_for_values_is_told(use: object) -> None:
    with pytest.raises(ValueError, match=r"of shape \(-1, 3\) represents an input of unknown shape"):
        use(ANY_ROWS)  # type: ignore[operator]


def test_copies_are_the_same() -> None:
    for twin in (copy.copy(ANY_ROWS), copy.deepcopy(ANY_ROWS)):
        assert (twin.shape, twin.dtype) == ((-1, 3), ms.float32)


def test_a_cell_with_announced_inputs_can_be_copied_and_pickled() -> None:
    net = nn.Dense(3, 2)
    net.set_inputs(ANY_ROWS)
    assert copy.deepcopy(net).get_inputs()[0].shape == (-1, 3)
    assert pickle.loads(pickle.dumps(net)).get_inputs()[0].shape == (-1, 3)
