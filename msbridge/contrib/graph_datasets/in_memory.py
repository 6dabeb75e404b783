"""InMemoryGraphDataset: graphs that are made of files once, and kept."""

import os
from pathlib import Path
from typing import Any

from msbridge.contrib.graph_datasets.graph import Graph
from msbridge.contrib.graph_datasets.kept import load_graphs, save_graphs
from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset.readers.streamed.generator import GeneratorDataset

__all__ = ["InMemoryGraphDataset"]

FILE = "graphs.npz"


class InMemoryGraphDataset(GeneratorDataset):
    """Graphs in memory, `graphs`. Subclasses define `process`, and `__getitem__` and `__len__` where they are iterated.

    Args:
        data_dir: the folder that `process` reads.
        save_dir: where in it the graphs are kept; they are loaded from there when they are there.
        column_names: what `__getitem__` returns.
        num_samples: at most how many rows.
        num_parallel_workers: as for GeneratorDataset.
        shuffle: as for GeneratorDataset.
        num_shards: into how many parts the rows are divided.
        shard_id: which part is read.
        python_multiprocessing: as for GeneratorDataset.
        max_rowsize: as for GeneratorDataset.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: `data_dir` is not a folder.

    Follows: mindspore.dataset.InMemoryGraphDataset (2.0).
    """

    def __init__(
        self,
        data_dir: str | os.PathLike[str],
        save_dir: str | os.PathLike[str] = "./processed",
        column_names: str | list[str] = "graph",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = 6,
    ) -> None:
        self.data_dir = Path(resolve(require_type(data_dir, "data_dir", (str, os.PathLike))))
        self.save_dir = self.data_dir / require_type(save_dir, "save_dir", (str, os.PathLike))
        if not self.data_dir.is_dir():
            raise RuntimeError(f"Input data_dir is not valid or does not exist: {self.data_dir}.")
        self.graphs: list[Graph] = []
        if (self.save_dir / FILE).exists():
            self.load()
        else:
            self.process()
            self.save()
        super().__init__(
            self,
            column_names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            python_multiprocessing=python_multiprocessing,
            max_rowsize=max_rowsize,
        )

    def process(self) -> None:
        """Make the graphs of the files in `data_dir`, and append them to `graphs`."""
        raise NotImplementedError(f"{type(self).__name__} must define process.")

    def save(self) -> None:  # type: ignore[override]  # the name has two meanings in MindSpore
        """Keep the graphs in `save_dir`, as one .npz file."""
        self.save_dir.mkdir(parents=True, exist_ok=True)
        save_graphs(self.save_dir / FILE, self.graphs)

    def load(self) -> None:
        """Take the graphs that were kept in `save_dir`."""
        self.graphs = load_graphs(self.save_dir / FILE)

    def __len__(self) -> int:
        return len(self.graphs)

    def __getitem__(self, index: int) -> Any:
        """Return the row of graph `index`: one value per column."""
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__ to be iterated.")
