"""Schema: the columns of a reader of records, with their dtypes and shapes."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.path_mapping import resolve
from msbridge.core.runtime.plain_files import read_file
from msbridge.core.types.dtype import Type
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.json_text import parse_json

__all__ = ["Schema"]

TYPES = (
    *(f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")),
    *("float16", "float32", "float64", "bool", "string"),
)
FIELDS, ATTRIBUTES = {"columns", "datasetType", "numRows"}, {"name", "type", "rank", "t_impl", "shape"}
MAX_FILE_BYTES = 64 << 20  # bytes


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """One column.

    Attributes:
        name: what it is called.
        type: one of `TYPES`.
        shape: the shape of a row, in which one dimension may be -1; None is one dimension of any length.
    """

    name: str
    type: str
    shape: tuple[int, ...] | None


class Schema:
    """Columns with their dtypes and shapes.

    Args:
        schema_file: a JSON file; None begins without columns.

    Raises:
        TypeError: `schema_file` is not a string.
        ValueError: there is no such file.
        RuntimeError: the file holds no schema.

    Examples:
        >>> schema = Schema()
        >>> schema.add_column("label", "int64", [1])
        >>> schema.columns[0].shape
        (1,)

    Follows: mindspore.dataset.Schema (2.10).
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.columns: list[ColumnSchema] = []
        self.dataset_type, self.num_rows = "", 0
        if schema_file is not None:
            self._take(_load_json(schema_file), str(schema_file))

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name: what it is called.
            de_type: a dtype, or its name.
            shape: the shape of a row, in which one dimension may be -1; None is one dimension of any length.

        Raises:
            TypeError: an argument is of another type, or there is no such dtype.

        Follows: mindspore.dataset.Schema.add_column (2.10).
        """
        if not require_type(name, "name", str):
            raise TypeError("Expected non-empty string for column name.")
        if shape is not None:
            for place, size in enumerate(require_type(shape, "shape", list)):
                require_type(size, f"shape[{place}]", int)
        kind = str(de_type).lower() if isinstance(de_type, (Type, str)) else None
        if kind not in TYPES:
            raise TypeError(f"Unknown column type: {de_type!r}; it can be {', '.join(TYPES)}.")
        self.columns.append(ColumnSchema(name, kind, None if shape is None else tuple(shape)))

    def parse_columns(self, columns: dict[str, Any] | list[dict[str, Any]] | tuple[dict[str, Any], ...]) -> None:
        """Replace the columns.

        Args:
            columns: a list of {"name": …, "type": …, "shape": …}, or a dict from names to {"type": …, "shape": …};
                without "shape" a row is a scalar.

        Raises:
            RuntimeError: it is something else, or a name or a type is missing.

        Follows: mindspore.dataset.Schema.parse_columns (2.10).
        """
        self.columns = _columns(json.loads(json.dumps(columns)), "the columns")

    def to_json(self) -> str:
        """Return the schema as JSON.

        Follows: mindspore.dataset.Schema.to_json (2.10).
        """
        columns = [
            {"name": each.name, "rank": 1 if each.shape is None else len(each.shape)}
            | ({} if each.shape is None else {"shape": list(each.shape)})
            | {"type": each.type}
            for each in self.columns
        ]
        content: dict[str, Any] = {"columns": columns or None}
        content |= {"datasetType": self.dataset_type} if self.dataset_type else {}
        content |= {"numRows": self.num_rows} if self.num_rows else {}
        return json.dumps(content, indent=2, ensure_ascii=False)

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Replace columns, type and number of rows by what a dict says.

        Raises:
            RuntimeError: it is not a schema.

        Follows: mindspore.dataset.Schema.from_json (2.10).
        """
        self._take(json.loads(json.dumps(json_obj)), "the schema")

    @staticmethod
    def get_num_rows(schema: "Schema | str") -> int:
        """Return the number of rows that a schema names; 0 where it names none.

        Follows: mindspore.dataset.Schema.get_num_rows (2.10).
        """
        return (schema if isinstance(schema, Schema) else Schema(schema)).num_rows

    def __str__(self) -> str:
        return self.to_json()

    def _take(self, content: Any, where: str) -> None:
        if not isinstance(content, Mapping) or "columns" not in content:
            raise pipeline_error(f'"columns" node is required in {where}.')
        if unknown := set(content) - FIELDS:
            raise pipeline_error(f"Unknown field {', '.join(sorted(unknown))} in {where}.")
        kind, rows = content.get("datasetType", ""), content.get("numRows", 0)
        if not isinstance(kind, str) or isinstance(rows, bool) or not isinstance(rows, int | float) or rows < 0:
            raise pipeline_error(f'In {where}, "datasetType" must be a string and "numRows" a number of 0 or more.')
        columns = _columns(content["columns"], where)
        if not columns:
            raise pipeline_error(f"Columns are missing in {where}.")
        self.columns, self.dataset_type, self.num_rows = columns, kind, int(rows)


def read_schema(schema: "Schema | str") -> Schema:
    """Return the schema that a reader of records takes.

    In a file that it reads itself, "rank" counts: without "shape", a column of rank 0 is a scalar, and one of a higher
    rank has one dimension of any length.

    Raises:
        TypeError: `schema` is not a Schema and no string.
        ValueError: there is no such file.
        RuntimeError: the file holds no schema.
    """
    if isinstance(schema, Schema):
        if not schema.columns:
            raise pipeline_error('Invalid data, "columns" field is missing in JSON schema string.')
        return schema
    read, columns = Schema(schema), _entries(_load_json(schema)["columns"], schema)
    ranked = []
    for column, entry in zip(read.columns, columns, strict=True):
        rank = entry.get("rank", -1)
        if not isinstance(rank, int) or rank < 0:
            raise pipeline_error(f'Invalid data, "rank" field of column {column.name} must be 0 or more in {schema}.')
        if unknown := set(entry) - ATTRIBUTES:
            raise pipeline_error(
                f"Invalid data, column {column.name} has the attributes {sorted(unknown)} in {schema}."
            )
        shape = None if rank and "shape" not in entry else column.shape
        ranked.append(ColumnSchema(column.name, column.type, shape))
    read.columns = ranked
    return read


def _load_json(schema_file: Any) -> Any:
    if not isinstance(schema_file, (str, os.PathLike)):
        raise TypeError(f"path: {schema_file!r} is not string")
    path = Path(resolve(schema_file))
    if not path.is_file() or not os.access(path, os.R_OK):
        raise ValueError(f"The file {path} does not exist or permission denied!")
    try:
        return parse_json(read_file(path, MAX_FILE_BYTES))
    except (ValueError, RecursionError) as error:
        raise pipeline_error(f"Schema file failed to load: {path} ({error}).") from error


def _entries(columns: Any, where: str) -> list[dict[str, Any]]:
    if isinstance(columns, Mapping):
        columns = [{"name": name, **entry} for name, entry in sorted(columns.items()) if isinstance(entry, Mapping)]
    if not isinstance(columns, list) or not all(isinstance(entry, Mapping) for entry in columns):
        raise pipeline_error(f"columns must be dict or list, columns contain name, type, shape(optional), in {where}.")
    return [dict(entry) for entry in columns]


def _columns(columns: Any, where: str) -> list[ColumnSchema]:
    listed = []
    for entry in _entries(columns, where):
        for needed in ("name", "type"):
            if not isinstance(entry.get(needed), str):
                raise pipeline_error(f"Column's {needed} is missing or no string in {where}: {entry}.")
        if entry["type"] not in TYPES:
            raise pipeline_error(f"Type {entry['type']!r} of column {entry['name']!r} is unknown in {where}.")
        shape = entry.get("shape", [])
        shape = shape if isinstance(shape, list) else [shape]
        if not all(isinstance(size, int) and not isinstance(size, bool) for size in shape):
            raise pipeline_error(f"The shape of column {entry['name']!r} must consist of numbers in {where}: {shape}.")
        listed.append(ColumnSchema(entry["name"], entry["type"], tuple(shape)))
    return listed
