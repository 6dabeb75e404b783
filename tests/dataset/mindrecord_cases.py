"""The rows of the recorded MindRecord files, which both sides write."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Written:
    """A file: its schema, and the rows of each call; `appended` is written after the file was complete."""

    schema: dict[str, Any]
    calls: list[Rows]
    index: list[str] | None = None
    shards: int = 1
    appended: list[Rows] | None = None

    @property
    def rows(self) -> Rows:
        return [row for call in self.calls + (self.appended or []) for row in call]


ALL_TYPES = {
    "label": {"type": "int32"},
    "name": {"type": "string"},
    "weight": {"type": "float32"},
    "exact": {"type": "float64"},
    "id": {"type": "int64"},
    "image": {"type": "bytes"},
    "boxes": {"type": "int32", "shape": [-1, 2]},
    "mask": {"type": "float32", "shape": [2, 2]},
    "tokens": {"type": "int64", "shape": [-1]},
    "points": {"type": "float64", "shape": [-1]},
}


def of_all_types(number: int) -> dict[str, Any]:
    return {
        "label": (-1) ** number * 7**number,
        "name": "é" * number + '"\0',
        "weight": number / 3,
        "exact": float("nan") if number == 3 else -(10.0 ** (number * 40)),
        "id": (-1) ** number << (9 * number),
        "image": bytes(range(number)) + b"\0",
        "boxes": (np.arange(2 * number + 2).reshape(-1, 2) * 1000**number % (1 << 31)).astype(np.int32),
        "mask": np.full((2, 2), number / 7, np.float32),
        "tokens": np.array([number, -129, 1 << 40, -(1 << 15), 127, 255][number:], np.int64),
        "points": np.arange(number) / 3,
    }


def numbered(start: int, stop: int, blob: int = 0, text: int = 0) -> Rows:
    return [
        {
            "number": number,
            "text": f"c{number % 3}" + "q" * text,
            "data": bytes([65 + number % 26]) * (blob + number % 7 + 1),
        }
        for number in range(start, stop)
    ]


NUMBERED = {"number": {"type": "int32"}, "text": {"type": "string"}, "data": {"type": "bytes"}}

WRITTEN = {
    "all_types": Written(ALL_TYPES, [[of_all_types(number) for number in range(6)]], ["label"]),
    "scalars_only": Written(
        {"x": {"type": "int64"}, "y": {"type": "string"}}, [[{"x": i << 30, "y": "z" * i} for i in (0, 31, 300)]]
    ),
    "one_blob": Written({"v": {"type": "int64", "shape": [-1]}}, [[{"v": np.arange(i) - 2} for i in (1, 4, 5)]]),
    "indexed": Written(NUMBERED, [numbered(0, 7)], ["text", "number"]),
    "blob_pages": Written(NUMBERED, [numbered(i, i + 10, blob=5000) for i in (0, 10, 20)], ["number"]),
    "raw_pages": Written(
        NUMBERED, [numbered(0, 20, 100, 3000), numbered(20, 25, 12000, 5), numbered(25, 34, 12000, 9000)], ["number"]
    ),
    "appended": Written(NUMBERED, [numbered(0, 3)], appended=[numbered(3, 7), numbered(7, 20, 8000, 4000)]),
    "shards": Written(NUMBERED, [numbered(0, 12)], shards=3),
}


def set_smallest_sizes(writer: Any) -> Any:
    """Set the sizes of the header and of pages to the smallest that are allowed; return the writer."""
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    return writer


def write(FileWriter: Any, name: str, case: Written) -> None:
    """Write the files of a case into the present folder."""
    made = set_smallest_sizes(FileWriter(name, case.shards))
    made.add_schema(case.schema, name)
    if case.index:
        made.add_index(case.index)
    for call in case.calls:
        made.write_raw_data(call)
    made.commit()
    if case.appended:
        made = FileWriter.open_for_append(name)
        for call in case.appended:
            made.write_raw_data(call)
        made.commit()
