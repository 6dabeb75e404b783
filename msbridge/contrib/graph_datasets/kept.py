"""Graphs as files: the arrays that they were made of, in one .npz."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.contrib.graph_datasets.graph import Graph
from msbridge.converters.files.atomic_write import replacing_path
from msbridge.dataset.engine.user_values import pipeline_error


def save_graphs(path: Path, graphs: Iterable[Graph]) -> None:
    """Write the graphs; a file that was there stays until the new one is complete."""
    arrays: dict[str, Any] = {
        f"{number}/{name}": array for number, graph in enumerate(graphs) for name, array in _arrays(graph)
    }
    with replacing_path(path) as partial, partial.open("wb") as file:
        np.savez(file, **arrays)


def load_graphs(path: Path) -> list[Graph]:
    """Read the graphs.

    Raises:
        RuntimeError: the file is damaged.
    """
    graphs: dict[int, dict[str, Any]] = {}
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            for full in arrays.files:
                number, group, *name = full.split("/", 2)
                arguments = graphs.setdefault(int(number), {})
                if name:
                    arguments.setdefault(group, {})[name[0]] = arrays[full]
                else:
                    arguments[group] = arrays[full]
        return [Graph(**graphs[number]) for number in sorted(graphs)]
    except Exception as error:  # a damaged zip brings its reader to many kinds of errors
        raise pipeline_error(f"{path} holds no graphs that can be read: {error}.") from error


def _arrays(graph: Graph) -> Iterator[tuple[str, np.ndarray]]:
    for name, value in graph.made_of.items():
        if isinstance(value, dict):
            yield from ((f"{name}/{key}", array) for key, array in value.items())
        elif value is not None:
            yield name, np.asarray(value)
