"""Calls of Cells with a precision, from several threads."""

import threading

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn
from tests.core.threads import in_thread


class Halved(nn.Cell):
    """Computes with its weight in float16; `inside` is called in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0, 2.0]), name="w")
        self.to_float(ms.float16)

    def construct(self, x: Tensor) -> Tensor:
        self.inside()
        return x * self.weight


def test_threads_that_cross_inside_a_cell_of_another_precision() -> None:
    """One goes in, another goes in, the first comes out: the weight keeps its own dtype."""
    net, seen = Halved(), []
    is_inside, may_end = threading.Event(), threading.Event()

    def wait() -> None:
        is_inside.set()
        assert may_end.wait(120)

    def start_another() -> None:
        net.inside = wait
        other.start()
        assert is_inside.wait(120)

    net.inside = start_another
    other = threading.Thread(target=lambda: seen.append(net(Tensor([3.0, 3.0]))))
    assert net(Tensor([1.0, 1.0])).dtype == ms.float16
    assert in_thread(lambda: net.weight.dtype) == ms.float32
    may_end.set()
    other.join(120)
    assert net.weight.dtype == ms.float32
    np.testing.assert_array_equal(seen[0].asnumpy(), [3, 6])


def test_a_call_in_one_thread_is_not_repeated_in_another() -> None:
    """After `set_grad()`, a gradient takes the last call on the same inputs for its own: only the thread's own call."""
    net = nn.BatchNorm1d(2).set_train().set_grad()
    x = Tensor(np.random.default_rng(0).standard_normal((4, 2)), ms.float32)
    net(x)
    counted = net.moving_mean.asnumpy().copy()
    in_thread(lambda: ms.grad(net, None, net.trainable_params())(x))
    assert (net.moving_mean.asnumpy() != counted).any()


class Kept(nn.Cell):
    """Returns its own Parameter beside its input: in a graph, its value of that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0]), name="w")

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.weight, x


@pytest.mark.parametrize(("version", "is_graph"), [("1.2", False), ("1.3", True), ("1.10", True), (None, False)])
def test_a_release_whose_default_is_graph_mode_runs_cells_as_graphs(version: str | None, is_graph: bool) -> None:
    """No script has to set the mode. Judges: the real 1.0.0, 1.2.1, 1.3.0, 1.8.1 and 2.10.0."""
    net = Kept()
    ms.set_release(version)
    assert isinstance(net(Tensor([2.0]))[0], ms.Parameter) is not is_graph
    ms.set_release(None)
    assert isinstance(net(Tensor([2.0]))[0], ms.Parameter)
