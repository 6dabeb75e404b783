"""Graph: a graph made of arrays."""

from typing import Any, ClassVar

import numpy as np

from msbridge.contrib.graph_datasets.adjacency import Adjacency
from msbridge.contrib.graph_datasets.features import Features
from msbridge.contrib.graph_datasets.graph_data import GraphData, check_mode
from msbridge.core.checks.arguments import instance, require_type
from msbridge.dataset.arguments import worker_count

__all__ = ["Graph"]

WEIGHT = "weight"  # the edge feature by which neighbours are drawn


class Graph(GraphData):
    """A graph of arrays; nodes are numbered from 0, types and features have names.

    Args:
        edges: (2, edges) int, the nodes that each edge leaves and leads to.
        node_feat: name → (nodes, ...).
        edge_feat: name → (edges, ...); "weight" is what SamplingStrategy.EDGE_WEIGHT draws by.
        graph_feat: name → array of any shape.
        node_type: the type of each node; None is "0" for all.
        edge_type: the type of each edge; None is "0" for all.
        num_parallel_workers: accepted; nothing is read.
        working_mode: only "local".
        hostname: of a graph server, which is not available.
        port: of the server.
        num_client: of the server.
        auto_shutdown: of the server.

    Attributes:
        made_of: the first six arguments, by name.

    Raises:
        TypeError: an argument, or an element of it, is of another type.
        ValueError: a shape does not fit, or the mode is unknown.
        NotImplementedError: the mode is "client" or "server".

    Follows: mindspore.dataset.Graph (2.0).
    """

    _kind: ClassVar[type] = str

    def __init__(
        self,
        edges: Any,
        node_feat: dict[str, np.ndarray] | None = None,
        edge_feat: dict[str, np.ndarray] | None = None,
        graph_feat: dict[str, np.ndarray] | None = None,
        node_type: Any = None,
        edge_type: Any = None,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ) -> None:
        worker_count(num_parallel_workers)
        check_mode(working_mode)
        self.made_of = {
            "edges": edges,
            "node_feat": node_feat,
            "edge_feat": edge_feat,
            "graph_feat": graph_feat,
            "node_type": node_type,
            "edge_type": edge_type,
        }
        ends = _check_edges(edges)
        count = int(ends.max()) + 1
        kinds, node_types = _types(node_type, "node_type", count)
        edge_kinds, edge_types = _types(edge_type, "edge_type", ends.shape[1])
        self._place(np.arange(count), node_types, kinds, np.arange(ends.shape[1]), edge_types, edge_kinds)
        self._node_features = _features(node_feat, "node_feat", count)
        self._edge_features = _features(edge_feat, "edge_feat", ends.shape[1])
        self._graph_features = _check_features(graph_feat, "graph_feat")
        weights = self._edge_features.get(WEIGHT)
        drawn_by = np.ones(ends.shape[1]) if weights is None else weights.values.reshape(ends.shape[1], -1)[:, 0]
        self._adjacency = Adjacency(node_types, ends[0], ends[1], drawn_by.astype(np.float64))

    def get_graph_feature(self, feature_types: Any) -> list[np.ndarray]:
        """Return features of the graph as they were given.

        Raises:
            TypeError: `feature_types` is not a list of str.
            ValueError: there is no such feature.
        """
        require_type(feature_types, "feature_types", (list, np.ndarray))
        for name in feature_types:
            if require_type(name, "feature_types", str) not in self._graph_features:
                raise self._unknown("graph feature type", name, self._graph_features)
        return [self._graph_features[name].copy() for name in feature_types]

    def graph_info(self) -> dict[str, Any]:
        """Return the types of nodes, edges and features, and how many nodes and edges there are of each type."""
        return super().graph_info() | {"graph_feature_type": list(self._graph_features)}

    def _unknown(self, what: str, name: Any, known: Any) -> Exception:
        return ValueError(f"Given {what} {name} is not exist in graph, existed is: {list(known)}.")


def _check_edges(edges: Any) -> np.ndarray:
    ends = np.asarray(require_type(edges, "edges", (list, np.ndarray)))
    if ends.dtype.kind not in "iu":
        raise TypeError(f"Each element in input 'edges' should be int, got value: {ends}.")
    if ends.ndim != 2 or ends.shape[0] != 2 or not ends.size:
        raise ValueError(f"Input 'edges' should have the shape (2, edges) with at least one edge, got {ends.shape}.")
    if ends.min() < 0:
        raise ValueError(f"Nodes in 'edges' are numbered from 0, got {ends.min()}.")
    return ends.astype(np.int64)


def _types(types: Any, argument: str, count: int) -> tuple[dict[str, int], np.ndarray]:
    """Return the numbers of the types by name, and the number of each node's or edge's."""
    if types is None:
        return {"0": 0}, np.zeros(count, np.int64)
    names = np.asarray(require_type(types, argument, (list, np.ndarray)))
    if names.dtype.kind != "U":
        raise TypeError(f"Type of each element in '{argument}' should be str.")
    if names.shape != (count,):
        raise ValueError(
            f"Input '{argument}' should be of 1 dimension, and its length should be {count}, but got {len(names)}."
        )
    kinds, numbers = np.unique(names, return_inverse=True)
    return {kind: number for number, kind in enumerate(kinds.tolist())}, numbers


def _check_features(features: Any, argument: str) -> dict[str, np.ndarray]:
    if features is None:
        return {}
    instance(features, argument, None, dict)
    for name, values in features.items():
        require_type(name, f"key of {argument}", str)
        require_type(values, f"{argument}[{name!r}]", np.ndarray)
    return features


def _features(features: Any, argument: str, count: int) -> dict[str, Features]:
    checked = _check_features(features, argument)
    for name, values in checked.items():
        if values.ndim < 2 or len(values) != count:
            raise ValueError(
                f"Shape of '{name}' in '{argument}' should be of 2 dimension, and shape of first dimension should be: "
                f"{count}, but got: {values.shape}."
            )
    return {name: Features(values, np.arange(count)) for name, values in checked.items()}
