"""Layers are told from where nodes say that they were. Judge: the networks that were exported."""

from pathlib import Path

import pytest

import msbridge as ms
from msbridge.converters.mindir.records import Graph, Model, Node, Primitive
from msbridge.mindir.func_graph import open_graph
from msbridge.mindir.layers import Call, Layers, places
from msbridge.mindir.lowering import Lowering
from tests.mindir.mindir_files import arrays, cases, file


def layers_of(case: str, folder: Path) -> dict[str, str]:
    cell = ms.nn.GraphCell(open_graph(file(case, folder)))
    return {path: type(one).__name__ for path, one in cell.cells_and_names() if path}


def grouped(**nodes: tuple[str, str]) -> list[str]:
    """Return the calls and nodes of a graph of nodes: name=(the names that it takes, the layer)."""
    made = [
        Node(name, Primitive("Add", {}), tuple(taken.split()), f"Default/{layer}/Add-op0")
        for name, (taken, layer) in nodes.items()
    ]
    graph = Graph("g", made, {"x": None}, [made[-1].name])
    found = Layers(Lowering(Model(Path("a.mindir"), "", "", 0, graph, {}))).items(graph)
    return [f"{'.'.join(one.path)}({len(one.items)})" if isinstance(one, Call) else one.name for one in found]


def test_layers_have_names_and_classes(tmp_path: Path) -> None:
    assert layers_of("2.10/lenet", tmp_path) == {
        "conv": "Conv2d",
        "bn": "BatchNorm2d",
        "fc": "Dense",
        "relu": "ReLU",
        "pool": "MaxPool2d",
        "flatten": "Flatten",
    }


@pytest.mark.parametrize("release", ["2.0", "2.10"])
def test_layers_that_the_compiler_took_for_one_are_told_apart(release: str, tmp_path: Path) -> None:
    found = layers_of(f"{release}/bert", tmp_path)
    assert {path: found[f"block.attention.{path}"] for path in "qkvo"} == dict.fromkeys("qkvo", "Dense")
    assert {"words", "places", "types", "norm", "block.n1", "block.forward.0", "pool.activation"} <= found.keys()


def test_layers_in_loops(tmp_path: Path) -> None:
    assert layers_of("2.10/gpt", tmp_path)["block.forward.2"] == "Dense"


@pytest.mark.parametrize("case", [case for case in cases() if "constants" not in case])
def test_parameters_belong_to_their_layers(case: str, tmp_path: Path) -> None:
    graph = open_graph(file(case, tmp_path))
    cell = ms.nn.GraphCell(graph)
    held = dict(cell.parameters_and_names())
    assert held.keys() == graph.parameters().keys()
    assert all(name == one.name for name, one in held.items())


def test_hooks_see_a_layer(tmp_path: Path) -> None:
    cell, seen = ms.nn.GraphCell(open_graph(file("2.10/lenet", tmp_path))), []
    cell.fc.register_forward_hook(lambda layer, inputs, output: seen.append((inputs[0].shape, output.shape)))
    cell(ms.Tensor(arrays("2.10/lenet", "in")[0]))
    assert seen == [((2, 48), (2, 4))]


def test_calls_of_the_same_are_one_layer() -> None:
    assert grouped(a=("x x", "f-F"), b=("a x", "g-G"), c=("b x", "f-F")) == ["f(1)", "g(1)", "f(1)"]


def test_what_is_left_in_between_is_no_call() -> None:
    assert grouped(a=("x x", "f-F"), b=("a x", "g-G"), c=("b a", "f-F")) == ["a", "g(1)", "c"]


def test_layers_within_a_layer_that_is_no_call() -> None:
    nodes = {"a": ("x x", "f-F/h-H"), "b": ("a x", "f-F/h-H"), "c": ("b x", "g-G"), "d": ("c b", "f-F")}
    assert grouped(**nodes) == ["f.h(2)", "g(1)", "d"]


def test_lists_of_layers_are_not_called() -> None:
    assert grouped(a=("x x", "f-CellList/0-F"), b=("a x", "f-CellList/1-F")) == ["f.0(1)", "f.1(1)"]


def test_nodes_are_moved_together() -> None:
    nodes = {"a": ("x x", "f-F"), "b": ("x x", "g-G"), "c": ("a x", "f-F"), "d": ("c b", "")}
    assert grouped(**nodes) == ["f(2)", "g(1)", "d"]


def test_places() -> None:
    assert places("Default/a-A/b-c-B/Add-op1") == [("a", "A")]
    assert places("Default/a-A/b-B/Add-op1") == [("a", "A"), ("b", "B")]
    assert places("Gradients/Default/a-A/Add-op1") == []
