"""Turn the tables of this folder into frozen dataclasses, once, and refuse a table that is not in order.

A TOML file holds rows of one of two forms; the header is the row's key and fills the first field of the dataclass::

    ["torch.nn.BatchNorm2d"]            one row per key: `table(name, Row)` returns {key: Row}
    [["mindspore.nn.Dropout"]]          several rows per key: `tables(name, Row)` returns {key: (Row, ...)}
    "ops.max" = [{ since = "2.0" }]      the same, a row per line

A TSV file names the fields in its first line that is not a comment, and has one row per line: `columns(name, Row)`
returns (Row, ...). Keys are sorted everywhere (by code point, so that `sort` of the C locale agrees).
"""

import dataclasses
import functools
import itertools
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

FOLDER = Path(__file__).parent
WORDS = {"true": True, "false": False}

Row = TypeVar("Row")


class TableError(ValueError):
    """A table that is not in order: unknown column, duplicate, unsorted, missing or wrong value."""


@functools.cache
def table(name: str, row: type[Row]) -> Mapping[str, Row]:
    """Read the rows of the TOML table `name` ("parameters.toml", "releases/nn.toml"), one row per key."""
    return read_table(FOLDER / name, row)


@functools.cache
def tables(name: str, row: type[Row]) -> Mapping[str, tuple[Row, ...]]:
    """Read the rows of the TOML table `name`, several rows per key, in the order of the file."""
    return read_tables(FOLDER / name, row)


@functools.cache
def columns(name: str, row: type[Row], repeated: bool = False) -> tuple[Row, ...]:
    """Read the rows of the TSV table `name`; `repeated` allows several rows with the same first column."""
    return read_columns(FOLDER / name, row, repeated)


def read_table(path: Path, row: type[Row]) -> Mapping[str, Row]:
    """Read a TOML file of single rows.

    Args:
        path: the file.
        row: a frozen dataclass whose first field takes the key; fields with a default may be left out. Types: str,
            int, float, bool, object, tuple[T, ...], Mapping[str, T], another dataclass, and unions of them.

    Returns:
        A read-only mapping key → row, in the order of the file.

    Raises:
        TableError: the file cannot be parsed, is unsorted, or a row has an unknown, missing or wrong column.
    """
    rows = {}
    for key, values in _parse(path).items():
        if not isinstance(values, dict):
            raise TableError(f'{path.name}: {key!r} must be one row, ["{key}"], got {type(values).__name__}.')
        rows[key] = _build(row, values, f"{path.name}: {key!r}", key)
    return types.MappingProxyType(rows)


def read_tables(path: Path, row: type[Row]) -> Mapping[str, tuple[Row, ...]]:
    """Read a TOML file of repeated rows; see `read_table`. Two equal rows under one key are a duplicate."""
    rows = {}
    for key, several in _parse(path).items():
        if not isinstance(several, list):
            raise TableError(f'{path.name}: {key!r} must be repeated rows, [["{key}"]], got one row.')
        built = [_build(row, values, f"{path.name}: {key!r} #{i}", key) for i, values in enumerate(several, 1)]
        for i, one in enumerate(built):
            if one in built[:i]:
                raise TableError(f"{path.name}: {key!r} #{i + 1} is a duplicate of #{built.index(one) + 1}.")
        rows[key] = tuple(built)
    return types.MappingProxyType(rows)


def read_columns(path: Path, row: type[Row], repeated: bool = False) -> tuple[Row, ...]:
    """Read a TSV file whose header is the field names of `row`.

    An empty cell leaves the field at its default. Cells of a tuple field are separated by blanks.

    Raises:
        TableError: a column is unknown or missing, a line has too many cells, keys repeat or are unsorted.
    """
    lines = [
        (number, line)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line and not line.startswith("#")
    ]
    if not lines:
        raise TableError(f"{path.name}: no header line.")
    header = lines[0][1].split("\t")
    _refuse_unknown(header, _fields(row), path.name)  # type: ignore[arg-type]
    if len(set(header)) != len(header):
        raise TableError(f"{path.name}: a column is named twice in {header}.")
    rows: list[Row] = []
    readers = [_reader_of_cells(name, _fields(row)[name]) for name in header]  # type: ignore[arg-type]
    needed = _fields_without_default(row)  # type: ignore[arg-type]
    previous: Sequence[str] = ()
    for number, line in lines[1:]:
        where = f"{path.name}: line {number}"
        cells = line.split("\t")
        if len(cells) > len(header):
            raise TableError(f"{where} has {len(cells)} cells, the header names {len(header)}.")
        if cells == previous or (not repeated and previous and cells[0] == previous[0]):
            raise TableError(f"{where}: {cells[0]!r} is there already.")
        if previous and cells[0] < previous[0]:
            raise TableError(f"{where}: {cells[0]!r} must come before {previous[0]!r} (rows are sorted).")
        built = {name: read(cell, where) for name, read, cell in zip(header, readers, cells, strict=False) if cell}
        if not needed <= built.keys():
            _refuse_missing(row, built, where)
        rows.append(row(**built))
        previous = cells
    return tuple(rows)


def _parse(path: Path) -> dict[str, Any]:
    import tomllib  # 4 ms, which an import of msbridge that reads no table is spared

    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:  # duplicate keys too
        raise TableError(f"{path.name}: {error}.") from error
    keys = list(rows)
    for before, after in itertools.pairwise(keys):
        if after < before:
            raise TableError(f"{path.name}: {after!r} must come before {before!r} (rows are sorted).")
    return rows


@functools.cache
def _fields(row: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(row)
    return {field.name: hints[field.name] for field in dataclasses.fields(row)}


@functools.cache
def _fields_without_default(row: Any) -> frozenset[str]:
    fields = [field for field in dataclasses.fields(row) if field.default is dataclasses.MISSING]
    return frozenset(field.name for field in fields if field.default_factory is dataclasses.MISSING)


def _refuse_unknown(names: Sequence[str], fields: Mapping[str, Any], where: str) -> None:
    unknown = [name for name in names if name not in fields]
    if unknown:
        raise TableError(
            f"{where}: unknown column {', '.join(map(repr, unknown))}; the columns are {', '.join(fields)}."
        )


def _build(row: type[Row], values: Mapping[str, Any], where: str, key: str | None = None) -> Row:
    fields = _fields(row)  # type: ignore[arg-type]
    first = next(iter(fields))
    allowed = {name: hint for name, hint in fields.items() if key is None or name != first}
    _refuse_unknown(list(values), allowed, where)
    built = {name: _value(value, allowed[name], f"{where}, {name}") for name, value in values.items()}
    if key is not None:
        built[first] = key
    _refuse_missing(row, built, where)
    try:
        return row(**built)
    except ValueError as error:  # of its `__post_init__`
        raise TableError(f"{where}: {error}") from error


def _reader_of_cells(name: str, hint: Any) -> Callable[[str, str], Any]:
    """Return the reader of a column, of a cell and its line; text and words need no check."""
    if hint is str:
        return lambda cell, where: cell
    if hint == tuple[str, ...]:
        return lambda cell, where: tuple(cell.split())
    return lambda cell, where: _value(_cell(cell, hint), hint, f"{where}, {name}")


def _refuse_missing(row: Any, built: Mapping[str, Any], where: str) -> None:
    if missing := sorted(_fields_without_default(row) - built.keys()):
        raise TableError(f"{where}: column {', '.join(map(repr, missing))} is missing.")


def _value(value: Any, hint: Any, where: str) -> Any:
    """Check a parsed value against its field's type, and freeze lists and tables."""
    origin = typing.get_origin(hint)
    if hint is object or hint is Any:
        return value
    if origin in (types.UnionType, typing.Union):
        for choice in typing.get_args(hint):
            try:
                return _value(value, choice, where)
            except TableError:
                continue
    elif origin is tuple and isinstance(value, list):
        return tuple(_value(item, typing.get_args(hint)[0], where) for item in value)
    elif origin is not None and issubclass(origin, Mapping) and isinstance(value, dict):
        inner = typing.get_args(hint)[1]
        return types.MappingProxyType({name: _value(item, inner, where) for name, item in value.items()})
    elif dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return _build(hint, value, where)  # type: ignore[arg-type]
    elif origin is None and type(value) is hint:
        return value
    raise TableError(f"{where} must be {getattr(hint, '__name__', hint)}, got {value!r}.")


def _cell(text: str, hint: Any) -> Any:
    """Read the text of a TSV cell as the type of its field."""
    choices = typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)
    for choice in choices:
        if typing.get_origin(choice) is tuple:
            return text.split()
        if choice is bool and text in WORDS:
            return WORDS[text]
        if choice in (int, float):
            try:
                return choice(text)
            except ValueError:
                continue
    return text
