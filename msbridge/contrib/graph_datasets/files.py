"""Graphs in MindRecord files: a row is a node or an edge, says which features it has, and has all of them as columns.

Follows: mindspore.dataset.GraphData (2.0).
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.contrib.graph_datasets.features import Features
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.mindrecord import FileReader

COLUMNS = ("first_id", "second_id", "third_id", "attribute", "type")
FEATURE = re.compile(r"(node|edge)_feature_(\d+)")


@dataclass(frozen=True, eq=False)
class GraphFile:
    """The contents of the files: ids, types, the ids of the nodes of each edge, weights, and features by number."""

    node_ids: np.ndarray
    node_types: np.ndarray
    edge_ids: np.ndarray
    edge_types: np.ndarray
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    node_features: dict[int, Features]
    edge_features: dict[int, Features]


def read_graph(path: str) -> GraphFile:
    """Read the graph in a group of MindRecord files, of which one is named.

    Raises:
        RuntimeError: the file is damaged, lacks a column of a graph, or has no nodes.
    """
    reader = FileReader(path)
    columns = reader.schema()
    if missing := [name for name in COLUMNS if name not in columns]:
        raise pipeline_error(f"{path} holds no graph: its rows lack the columns {missing}, they have {list(columns)}.")
    rows: dict[str, list[dict[str, Any]]] = {"n": [], "e": []}
    for row in reader.get_next():
        if row["attribute"] not in rows:
            raise pipeline_error(f"{path}: the attribute of a row must be 'n' or 'e', but it is {row['attribute']!r}.")
        rows[str(row["attribute"])].append(row)
    nodes, edges = rows["n"], rows["e"]
    if not nodes:
        raise pipeline_error(f"{path} holds a graph without nodes.")
    return GraphFile(
        _numbers(nodes, "first_id"),
        _numbers(nodes, "type"),
        _numbers(edges, "first_id"),
        _numbers(edges, "type"),
        _numbers(edges, "second_id"),
        _numbers(edges, "third_id"),
        np.array([row.get("weight", 1.0) for row in edges], np.float64),
        _features(nodes, "node", list(columns)),
        _features(edges, "edge", list(columns)),
    )


def _numbers(rows: list[dict[str, Any]], column: str) -> np.ndarray:
    return np.array([row[column] for row in rows], np.int64)


def _features(rows: list[dict[str, Any]], what: str, columns: list[str]) -> dict[int, Features]:
    """Return the features of nodes or edges that some of them have."""
    owned = [set(np.ravel(row.get(f"{what}_feature_index", ())).tolist()) for row in rows]
    numbers = sorted(int(found[2]) for name in columns if (found := FEATURE.fullmatch(name)) and found[1] == what)
    features = {}
    for number in numbers:
        owners = np.array([number in each for each in owned], np.bool_)
        if owners.any():
            name = f"{what}_feature_{number}"
            values = [np.asarray(row[name]) for row, is_owner in zip(rows, owners, strict=True) if is_owner]
            if len({value.shape for value in values}) > 1:
                raise pipeline_error(f"{name} has another shape in some rows than in others.")
            features[number] = Features(np.stack(values), np.where(owners, np.cumsum(owners) - 1, -1))
    return features
