"""Schemas of MindRecord files: named fields, each a number, a string, bytes or an array."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import is_int
from msbridge.dataset.mindrecord.errors import MRMBuildSchemaError, MRMInvalidSchemaError
from msbridge.dataset.mindrecord.format.msgpack_rows import Scalar
from msbridge.dataset.mindrecord.format.packed_integers import compress, expand

FieldValue = Scalar | bytes | np.ndarray

NUMBERS = {name: np.dtype(name) for name in ("int32", "int64", "float32", "float64")}
INTEGERS = ("int32", "int64")
FLOATS = ("float32", "float64")
# What a row may hold for a field without a shape: these very types, as in MindSpore (a bool is not an int32).
PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "int32": (int, np.int32),
    "int64": (int, np.int64),
    "float32": (float, np.float32),
    "float64": (float, np.float64),
    "string": (str,),
    "bytes": (bytes,),
}
# What is in a file for them.
STORED_TYPES: dict[str, tuple[type, ...]] = {
    "int32": (int,),
    "int64": (int,),
    "float32": (float, int),
    "float64": (float, int),
    "string": (str,),
}
SQL_TYPES = {"int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL", "string": "TEXT"}
MAX_DIMENSIONS = 64  # numpy's
_NAME = re.compile(r"[0-9a-zA-Z_]+")


@dataclass(frozen=True)
class Schema:
    """The fields of a row.

    Attributes:
        fields: name → {"type": …} or {"type": …, "shape": […]}, names in alphabetical order.
        blob_fields: the fields that are in blob pages, in the order in which they are there.
        description: the user's own words.
    """

    fields: Mapping[str, Mapping[str, Any]]
    blob_fields: tuple[str, ...]
    description: str = ""

    @cached_property
    def scalar_fields(self) -> tuple[str, ...]:
        """The fields that are in raw pages."""
        blobs = set(self.blob_fields)
        return tuple(name for name in self.fields if name not in blobs)

    def wrong(self, row: Mapping[str, Any]) -> str | None:
        """Return the fault of a row, or None."""
        for name, field in self.fields.items():
            if name not in row:
                return f"field {name!r} is missing"
            value, kind = row[name], field["type"]
            if "shape" not in field:
                if type(value) not in PYTHON_TYPES[kind]:
                    return f"field {name!r} is of type {type(value).__name__}, the schema says {kind}"
            elif not isinstance(value, np.ndarray) or value.dtype != NUMBERS[kind]:
                found = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
                return f"field {name!r} is of {found}, the schema says an ndarray of {kind}"
            elif not _fits(value.size, field["shape"]):
                return f"field {name!r} has shape {value.shape}, the schema says {field['shape']}"
        return None

    def scalars(self, row: Mapping[str, Any]) -> dict[str, Scalar]:
        """Return the numbers and strings of a row as plain Python values."""
        values = {name: row[name] for name in self.scalar_fields}
        return {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}

    def check_scalar(self, name: str, value: Scalar) -> None:
        """Raise ValueError unless a stored number or string is of its field's type; a whole float may be an integer."""
        if not isinstance(value, STORED_TYPES[self.fields[name]["type"]]):
            raise ValueError(f"field {name!r} is {type(value).__name__}, the schema says {self.fields[name]['type']}")

    def encode(self, name: str, value: Any) -> bytes:
        """Encode a blob field."""
        if "shape" not in self.fields[name]:
            return bytes(value)
        if self.fields[name]["type"] in INTEGERS:
            return compress(value.reshape(-1))
        return value.tobytes()

    def decode(self, name: str, data: bytes) -> bytes | np.ndarray:
        """Read a blob field.

        Raises:
            ValueError: the bytes are not a field of this type.
        """
        field = self.fields[name]
        if "shape" not in field:
            return data
        dtype = NUMBERS[field["type"]]
        if field["type"] in INTEGERS:
            values = expand(data, dtype)
        elif len(data) % dtype.itemsize:
            raise ValueError(f"{len(data)} bytes are no {dtype} array")
        else:
            values = np.frombuffer(data, dtype).copy()
        if not _fits(values.size, field["shape"]):
            raise ValueError(f"{values.size} elements do not make shape {field['shape']}")
        return values.reshape(_resolve(values.size, field["shape"]))

    def as_json(self) -> dict[str, Any]:
        """Return the schema as it stands in a file's header."""
        return {
            "blob_fields": list(self.blob_fields),
            "desc": self.description,
            "schema": {name: {key: field[key] for key in sorted(field)} for name, field in self.fields.items()},
        }


def build_schema(content: Any, description: str | None) -> Schema:
    """Build a schema from a user's dict.

    Raises:
        MRMInvalidSchemaError: there are no fields, or one has no storable type.
        MRMBuildSchemaError: a shape has more than one -1, or a dimension that is not positive.
        TypeError: a name or the description is not a string.
    """
    if not isinstance(content, Mapping):
        raise _invalid("Schema content should be dict.")
    if not content:
        raise _invalid("Schema content is empty.")
    if description is not None and not isinstance(description, str):
        raise TypeError(f"The description of a schema must be a string, got {description!r}.")
    for name, field in content.items():
        _check_field(name, field)
    fields = {name: dict(content[name]) for name in sorted(content)}
    blobs = tuple(name for name, field in fields.items() if "shape" in field or field["type"] == "bytes")
    return Schema(fields, blobs, description or "")


def read_schema(entry: Any) -> Schema:
    """Read a schema of a file's header.

    Raises:
        ValueError: it is not a schema.
    """
    try:
        schema = build_schema(entry["schema"], entry.get("desc"))
        blobs = tuple(entry["blob_fields"])
    except (MRMInvalidSchemaError, MRMBuildSchemaError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"the schema of its header is damaged ({error})") from error
    shapes = [field["shape"] for field in schema.fields.values() if "shape" in field]
    if any(len(shape) > MAX_DIMENSIONS or max(shape, default=0) > np.iinfo(np.int64).max for shape in shapes):
        raise ValueError("a shape of its schema is one that no array has")
    if sorted(blobs) != sorted(schema.blob_fields):
        raise ValueError(f"its header names the blob fields {list(blobs)}, by the schema they are {schema.blob_fields}")
    return Schema(schema.fields, blobs, schema.description)


def _check_field(name: Any, field: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"The name of a field must be a string, got {name!r}.")
    if not _NAME.fullmatch(name):
        raise _invalid(f"Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'.")
    if not isinstance(field, Mapping) or not field:
        raise _invalid(f"Field '{name}' should be dict.")
    if set(field) - {"type", "shape"} or "type" not in field:
        raise _invalid(f"Field '{name}' contains illegal attributes: {dict(field)}; it takes 'type' and 'shape'.")
    if field["type"] not in PYTHON_TYPES:
        raise _invalid(f"Field '{name}' contain illegal attribute {field['type']!r}; allowed: {list(PYTHON_TYPES)}.")
    if "shape" not in field:
        return
    shape = field["shape"]
    if not isinstance(shape, list) or field["type"] not in NUMBERS:
        raise _invalid(f"Field '{name}' contain illegal attribute {field!r}: a shape is a list, of a number's type.")
    if not all(map(is_int, shape)):
        raise _invalid(f"Field '{name}' contain illegal attribute {shape!r}: dimensions are integers.")
    if shape.count(-1) > 1 or any(size < 1 and size != -1 for size in shape):
        raise MRMBuildSchemaError(f"Field '{name}' has shape {shape}; dimensions are positive, at most one is -1.")


def _invalid(detail: str) -> MRMInvalidSchemaError:
    return MRMInvalidSchemaError(detail)


def _fits(size: int, shape: Sequence[int]) -> bool:
    known = prod(each for each in shape if each != -1)
    return size % known == 0 if -1 in shape else size == known


def _resolve(size: int, shape: Sequence[int]) -> tuple[int, ...]:
    known = prod(each for each in shape if each != -1)
    return tuple(size // known if each == -1 else each for each in shape)
