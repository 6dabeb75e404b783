"""Graph, with the answers of MindSpore 2.0.0."""

import itertools

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import Graph, OutputFormat, SamplingStrategy

EDGES = np.array([[0, 0, 1, 2, 3, 4, 5, 5], [1, 2, 3, 3, 4, 5, 0, 1]], np.int32)
FEATURES = {"x": np.arange(12).reshape(6, 2).astype(np.float32), "label": np.arange(5, -1, -1, dtype=np.int32)[:, None]}


@pytest.fixture
def typed() -> Graph:
    return Graph(EDGES, FEATURES, node_type=list("aaabbb"))


@pytest.fixture
def plain() -> Graph:
    weights = {"weight": np.arange(8)[:, None] * 0.5}
    return Graph(EDGES, FEATURES, weights, {"size": np.array([6, 8])})


def same(found: np.ndarray, wanted: object) -> None:
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, wanted)


def test_info(typed, plain):
    assert typed.graph_info() == {
        "node_type": ["a", "b"],
        "edge_type": ["0"],
        "node_feature_type": ["x", "label"],
        "edge_feature_type": [],
        "graph_feature_type": [],
        "node_num": {"a": 3, "b": 3},
        "edge_num": {"0": 8},
    }
    assert plain.graph_info()["graph_feature_type"] == ["size"]


def test_nodes_and_edges(typed, plain):
    same(typed.get_all_nodes("b"), [3, 4, 5])
    same(plain.get_all_edges("0"), range(8))
    same(plain.get_nodes_from_edges([0, 3, 7]), [[0, 1], [2, 3], [5, 1]])
    same(plain.get_edges_from_nodes([(0, 1), (5, 1)]), [0, 7])
    same(plain.get_edges_from_nodes([(1, 0)]), -1)
    same(Graph(EDGES, edge_type=list("aaaabbbb")).get_all_edges("b"), [4, 5, 6, 7])


def test_all_neighbours(typed, plain):
    same(plain.get_all_neighbors([0, 1, 5, 4], "0"), [[0, 1, 2], [1, 3, -1], [5, 0, 1], [4, 5, -1]])
    same(typed.get_all_neighbors([0, 1, 2, 5], "b"), [[0, -1], [1, 3], [2, 3], [5, -1]])
    same(typed.get_all_neighbors([0, 1, 2, 5], "b", OutputFormat.COO), [[1, 3], [2, 3]])
    for found, wanted in zip(
        plain.get_all_neighbors([0, 1, 5, 4], "0", OutputFormat.CSR), ([0, 2, 3, 5], [1, 2, 3, 0, 1, 5]), strict=True
    ):
        same(found, wanted)


def test_sampled_neighbours_come_once_before_they_come_again(plain, typed):
    found = plain.get_sampled_neighbors([0, 5], [2, 3], ["0", "0"])
    assert found.shape == (2, 9)
    assert sorted(found[0, 1:3]) == [1, 2]
    same(found[0, 3:], [3] * 6)
    assert sorted(plain.get_sampled_neighbors([5], [4], ["0"])[1:]) == [0, 0, 1, 1]
    same(typed.get_sampled_neighbors([0, 1], [3], ["b"]), [[0, -1, -1, -1], [1, 3, 3, 3]])
    hops = typed.get_sampled_neighbors([3, 5, 0], [2, 1], ["a", "b"])
    same(hops[0], [3, -1, -1, -1, -1])
    assert [sorted(hops[1, 1:3]), sorted(hops[1, 3:])] == [[0, 1], [-1, 3]]


def test_neighbours_are_drawn_by_weight(plain):
    found = plain.get_sampled_neighbors([0, 5], [4000], ["0"], SamplingStrategy.EDGE_WEIGHT)
    same(found[0, 1:], [2] * 4000)  # the edge to node 1 weighs nothing
    assert (found[1, 1:] == 1).mean() == pytest.approx(3.5 / 6.5, abs=0.03)


def test_strangers_are_no_neighbours(plain, typed):
    found = plain.get_neg_sampled_neighbors([0, 5], 3, "0")
    assert [sorted(row) for row in found[:, 1:]] == [[3, 4, 5], [2, 3, 4]]
    assert set(typed.get_neg_sampled_neighbors([1], 5, "b")[1:]) == {4, 5}


def test_walks_follow_edges(plain):
    found = plain.random_walk([0, 4], ["0"] * 6, 2.0, 0.5)
    assert found.shape == (2, 7)
    edges = set(zip(*EDGES.tolist(), strict=True))
    assert all(pair in edges for row in found.tolist() for pair in itertools.pairwise(row))
    same(Graph([[0], [1]]).random_walk([0, 1], ["0", "0"], default_node=9), [[0, 1, 9], [1, 9, 9]])


def test_features(plain):
    x, label = plain.get_node_feature([0, -1], ["x", "label"])
    np.testing.assert_array_equal(x, [[0, 1], [0, 0]])
    np.testing.assert_array_equal(label, [5, 0])
    assert plain.get_node_feature([[0, 3], [1, 2]], ["x"])[0].shape == (2, 2, 2)
    np.testing.assert_array_equal(plain.get_edge_feature([0, 3], ["weight"])[0], [0, 1.5])
    np.testing.assert_array_equal(plain.get_graph_feature(["size"])[0], [6, 8])


def test_the_seed_fixes_what_is_drawn():
    ds.config.set_seed(3)
    first, second = (Graph(EDGES).get_sampled_neighbors([0, 5], [5], ["0"]) for _ in range(2))
    same(first, second)


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda graph: graph.get_all_nodes(0), TypeError),
        (lambda graph: graph.get_all_nodes("9"), ValueError),
        (lambda graph: graph.get_all_edges("9"), ValueError),
        (lambda graph: graph.get_nodes_from_edges(np.array([0, 3], np.int64)), TypeError),
        (lambda graph: graph.get_nodes_from_edges([99]), RuntimeError),
        (lambda graph: graph.get_all_neighbors([77], "0"), RuntimeError),
        (lambda graph: graph.get_all_neighbors([], "0"), RuntimeError),
        (lambda graph: graph.get_all_neighbors([0], "q"), ValueError),
        (lambda graph: graph.get_sampled_neighbors([0], [0], ["0"]), RuntimeError),
        (lambda graph: graph.get_neg_sampled_neighbors([0], 0, "0"), RuntimeError),
        (lambda graph: graph.get_node_feature([0], ["zz"]), ValueError),
        (lambda graph: graph.get_graph_feature(["x"]), ValueError),
        (lambda _: Graph(np.zeros((3, 2), np.int32)), ValueError),
        (lambda _: Graph(np.zeros((2, 2))), TypeError),
        (lambda _: Graph(EDGES, [1]), TypeError),
        (lambda _: Graph(EDGES, {"x": np.zeros((2, 2))}), ValueError),
        (lambda _: Graph(EDGES, node_type=np.arange(6)), TypeError),
        (lambda _: Graph(EDGES, node_type=["a"]), ValueError),
        (lambda _: Graph(EDGES, working_mode="x"), ValueError),
        (lambda _: Graph(EDGES, working_mode="client"), NotImplementedError),
    ],
)
def test_mistakes_are_refused(plain, ask, error):
    with pytest.raises(error):
        ask(plain)
