"""Nodes that become one operator at loading, as the layer of both calls it. Judge: the network that was exported."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops


class Convolved(nn.Cell):
    """Two convolutions; what the first gives, without its bias, is used again where it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.first = nn.Conv2d(4, 6, 3, has_bias=True, bias_init="normal", **settings)
        self.plain, self.add = ops.Conv2D(6, 1), ops.BiasAdd()
        self.weight = Parameter(Tensor(np.linspace(-1, 1, 36, dtype=np.float32).reshape(6, 6, 1, 1)), name="weight")
        self.bias = Parameter(Tensor(np.arange(6, dtype=np.float32)), name="bias")

    def construct(self, x: Tensor) -> Tensor:
        convolved = self.plain(self.first(x), self.weight)
        return self.add(convolved, self.bias) * convolved.mean()


@pytest.mark.parametrize(
    "settings",
    [
        {"pad_mode": "valid"},
        {"pad_mode": "same", "stride": 2},
        {"pad_mode": "pad", "padding": (1, 0, 2, 1), "dilation": 2},
        {"group": 2},
    ],
    ids=str,
)
def test_a_convolution_and_its_bias_are_one_operator(settings: dict[str, Any], tmp_path: Path) -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((2, 4, 8, 9)).astype(np.float32))
    net = Convolved(**settings)
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format="MINDIR")
    graph = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))
    lines = graph.graph.program.source
    assert np.array_equal(graph(x).asnumpy(), net(x).asnumpy())
    assert lines.count(", w0, w1)") == 1, lines  # the first one; the second one's result is used twice
    for ours, theirs in zip(*(gradients(one, x) for one in (graph, net)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


def gradients(net: nn.Cell, x: Tensor) -> list[np.ndarray]:
    parameters = sorted(net.trainable_params(), key=lambda one: one.name)
    return [one.asnumpy() for one in ms.grad(lambda x: net(x).sum(), None, parameters)(x)]
