"""Graphs that are not in order are named; loops need no stack."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.mindir.reading import read_model
from msbridge.mindir import primitives
from msbridge.mindir.func_graph import open_graph
from msbridge.mindir.lowering import Lowering, cycles
from tests.mindir.mindir_files import content, file


def changed(model: ModelProto, folder: Path) -> Path:
    path = folder / "changed.mindir"
    path.write_bytes(model.SerializeToString())
    return path


def test_a_cycle_is_named(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    nodes = [node for node in model.graph.node if node.op_type != "Constant"]
    nodes[1].input[0] = nodes[5].output[0]
    with pytest.raises(CheckpointError, match=r"depends on it: the graph is cyclic"):
        open_graph(changed(model, tmp_path))


def test_a_missing_value_is_named(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/lenet"))
    model.graph.node[3].input[0] = "elsewhere"
    with pytest.raises(CheckpointError, match="'elsewhere', which is nowhere"):
        open_graph(changed(model, tmp_path))


def test_a_wrong_number_of_arguments_is_named(tmp_path: Path) -> None:
    model = ModelProto.FromString(content("2.10/loops"))
    partial = next(node for graph in model.functions for node in graph.node if node.op_type.startswith("REF::Partial"))
    del partial.input[-1]
    with pytest.raises(CheckpointError, match=r"arguments instead of"):
        open_graph(changed(model, tmp_path))


def test_loops_in_loops_are_one_function(tmp_path: Path) -> None:
    lowering = Lowering(read_model(file("2.10/loops", tmp_path)))
    assert sorted(len(cluster) for cluster in lowering.tail_call_groups.values()) == [1, 2, 2]


def test_a_simple_loop_is_written_in_one_function(tmp_path: Path) -> None:
    source = open_graph(file("2.10/gpt", tmp_path)).program.source
    assert source.count("def g") == 2
    assert source.count("while 1:") == source.count("continue") == 1


def test_components_reach_each_other() -> None:
    edges = {"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": ["d"]}
    assert cycles(edges) == [{"a", "b"}]


class Convolved(nn.Cell):
    """Two convolutions; what the first returns, without its bias, is used again where it is asked for."""

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


def test_membership_in_a_sequence_is_an_operator() -> None:
    held = primitives.by_attributes("InSequence", {})
    assert held(1, (0, 1)) is True
    assert held(2, (0, 1)) is False
