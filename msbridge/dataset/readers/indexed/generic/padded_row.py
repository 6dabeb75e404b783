"""The row that fills up MindRecord files: its values have to be those of the schema's types."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.mindrecord.format.schema import FLOATS, INTEGERS, NUMBERS, Schema

__all__ = ["make_padded_row"]


def make_padded_row(sample: Mapping[str, Any], schema: Schema, names: list[str]) -> dict[str, Any]:
    """Return the values of a padded sample, by the columns that are read.

    As in MindSpore, a field of integers takes digits, too, and one of strings takes numbers.

    Raises:
        RuntimeError: a value is not of the type that its field has.
    """
    row = {}
    for name in names:
        field = schema.fields[name]
        try:
            row[name] = _blob(sample[name], field) if name in schema.blob_fields else _scalar(sample[name], field)
        except (TypeError, ValueError) as error:
            raise pipeline_error(
                f"Invalid padded_sample, the value of column: {name} should be of {dict(field)}, got {sample[name]!r}."
            ) from error
    return row


def _scalar(value: Any, field: Mapping[str, Any]) -> Any:
    kind = field["type"]
    if not isinstance(value, str | int | float | np.number):
        raise TypeError
    if kind in INTEGERS:
        if isinstance(value, float | np.floating):
            raise TypeError
        limits, number = np.iinfo(NUMBERS[kind]), int(value)
        if not limits.min <= number <= limits.max:
            raise ValueError
        return number
    if kind in FLOATS:
        if isinstance(value, str):
            raise TypeError
        return float(value)
    return str(int(value) if isinstance(value, bool) else value)


def _blob(value: Any, field: Mapping[str, Any]) -> Any:
    if not isinstance(value, bytes | np.ndarray):
        raise TypeError
    if field["type"] == "bytes":
        return bytes(value)
    dtype = NUMBERS[field["type"]]
    return np.asarray(np.frombuffer(value, dtype) if isinstance(value, bytes) else value, dtype).reshape(field["shape"])
