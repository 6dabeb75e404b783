"""GraphData, with the answers of MindSpore 2.0.0 on the same file."""

from pathlib import Path

import numpy as np
import pytest

from msbridge.dataset import GraphData, SamplingStrategy
from msbridge.dataset.mindrecord import FileWriter

IDS, FLOATS, INTS = {"type": "int64"}, {"type": "float32", "shape": [-1]}, {"type": "int32", "shape": [-1]}
SCHEMA = {
    "first_id": IDS,
    "second_id": IDS,
    "third_id": IDS,
    "attribute": {"type": "string"},
    "type": {"type": "int32"},
    "weight": {"type": "float32"},
    "node_feature_1": FLOATS,
    "node_feature_2": INTS,
    "edge_feature_1": FLOATS,
    "node_feature_index": INTS,
    "edge_feature_index": INTS,
}
NOTHING = {
    "node_feature_1": np.zeros(1, np.float32),
    "node_feature_2": np.zeros(1, np.int32),
    "edge_feature_1": np.zeros(1, np.float32),
    "node_feature_index": np.array([-1], np.int32),
    "edge_feature_index": np.array([-1], np.int32),
}
NODES = [(101, 1), (102, 1), (103, 1), (201, 2), (202, 2), (203, 2)]
EDGES = [
    *((101, 201, 0, 1.0), (101, 202, 0, 3.0), (102, 202, 0, 1.0), (103, 101, 1, 1.0)),
    *((201, 101, 0, 1.0), (202, 203, 1, 2.0), (203, 101, 0, 1.0), (101, 102, 1, 1.0)),
]


def node(place: int) -> dict[str, object]:
    number, kind = NODES[place]
    return NOTHING | {
        "first_id": number,
        "second_id": 0,
        "third_id": 0,
        "attribute": "n",
        "type": kind,
        "weight": 1.0,
        "node_feature_1": np.array([place, place + 0.5, 7], np.float32),
        "node_feature_2": np.array([place], np.int32),
        "node_feature_index": np.array([1, 2] if kind == 1 else [1], np.int32),
    }


def edge(place: int) -> dict[str, object]:
    source, target, kind, weight = EDGES[place]
    return NOTHING | {
        "first_id": place,
        "second_id": source,
        "third_id": target,
        "attribute": "e",
        "type": kind,
        "weight": weight,
        "edge_feature_1": np.array([place * 0.25], np.float32),
        "edge_feature_index": np.array([1], np.int32),
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("graph") / "graph.mindrecord"
    writer = FileWriter(str(target), 1)
    writer.add_schema(SCHEMA, "graph")
    writer.add_index(["first_id", "second_id", "third_id", "attribute", "type"])
    writer.write_raw_data([*map(node, range(len(NODES))), *map(edge, range(len(EDGES)))])
    writer.commit()
    return target


@pytest.fixture
def graph(path: Path) -> GraphData:
    return GraphData(str(path), 2)


def same(found: np.ndarray, wanted: object) -> None:
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, wanted)


def test_info(graph):
    assert graph.graph_info() == {
        "node_type": [1, 2],
        "edge_type": [0, 1],
        "node_num": {1: 3, 2: 3},
        "edge_num": {0: 5, 1: 3},
        "node_feature_type": [1, 2],
        "edge_feature_type": [1],
        "graph_feature_type": [],
    }


def test_nodes_and_edges(graph):
    same(graph.get_all_nodes(2), [201, 202, 203])
    same(graph.get_all_edges(1), [3, 5, 7])
    same(graph.get_nodes_from_edges([0, 3]), [[101, 201], [103, 101]])
    same(graph.get_edges_from_nodes([(101, 201), (203, 101), (102, 101)]), [0, 6, -1])


def test_neighbours(graph):
    same(graph.get_all_neighbors([101, 102, 203], 1), [[101, 102], [102, -1], [203, 101]])
    same(graph.get_all_neighbors([101, 102, 203], 2), [[101, 201, 202], [102, 202, -1], [203, -1, -1]])
    same(graph.get_all_neighbors(np.array([101], np.int32), 2), [101, 201, 202])
    found = graph.get_sampled_neighbors([101, 103], [3, 2], [2, 1])
    assert set(found[0, 1:4]) == {201, 202}
    same(found[1], [103] + [-1] * 9)
    heavy = graph.get_sampled_neighbors([101, 103], [2000], [2], SamplingStrategy.EDGE_WEIGHT)
    assert (heavy[0, 1:] == 202).mean() == pytest.approx(0.75, abs=0.05)
    same(graph.get_neg_sampled_neighbors([101], 5, 1), [101, 103, 103, 103, 103, 103])


def test_walks(graph):
    found = graph.random_walk([101, 102], [2, 1, 2])
    same(found[1], [102, 202, -1, -1])
    same(graph.random_walk([103], [2, 2], default_node=7), [103, 7, 7])


def test_features(graph):
    first, second = graph.get_node_feature([101, 202], [1, 2])
    np.testing.assert_array_equal(first, [[0, 0.5, 7], [4, 4.5, 7]])
    np.testing.assert_array_equal(second, [0, 0])  # 202 has none
    assert (first.dtype, second.dtype) == (np.float32, np.int32)
    second, first = graph.get_node_feature(np.array([[101, 102]], np.int32), [2, 1])
    np.testing.assert_array_equal(second, [0, 1])
    np.testing.assert_array_equal(first, [[0, 0.5, 7], [1, 1.5, 7]])
    np.testing.assert_array_equal(graph.get_edge_feature([0, 5], [1])[0], [0, 1.25])


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda graph: graph.get_all_nodes(9), RuntimeError),
        (lambda graph: graph.get_all_nodes("x"), TypeError),
        (lambda graph: graph.get_all_edges(9), RuntimeError),
        (lambda graph: graph.get_nodes_from_edges([99]), RuntimeError),
        (lambda graph: graph.get_all_neighbors([101], 9), RuntimeError),
        (lambda graph: graph.get_all_neighbors([1], 1), RuntimeError),
        (lambda graph: graph.get_all_neighbors(np.array([101]), 2), TypeError),
        (lambda graph: graph.get_sampled_neighbors([101], [1] * 7, [2] * 7), ValueError),
        (lambda graph: graph.get_sampled_neighbors([101], [1], [2, 1]), ValueError),
        (lambda graph: graph.get_sampled_neighbors([101], [0], [2]), RuntimeError),
        (lambda graph: graph.get_node_feature([101], [9]), RuntimeError),
        (lambda graph: graph.get_node_feature([], [1]), TypeError),
        (lambda graph: graph.random_walk([101], []), RuntimeError),
        (lambda graph: graph.random_walk([101], [2], -1.0), RuntimeError),
        (lambda graph: graph.random_walk([5], [2]), RuntimeError),
        (lambda _: GraphData("/nowhere.mindrecord"), ValueError),
    ],
)
def test_mistakes_are_refused(graph, ask, error):
    with pytest.raises(error):
        ask(graph)


def test_files_without_a_graph_are_refused(tmp_path):
    target = tmp_path / "rows.mindrecord"
    writer = FileWriter(str(target), 1)
    writer.add_schema({"a": {"type": "int32"}}, "rows")
    writer.write_raw_data([{"a": 1}])
    writer.commit()
    with pytest.raises(RuntimeError, match="holds no graph: its rows lack the columns"):
        GraphData(str(target))
