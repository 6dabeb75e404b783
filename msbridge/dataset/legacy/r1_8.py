"""Data processing of 1.8: text has bytes' dtype, and a few arguments are not checked."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset.engine import blocks, dataset_base
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.iterators import Iterator
from msbridge.dataset.engine.operators import batch, map
from msbridge.dataset.legacy import r2_0
from msbridge.dataset.legacy.r1_0 import next_row
from msbridge.dataset.readers.streamed import generator
from msbridge.dataset.readers.streamed.generator import GeneratorDataset


def row_types(rows: Any) -> list[np.dtype]:
    """Return the dtype of each column, that of bytes for text."""
    return [np.dtype("S") if dtype.kind == "U" else dtype for dtype in blocks.row_types(rows)]


def values_of(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays; bytes are their numbers."""
    if isinstance(row, tuple):
        return r2_0.values_of(self, tuple(map_bytes(value) for value in row))
    return r2_0.values_of(self, map_bytes(row))


def map_bytes(value: Any) -> Any:
    """Return bytes as an array of their numbers, and what is something else."""
    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value


def _require_type(value: Any, name: str, kinds: Any) -> Any:
    """Check the type of an argument; whether there are processes may be anything."""
    return value if name == "python_multiprocessing" else require_type(value, name, kinds)


def _row_size(value: Any) -> None:
    """Check how large rows are: any number."""
    if value is not None:
        require_type(value, "max_rowsize", int)


def _iterator(self: Iterator, dataset: Any, *args: Any, **kwargs: Any) -> None:
    """Construct the iterator; the first one of a pipeline looks for the names of the columns."""
    if isinstance(dataset, DatasetBase):
        dataset.get_col_names()
    today_iterator(self, dataset, *args, **kwargs)


def _value(self: Iterator, value: Any) -> Any:
    """Return a value of a row: text as a Tensor of strings, in numpy as bytes."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "US":
        return _today_value(self, value)
    if self._output_numpy:
        return np.asarray(np.char.encode(value)) if value.dtype.kind == "U" else value
    return Tensor(np.char.decode(value) if value.dtype.kind == "S" else value)


_today_value, today_iterator = Iterator._value, Iterator.__init__
_SIZES = [Part(each, "row_sizes", _row_size) for each in (batch, map)]
OVERRIDES = {
    "dataset.Dataset.batch": _SIZES[0],
    "dataset.Dataset.create_dict_iterator": [Part(Iterator, "get_next", next_row), Part(Iterator, "_value", _value)],
    "dataset.Dataset.map": _SIZES[1],
    "dataset.Dataset.output_types": Part(dataset_base, "row_types", row_types),
    "dataset.GeneratorDataset": [
        Part(generator, "require_type", _require_type),
        Part(generator, "int_within", lambda value, *_: value),  # only `max_rowsize` is checked so
        Part(GeneratorDataset, "_values", values_of),
        Part(Iterator, "__init__", _iterator),
    ],
}
