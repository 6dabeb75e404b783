"""MindRecord files: small ones of ours, and short ways to read them."""

from pathlib import Path
from typing import Any

import numpy as np

import msbridge.dataset as ds
from msbridge.dataset.mindrecord import FileReader, FileWriter
from tests.dataset.mindrecord_cases import NUMBERED, Rows, numbered, set_smallest_sizes

GRID = np.add.outer(np.arange(32), np.arange(32)) * 4


def same(found: Rows, expected: Rows) -> bool:
    return len(found) == len(expected) and all(
        np.array_equal(row[name], wanted[name], equal_nan=isinstance(row[name], float))
        for row, wanted in zip(found, expected, strict=True)
        for name in wanted
    )


def write_small(name: str = "small", rows: int = 5, **options: Any) -> Path:
    writer = set_smallest_sizes(FileWriter(name, **options))
    writer.add_schema(NUMBERED, "small")
    writer.write_raw_data(numbered(0, rows))
    writer.commit()
    return Path(name)


def numbers(*arguments: Any, **options: Any) -> list[int]:
    data = ds.MindDataset(*arguments, **options)
    return [int(row["number"]) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


def stored_rows(name: str) -> list[dict[str, Any]]:
    return list(FileReader(name).get_next())


def decoded_images(name: str, column: str = "data") -> list[np.ndarray]:
    data = ds.MindDataset(name, [column], shuffle=False).map(ds.vision.Decode(), column)
    return [row[column] for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
