"""GraphData: a graph that is read from MindRecord files."""

import os
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from msbridge.contrib.graph_datasets.adjacency import Adjacency
from msbridge.contrib.graph_datasets.features import Features
from msbridge.contrib.graph_datasets.files import read_graph
from msbridge.core.checks.arguments import require_type
from msbridge.dataset import config
from msbridge.dataset.arguments import worker_count

__all__ = ["GraphData", "OutputFormat", "SamplingStrategy"]

HOPS, STEPS = 6, 80  # of `get_sampled_neighbors` and of `random_walk`, at most
MIN_WEIGHT = 0.0001  # of the parameters of a walk


class SamplingStrategy(IntEnum):
    """Strategies of drawing neighbours.

    Follows: mindspore.dataset.SamplingStrategy (2.0).
    """

    RANDOM = 0
    EDGE_WEIGHT = 1


class OutputFormat(IntEnum):
    """The form of `get_all_neighbors`.

    Follows: mindspore.dataset.OutputFormat (2.0).
    """

    NORMAL = 0
    COO = 1
    CSR = 2


class GraphData:
    """A graph with typed nodes and edges, and features of both; ids, and everything drawn of them, are int32.

    Args:
        dataset_file: one of the MindRecord files of the graph.
        num_parallel_workers: accepted; this thread reads.
        working_mode: only "local".
        hostname: of a graph server, which is not available.
        port: of the server.
        num_client: of the server.
        auto_shutdown: of the server.

    Raises:
        ValueError: the file does not exist, or the mode is unknown.
        NotImplementedError: the mode is "client" or "server".
        RuntimeError: the file is damaged, or lacks a column of a graph.

    Follows: mindspore.dataset.GraphData (2.0).
    """

    _kind: ClassVar[type] = int  # of the names of types

    def __init__(
        self,
        dataset_file: str,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ) -> None:
        path = os.fspath(require_type(dataset_file, "dataset_file", (str, os.PathLike)))
        if not os.access(path, os.R_OK):
            raise ValueError(f"The file {path} does not exist or permission denied!")
        worker_count(num_parallel_workers)
        check_mode(working_mode)
        graph = read_graph(path)
        kinds, edge_kinds = (
            {int(kind): int(kind) for kind in np.unique(each)} for each in (graph.node_types, graph.edge_types)
        )
        self._place(graph.node_ids, graph.node_types, kinds, graph.edge_ids, graph.edge_types, edge_kinds)
        sources, targets = self._nodes_at(graph.sources), self._nodes_at(graph.targets)
        self._adjacency = Adjacency(graph.node_types, sources, targets, graph.weights)
        self._node_features: Mapping[Any, Features] = graph.node_features
        self._edge_features: Mapping[Any, Features] = graph.edge_features

    def _place(
        self,
        node_ids: np.ndarray,
        node_types: np.ndarray,
        kinds: dict[Any, int],
        edge_ids: np.ndarray,
        edge_types: np.ndarray,
        edge_kinds: dict[Any, int],
    ) -> None:
        """Take the nodes and edges: their ids, the numbers of their types, and those numbers by the users' names."""
        self._node_ids, self._node_types, self._kinds = node_ids, node_types, kinds
        self._edge_ids, self._edge_types, self._edge_kinds = edge_ids, edge_types, edge_kinds
        self._node_order, self._edge_order = np.argsort(node_ids), np.argsort(edge_ids)
        self._random = np.random.default_rng(config.draw_seed())

    def get_all_nodes(self, node_type: Any) -> np.ndarray:
        """Return the ids of all nodes of a type.

        Raises:
            TypeError: `node_type` is of another type.
            RuntimeError: there is no such type.
        """
        kind = self._type_number(node_type, "node_type", self._kinds, "node")
        return _squeeze(self._node_ids[self._node_types == kind])

    def get_all_edges(self, edge_type: Any) -> np.ndarray:
        """Return the ids of all edges of a type.

        Raises:
            TypeError: `edge_type` is of another type.
            RuntimeError: there is no such type.
        """
        kind = self._type_number(edge_type, "edge_type", self._edge_kinds, "edge")
        return _squeeze(self._edge_ids[self._edge_types == kind])

    def get_nodes_from_edges(self, edge_list: Any) -> np.ndarray:
        """Return the two nodes of each edge, (edges, 2).

        Raises:
            TypeError: `edge_list` is not a list of ints or array of int32.
            RuntimeError: there is no such edge.
        """
        edges = self._edges_at(_ids(edge_list, "edge_list"))
        ends = np.stack([self._adjacency.sources[edges], self._adjacency.targets[edges]], 1)
        return _squeeze(self._node_ids[ends])

    def get_edges_from_nodes(self, node_list: Any) -> np.ndarray:
        """Return the edge between each pair of nodes; -1 where there is none.

        Args:
            node_list: pairs (source, target).

        Raises:
            TypeError: `node_list` is not a list of tuples or array.
        """
        pairs = np.asarray(require_type(node_list, "node_list", (list, np.ndarray)))
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise TypeError(f"node_list must hold pairs (source, target) of node ids, but got {node_list!r}.")
        nodes = self._nodes_at(pairs)
        found = [self._adjacency.edge_of.get((source, target), -1) for source, target in nodes.tolist()]
        places = np.array(found, np.int64)
        return _squeeze(np.where(places < 0, -1, self._edge_ids[places]))

    def get_all_neighbors(
        self, node_list: Any, neighbor_type: Any, output_format: OutputFormat = OutputFormat.NORMAL
    ) -> Any:
        """Return the neighbours of a type of each node, each behind the node itself unless in CSR.

        Args:
            node_list: ids.
            neighbor_type: of the neighbours.
            output_format: NORMAL is (nodes, 1 + most neighbours) with -1 where a node has fewer; COO is (edges, 2);
                CSR is where each node's neighbours begin, and the neighbours.

        Raises:
            TypeError: `node_list` is not a list of ints or array of int32.
            RuntimeError: there is no such node or type.
        """
        ids = _ids(node_list, "node_list")
        kind = self._type_number(neighbor_type, "neighbor_type", self._kinds, "neighbor")
        require_type(output_format, "output_format", OutputFormat)
        neighbours, counts = self._adjacency.neighbours(kind).flat(self._nodes_at(ids))
        named = self._node_ids[neighbours]
        if output_format == OutputFormat.CSR:
            return _squeeze(np.cumsum(counts) - counts), _squeeze(named)
        if output_format == OutputFormat.COO:
            return _squeeze(np.stack([np.repeat(ids, counts), named], 1))
        table = np.full((len(ids), 1 + counts.max()), -1)
        table[:, 0] = ids
        table[:, 1:][np.arange(counts.max()) < counts[:, None]] = named
        return _squeeze(table)

    def get_sampled_neighbors(
        self,
        node_list: Any,
        neighbor_nums: Any,
        neighbor_types: Any,
        strategy: SamplingStrategy = SamplingStrategy.RANDOM,
    ) -> np.ndarray:
        """Draw neighbours of each node, then neighbours of those, and so on.

        Args:
            node_list: ids.
            neighbor_nums: how many of each node, for 1 to 6 hops.
            neighbor_types: of the neighbours of each hop.
            strategy: RANDOM draws all neighbours once before one comes again; EDGE_WEIGHT in proportion to the weights
                of the edges.

        Returns:
            One row for each node: itself, the first hop, the second hop, and so on; -1 where there is no neighbour.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there are no or too many hops, or the lists differ in length.
            RuntimeError: there is no such node or type, or a number is not positive.
        """
        ids, numbers = _ids(node_list, "node_list"), _ids(neighbor_nums, "neighbor_nums")
        require_type(neighbor_types, "neighbor_types", (list, np.ndarray))
        require_type(strategy, "strategy", SamplingStrategy)
        if not 1 <= len(numbers) <= HOPS:
            raise ValueError(
                f"Wrong number of input members for neighbor_nums, should be between 1 and {HOPS}, got {len(numbers)}."
            )
        if len(numbers) != len(neighbor_types):
            raise ValueError("The number of members of neighbor_nums and neighbor_types is inconsistent.")
        kinds = [self._type_number(kind, "neighbor_types", self._kinds, "neighbor") for kind in neighbor_types]
        hops = [self._nodes_at(ids)[:, None]]
        for number, kind in zip(numbers.tolist(), kinds, strict=True):
            _positive(number)
            known = self._adjacency.neighbours(kind)
            draw = known.draw_by_weight if strategy == SamplingStrategy.EDGE_WEIGHT else known.draw
            hops.append(draw(hops[-1].reshape(-1), number, self._random).reshape(len(ids), -1))
        return self._node_ids_at(np.concatenate(hops, 1))

    def get_neg_sampled_neighbors(self, node_list: Any, neg_neighbor_num: int, neg_neighbor_type: Any) -> np.ndarray:
        """Draw nodes of a type that are not neighbours of each node.

        Args:
            node_list: ids.
            neg_neighbor_num: how many of each node.
            neg_neighbor_type: their type.

        Returns:
            One row for each node: itself, and those drawn; -1 where there are none.

        Raises:
            TypeError: an argument is of another type.
            RuntimeError: there is no such node or type, or the number is not positive.
        """
        nodes = self._nodes_at(_ids(node_list, "node_list"))
        _positive(require_type(neg_neighbor_num, "neg_neighbor_num", int))
        kind = self._type_number(neg_neighbor_type, "neg_neighbor_type", self._kinds, "neighbor")
        strangers = self._adjacency.strangers(nodes, kind, neg_neighbor_num, self._random)
        return self._node_ids_at(np.concatenate([nodes[:, None], strangers], 1))

    def random_walk(
        self,
        target_nodes: Any,
        meta_path: Any,
        step_home_param: float = 1.0,
        step_away_param: float = 1.0,
        default_node: int = -1,
    ) -> np.ndarray:
        """Walk at random from each node, as node2vec does.

        Args:
            target_nodes: ids.
            meta_path: the type of the neighbour that each of 1 to 80 steps leads to.
            step_home_param: the larger, the rarer a step back to where the last one came from.
            step_away_param: the larger, the rarer a step away from the neighbourhood of the node before.
            default_node: comes behind a dead end.

        Returns:
            One row for each node: itself, and one node for each step.

        Raises:
            TypeError: an argument is of another type.
            RuntimeError: there is no such node or type, or a number is out of range.
        """
        nodes = self._nodes_at(_ids(target_nodes, "target_nodes"))
        require_type(meta_path, "meta_path", (list, np.ndarray))
        require_type(default_node, "default_node", int)
        if not 1 <= len(meta_path) <= STEPS:
            raise RuntimeError(f"meta path required between 1 and {STEPS}. The size of input path is {len(meta_path)}.")
        home, away = (
            float(require_type(value, name, (float, int)))
            for value, name in ((step_home_param, "step_home_param"), (step_away_param, "step_away_param"))
        )
        if min(home, away) < MIN_WEIGHT:
            raise RuntimeError(
                f"step_home_param and step_away_param required greater than {MIN_WEIGHT}. step_home_param: {home}, "
                f"step_away_param: {away}."
            )
        kinds = [self._type_number(kind, "meta_path", self._kinds, "neighbor") for kind in meta_path]
        places = self._adjacency.walk(nodes, kinds, home, away, self._random)
        return _squeeze(np.where(places < 0, default_node, self._node_ids[places]))

    def get_node_feature(self, node_list: Any, feature_types: Any) -> list[np.ndarray]:
        """Return features of nodes; zeros for -1, and where a node has no such feature.

        Args:
            node_list: ids, in any shape.
            feature_types: which features.

        Returns:
            For each feature an array, the shape of `node_list` before that of the feature.

        Raises:
            TypeError: an argument is of another type, or empty.
            RuntimeError: there is no such node or feature.
        """
        ids = _ids(node_list, "node_list", nested=True)
        places = np.where(ids < 0, -1, self._nodes_at(np.where(ids < 0, self._node_ids[0], ids)))
        return self._features(self._node_features, places, feature_types, "node")

    def get_edge_feature(self, edge_list: Any, feature_types: Any) -> list[np.ndarray]:
        """Return features of edges, as `get_node_feature` does those of nodes."""
        places = self._edges_at(_ids(edge_list, "edge_list", nested=True))
        return self._features(self._edge_features, places, feature_types, "edge")

    def graph_info(self) -> dict[str, Any]:
        """Return the types of nodes, edges and features, and how many nodes and edges there are of each type."""
        return {
            "node_type": list(self._kinds),
            "edge_type": list(self._edge_kinds),
            "node_num": {kind: int((self._node_types == number).sum()) for kind, number in self._kinds.items()},
            "edge_num": {kind: int((self._edge_types == number).sum()) for kind, number in self._edge_kinds.items()},
            "node_feature_type": list(self._node_features),
            "edge_feature_type": list(self._edge_features),
            "graph_feature_type": [],
        }

    def _type_number(self, kind: Any, argument: str, known: dict[Any, int], what: str) -> int:
        """Return the number of a type that the user named."""
        require_type(kind, argument, self._kind)
        if kind not in known:
            raise self._unknown(f"{what} type", kind, known)
        return known[kind]

    def _unknown(self, what: str, name: Any, known: Any) -> Exception:
        return RuntimeError(f"Invalid {what}:{name}. The graph has {list(known)}.")

    def _features(self, known: Mapping[Any, Features], places: np.ndarray, names: Any, what: str) -> list[np.ndarray]:
        require_type(names, "feature_types", (list, np.ndarray))
        values = []
        for name in names:
            require_type(name, "feature_types", (self._kind, np.integer) if self._kind is int else self._kind)
            if name not in known:
                raise self._unknown(f"{what} feature type", name, known)
            values.append(known[name].of(places))
        return values

    def _nodes_at(self, ids: np.ndarray) -> np.ndarray:
        return _at(self._node_ids, self._node_order, ids, "node")

    def _edges_at(self, ids: np.ndarray) -> np.ndarray:
        return _at(self._edge_ids, self._edge_order, ids, "edge")

    def _node_ids_at(self, places: np.ndarray) -> np.ndarray:
        return _squeeze(np.where(places < 0, -1, self._node_ids[places]))


def check_mode(working_mode: Any) -> None:
    """Refuse what is not in this process.

    Raises:
        ValueError: the mode is unknown.
        NotImplementedError: it is for a graph server.
    """
    if require_type(working_mode, "working_mode", str) not in ("local", "client", "server"):
        raise ValueError("Invalid working mode, please enter 'local', 'client' or 'server'.")
    if working_mode != "local":
        raise NotImplementedError(
            f"working_mode must be 'local' in msbridge, got {working_mode!r}: there is no graph server; every process "
            "reads the graph."
        )


def _ids(values: Any, name: str, nested: bool = False) -> np.ndarray:
    """Return ids as an array: of a list of ints, or of an array of int32."""
    require_type(values, name, (list, np.ndarray))
    if isinstance(values, np.ndarray):
        if values.dtype != np.int32:
            raise TypeError(f"Each member in {name} should be of type {np.int32}. Got {values.dtype}.")
    elif not nested:
        for value in values:
            require_type(value, name, (int, np.integer))
    if not len(values):
        raise (
            TypeError(f"Parameter {name} or its members are empty")
            if nested
            else RuntimeError(f"Input {name} is empty.")
        )
    ids = np.asarray(values)
    if ids.dtype.kind not in "iu" or (ids.ndim != 1 and not nested):
        raise TypeError(f"Parameter {name} must hold ids, ints, but got {values!r}.")
    return ids


def _at(ids: np.ndarray, order: np.ndarray, wanted: np.ndarray, what: str) -> np.ndarray:
    """Return the places of the wanted ids."""
    found = np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)
    places = order[found] if len(ids) else found
    if len(missing := wanted[ids[places] != wanted] if len(ids) else wanted.reshape(-1)):
        raise RuntimeError(f"Invalid {what} id:{missing[0]}. The graph has no such {what}.")
    return places


def _positive(number: int) -> None:
    if number < 1:
        raise RuntimeError(f"Wrong samples number, should be at least 1, got {number}.")


def _squeeze(values: np.ndarray) -> np.ndarray:
    """Convert to MindSpore's form: int32, without axes of one element."""
    return np.squeeze(values).astype(np.int32)
