"""Graphs that are not in order are named; loops need no stack."""

from pathlib import Path

import pytest
from mindir_files import content, file

from msbridge.converters.errors import CheckpointError
from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.mindir.reading import read_model
from msbridge.mindir.func_graph import open_graph
from msbridge.mindir.lowering import Lowering, components


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
    assert sorted(len(cluster) for cluster in lowering.clusters.values()) == [1, 2, 2]


def test_a_simple_loop_is_written_in_one_function(tmp_path: Path) -> None:
    source = open_graph(file("2.10/gpt", tmp_path)).program.source
    assert source.count("def g") == 2
    assert source.count("while 1:") == source.count("continue") == 1


def test_components_reach_each_other() -> None:
    edges = {"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": ["d"]}
    assert sorted(map(sorted, components(edges))) == [["a", "b"], ["c"], ["d"]]
