"""One process that represents several: strategies are held against inputs and devices while a Cell is compiled."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.dropin.private.common import cell_graph_executor as _cell_graph_executor


class Net(nn.Cell):
    def __init__(self, strategy: Any) -> None:
        super().__init__()
        self.matmul = ops.MatMul().shard(strategy)

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.matmul(x, y)


@pytest.fixture(autouse=True)
def eight_devices() -> Iterator[None]:
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, global_rank=0)
    yield
    ms.reset_auto_parallel_context()


X, Y = Tensor(np.ones((16, 8)), ms.float32), Tensor(np.ones((8, 32)), ms.float32)


def test_a_strategy_that_fits_compiles() -> None:
    _cell_graph_executor.compile(Net(((2, 2), (2, 2))), X, Y)
    Net(((2, 1), (1, 4))).compile(X, Y)


@pytest.mark.parametrize(
    "strategy", [((2, 3), (3, 2)), ((2, 2), (4, 2)), ((8, 2), (2, 8)), ((2, 2),), ((32, 1), (1, 1)), ((2,), (2, 2))]
)
def test_one_that_does_not_is_an_error_of_what_compiles(strategy: Any) -> None:
    net = Net(strategy)  # it is kept, as in MindSpore
    with pytest.raises(RuntimeError, match=r"For 'MatMul', the strategy .* cannot be carried out"):
        _cell_graph_executor.compile(net, X, Y)
    assert net(X, Y).shape == (16, 32)  # one process computes the whole


def test_outside_of_an_automatic_mode_it_is_not_looked_at() -> None:
    ms.reset_auto_parallel_context()
    Net(((2, 3), (3, 2))).compile(X, Y)
