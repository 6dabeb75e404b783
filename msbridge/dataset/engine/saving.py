"""Writes the rows of a pipeline to MindRecord files."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.mindrecord.errors import MindRecordException
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter

MAX_FILES = 1000
GROUP = 256  # rows that are handed to the writer at once

STORED = {
    **dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32"), "int32"),
    **dict.fromkeys(("uint32", "int64", "uint64"), "int64"),
    **dict.fromkeys(("float16", "float32"), "float32"),
    "float64": "float64",
}


def save_rows(node: Node, file_name: str, num_files: int, file_type: str) -> None:
    """Write the rows of one pass to `num_files` MindRecord files."""
    require_type(file_name, "file_name", str)
    require_type(num_files, "num_files", int)
    require_type(file_type, "file_type", str)
    if not 0 < num_files <= MAX_FILES:
        raise ValueError(f"num_files should between 1 and {MAX_FILES}, got {num_files}.")
    if file_type != "mindrecord":
        raise ValueError(f"{file_type} dataset format is not supported; it must be 'mindrecord'.")
    if not file_name or not Path(file_name).absolute().parent.is_dir():
        raise pipeline_error(f"SaveToDisk failed: the folder of {file_name!r} does not exist.")
    if node.repetitions() != 1:
        warnings.warn("repeat precedes save: every repetition is stored.", UserWarning, stacklevel=4)
    try:
        _write(node, file_name, num_files)
    except MindRecordException as error:
        raise pipeline_error(f"SaveToDisk failed. {error}") from error


def _write(node: Node, file_name: str, num_files: int) -> None:
    writer = None
    fields: dict[str, dict[str, Any]] = {}
    held: list[dict[str, Any]] = []
    for row in node.rows():
        if writer is None:
            writer = FileWriter(file_name, num_files)
            fields = {name: _field(value) for name, value in row.items()}
            writer.add_schema(fields, "dataset")
        for name, value in row.items():
            if (field := _field(value)) != fields[name]:
                raise pipeline_error(
                    f"SaveToDisk failed: column {name!r} is {fields[name]} in the first row, {field} in a later one; "
                    "only the first axis may differ."
                )
        held.append({name: _store(value) for name, value in row.items()})
        if len(held) == GROUP:
            writer.write_raw_data(held)
            held = []
    if writer is None:
        raise pipeline_error("SaveToDisk failed: the dataset has no rows.")
    if held:
        writer.write_raw_data(held)
    writer.commit()


def _field(value: Any) -> dict[str, Any]:
    if not isinstance(value, np.ndarray):
        raise pipeline_error(f"SaveToDisk failed: a column of {type(value).__name__} cannot be stored.")
    if value.dtype.kind in "US" and value.ndim == 0:
        return {"type": "string" if value.dtype.kind == "U" else "bytes"}
    stored = STORED.get(value.dtype.name)
    if stored is None:
        raise pipeline_error(f"SaveToDisk failed: a column of {value.dtype} and shape {value.shape} cannot be stored.")
    return {"type": stored, "shape": [-1, *value.shape[1:]]} if value.ndim else {"type": stored}


def _store(value: np.ndarray) -> Any:
    if value.dtype.kind in "US":
        return value.item()
    stored = value.astype(STORED[value.dtype.name], copy=False)
    return stored if value.ndim else stored.item()
