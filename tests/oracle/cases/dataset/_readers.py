"""Readers of folders in the layouts of public data sets: what both sides are asked of each."""

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.dataset import image_layouts, stream_layouts

INLINE_VALUES = 16


def lay(layout: str, changed: Mapping[str, bytes | None] | None = None) -> None:
    """Write the files of a layout into the present folder; some with other bytes, or, for None, not at all."""
    streamed = stream_layouts.LAYOUTS.get(layout)
    files = (streamed() if streamed else image_layouts.layout(layout)) | dict(changed or {})
    image_layouts.write({path: data for path, data in files.items() if data is not None}, Path.cwd())


def ask(
    layout: str, make: Callable[[], Any], changed: Mapping[str, bytes | None] | None = None, without: str = ""
) -> Any:
    """Ask a reader for columns, size, classes and rows; an error is told by its class.

    Args:
        layout: its files.
        make: constructs it.
        changed: see `lay`.
        without: parts of the answer that are left out; "order" is that of the rows.
    """
    lay(layout, changed)
    data = make()
    questions = {
        "names": data.get_col_names,
        "size": data.get_dataset_size,
        "classes": lambda: data.get_class_indexing(),
        "count": lambda: data.num_classes() if callable(data.num_classes) else data.num_classes,
        "rows": lambda: rows_of(data),
    }
    found = {part: answer(question) for part, question in questions.items() if part not in without}
    if "order" in without and isinstance(found["rows"], list):
        found["rows"].sort(key=repr)
    return found


def answer(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        return type(error).__name__


def rows_of(data: Any) -> list[dict[str, Any]]:
    rows = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{name: shown(value) for name, value in row.items()} for row in rows]


def shown(value: np.ndarray) -> Any:
    """The value or, of many, dtype, shape and a checksum."""
    if value.dtype.kind in "US" or value.size <= INLINE_VALUES:
        return value
    return str(value.dtype), value.shape, zlib.crc32(np.ascontiguousarray(value).tobytes())
