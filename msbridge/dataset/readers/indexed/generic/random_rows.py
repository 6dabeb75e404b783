"""RandomDataset: rows of random values."""

import json
import os
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset import config
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.readers.source import MappableDataset
from msbridge.dataset.row_random import fold_in
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["RandomDataset"]

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
MAX_COLUMNS, MAX_AXES, MAX_AXIS_LENGTH, MAX_ROWS = 4, 4, 31, 100

Form = tuple[str, np.dtype, tuple[int, ...]]  # name, dtype and shape of a column


class RandomDataset(MappableDataset, VisionBaseDataset):
    """Rows of random values; each row of a column repeats one random byte.

    Args:
        total_rows: how many rows; None takes the schema's number, else a random one.
        schema: a Schema, or the path of its JSON file; None makes up to four random columns.
        columns_list: which columns of the schema; without one, their number.
        num_samples: how many rows; goes before `total_rows` unless there is a schema.
        num_parallel_workers: threads for reading; None takes the global setting.
        cache: keeps what was read, for later passes.
        shuffle: accepted; the rows are random as they are.
        num_shards: accepted; each shard has all the rows.
        shard_id: accepted.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the schema's file does not exist, or an argument is out of range.
        RuntimeError: only one of `num_shards` and `shard_id` is given.

    Follows: mindspore.dataset.RandomDataset (2.10).
    """

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        for name, value, kind in (
            ("total_rows", total_rows, int),
            ("num_shards", num_shards, int),
            ("shard_id", shard_id, int),
            ("shuffle", shuffle, bool),
            ("columns_list", columns_list, list),
        ):
            if value is not None:
                require_type(value, name, kind)
        if (num_shards is None) != (shard_id is None):
            raise RuntimeError("num_shards is specified and currently requires shard_id as well, and the other way.")
        super().__init__(num_parallel_workers, None, num_samples, False, None, None, cache)
        self._seed = config.draw_seed()
        draws = np.random.default_rng(self._seed)
        self.schema, self.columns_list = schema, columns_list or []
        described = None if schema is None else _describe(schema)
        self._forms = _make_up_forms(draws) if described is None else _forms(described, self.columns_list)
        rows = num_samples or total_rows if described is None else total_rows or described.get("numRows")
        self.total_rows = int(rows or draws.integers(1, MAX_ROWS + 1))
        self.sampler.num_samples = None

    def _names(self) -> list[str]:
        return [name for name, _, _ in self._forms]

    def _length(self) -> int:
        return self.total_rows

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        return {form[0]: partial(self._fetch, number, form) for number, form in enumerate(self._forms)}

    def _fetch(self, number: int, form: Form, indices: np.ndarray) -> np.ndarray:
        _, dtype, shape = form
        rows = np.empty((len(indices), *shape), dtype)
        for place, index in enumerate(indices.tolist()):
            byte = fold_in(self._seed, number, index) & 255
            repeated = np.full(dtype.itemsize, byte & 1 if dtype == np.bool_ else byte, np.uint8)
            rows[place] = repeated.view(dtype)[0]
        return rows


def _make_up_forms(draws: np.random.Generator) -> list[Form]:
    forms: list[Form] = []
    for number in range(int(draws.integers(1, MAX_COLUMNS + 1))):
        shape = tuple(draws.integers(1, MAX_AXIS_LENGTH + 1, int(draws.integers(1, MAX_AXES + 1))).tolist())
        forms.append((f"c{number}", np.dtype(str(draws.choice(DTYPES))), shape))
    return forms


def _describe(schema: Any) -> dict[str, Any]:
    """Return the content of a schema, in the form of its JSON."""
    if hasattr(schema, "to_json"):
        return dict(json.loads(schema.to_json()))
    path = Path(require_type(schema, "schema", (str, os.PathLike)))
    if not path.is_file():
        raise ValueError(f"The file {path} does not exist or permission denied!")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _forms(described: dict[str, Any], wanted: list[str]) -> list[Form]:
    columns = described["columns"]
    listed = [{"name": name, **each} for name, each in columns.items()] if isinstance(columns, dict) else columns
    forms = {
        each["name"]: (each["name"], np.dtype(as_numpy_dtype(each["type"])), tuple(each.get("shape") or ()))
        for each in listed
    }
    return [forms[name] for name in wanted or forms]
