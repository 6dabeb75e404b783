"""Small datasets, and short ways to read them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import msbridge.dataset as ds

PIXELS = np.arange(64 * 6 * 8 * 3).reshape(64, 6, 8, 3).astype(np.uint8)


def counting(rows: int = 5) -> ds.NumpySlicesDataset:
    """Column `a` counts, column `b` is one and a half times as much."""
    return ds.NumpySlicesDataset({"a": np.arange(rows), "b": np.arange(rows) * 1.5}, shuffle=False)


def column(dataset: Any, name: str = "a") -> list[Any]:
    """The values of one column over one pass, as plain Python values."""
    return [row[name].tolist() for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)]


def rows(dataset: Any) -> list[dict[str, Any]]:
    return [
        {name: value.tolist() for name, value in row.items()}
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)
    ]


def generated(values: Iterable[Any], names: list[str] | None = None) -> ds.GeneratorDataset:
    """A dataset of a generator function."""
    listed = list(values)
    return ds.GeneratorDataset(lambda: iter(listed), names or ["x"])


def write_mnist(folder: Path, part: str = "train", count: int = 12, side: int = 28, seed: int = 0) -> np.ndarray:
    """Write IDX files of random images with labels 0, 1, 2 …; returns the images."""
    folder.mkdir(parents=True, exist_ok=True)
    images = np.random.RandomState(seed).randint(0, 256, (count, side, side)).astype(np.uint8)
    head = np.array([2051, count, side, side], ">u4").tobytes()
    (folder / f"{part}-images-idx3-ubyte").write_bytes(head + images.tobytes())
    labels = np.array([2049, count], ">u4").tobytes() + (np.arange(count) % 10).astype(np.uint8).tobytes()
    (folder / f"{part}-labels-idx1-ubyte").write_bytes(labels)
    return images


def images(operation: object, *, batched: bool = True, epochs: int = 1) -> list[np.ndarray]:
    data = ds.NumpySlicesDataset({"image": PIXELS}, shuffle=False).map(operation, "image")
    data = data.batch(64) if batched else data.map(lambda image: image, "image").batch(64)
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [row[0] for _ in range(epochs) for row in iterator]


def in_pipeline(operation: Any, rows: np.ndarray) -> np.ndarray:
    data = ds.NumpySlicesDataset(rows, ["x"], shuffle=False).map(operation, "x").batch(len(rows))
    return np.concatenate([np.atleast_1d(row[0]) for row in data.create_tuple_iterator(output_numpy=True)])
