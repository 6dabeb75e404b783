"""Readers of folders in the layouts of public data sets: what both sides are asked of each."""

import os
import tempfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.dataset import image_layouts, stream_layouts

INLINE_VALUES = 16


@cache
def folder_of(layout: str) -> tempfile.TemporaryDirectory:
    """Write the files of a layout, once: readers leave a folder as it is."""
    folder = tempfile.TemporaryDirectory()
    image_layouts.write(files_of(layout), Path(folder.name))
    return folder


def files_of(layout: str) -> dict[str, bytes]:
    streamed = stream_layouts.LAYOUTS.get(layout)
    return streamed() if streamed else image_layouts.layout(layout)


def enter(layout: str, changed: Mapping[str, bytes | None] | None = None) -> str:
    """Go into a folder with the files of a layout, some with other bytes or, for None, left out; return its path."""
    if changed:
        files = files_of(layout) | dict(changed)
        image_layouts.write({path: data for path, data in files.items() if data is not None}, Path.cwd())
    else:
        os.chdir(folder_of(layout).name)
    return str(Path.cwd())


def ask(
    layout: str, make: Callable[[str], Any], changed: Mapping[str, bytes | None] | None = None, without: str = ""
) -> Any:
    """Ask a reader for columns, size, classes and rows; an error is told by its class.

    Args:
        layout: its files.
        make: constructs it, given the folder, which is the present one as well.
        changed: see `enter`.
        without: parts of the answer that are left out; "order" is that of the rows.
    """
    data = make(enter(layout, changed))
    questions = {
        "names": data.get_col_names,
        "size": data.get_dataset_size,
        "classes": lambda: data.get_class_indexing(),
        "count": lambda: data.num_classes() if callable(data.num_classes) else data.num_classes,
        "rows": lambda: rows_of(data, "order" not in without),
    }
    return {part: answer(question) for part, question in questions.items() if part not in without}


def answer(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        return type(error).__name__


def rows_of(data: Any, is_ordered: bool) -> list[dict[str, Any]]:
    rows = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    if not is_ordered:
        rows.sort(key=lambda row: str([value.tolist() for value in row.values()]))
    return [{name: shown(value) for name, value in row.items()} for row in rows]


def shown(value: np.ndarray) -> Any:
    """The value or, of many, dtype, shape and a checksum."""
    if value.dtype.kind in "US" or value.size <= INLINE_VALUES:
        return value
    return str(value.dtype), value.shape, zlib.crc32(np.ascontiguousarray(value).tobytes())
