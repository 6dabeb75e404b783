"""Arrays in memory."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.arguments import check_names
from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch, ListRows
from msbridge.dataset.engine.sampling.sampler_arguments import as_sampler, check_sampling
from msbridge.dataset.engine.sampling.samplers import PKSampler, in_bounds
from msbridge.dataset.engine.sampling.user_samplers import check_yielded
from msbridge.dataset.engine.user_values import as_array
from msbridge.dataset.readers.source import MappableDataset

__all__ = ["NumpySlicesDataset"]


NUMBER_KINDS = "biuf"  # of numpy dtypes
_SCALARS = [{kind} for kind in (bool, int, float, str, bytes)]  # of which numpy makes one dtype


class NumpySlicesDataset(MappableDataset, UnionBaseDataset):
    """Rows of arrays: row i is the i-th element along the first axis of each column.

    Args:
        data: list or ndarray (one column), tuple of those (several columns), or dict from names to those.
        column_names: None takes the dict's keys, or column_0, column_1, …
        num_parallel_workers: accepted; the data lies in memory.
        num_samples, shuffle, sampler, num_shards, shard_id: as in every reader.

    Raises:
        TypeError: `data` is of another type.
        ValueError: `data` is empty, columns differ in length, or there are more or fewer names than columns.

    Follows: mindspore.dataset.NumpySlicesDataset (2.10).
    """

    def __init__(
        self,
        data: Any,
        column_names: str | list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        if len(require_type(data, "data", (list, tuple, dict, np.ndarray))) == 0:
            raise ValueError("Argument data cannot be empty")
        columns = (
            _columns_of_dict(data) if isinstance(data, dict) else list(data) if isinstance(data, tuple) else [data]
        )
        if isinstance(data, tuple):
            for number, column in enumerate(data):
                require_type(column, f"data[{number}]", (list, np.ndarray))
        if column_names is not None:
            require_type(column_names, "column_names", (list, str))
            names = check_names(column_names, "column_names")
        elif isinstance(data, dict):
            names = [str(name) for name in data]
        else:
            names = [f"column_{number}" for number in range(len(columns))]
        lengths = {len(column) for column in columns}
        if len(lengths) != 1:
            raise ValueError(f"Data length in each column is not equal: {[len(column) for column in columns]}.")
        if lengths == {0}:
            raise ValueError("Argument data cannot be empty")
        if len(names) != len(columns):
            raise ValueError(f"Num of input column names is {len(names)}, but required is {len(columns)}.")
        check_sampling(num_samples, None, None, None)
        if isinstance(sampler, PKSampler):
            raise ValueError("NumpySlicesDataset doesn't support PKSampler.")
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id)
        if sampler is not None:
            as_sampler(sampler)
        self.column_names = names
        self._columns = {name: _rows(column) for name, column in zip(names, columns, strict=True)}
        self.source_len = lengths.pop()  # scripts read it, as that of GeneratorDataset

    def _length(self) -> int:
        return self.source_len

    def _reachable(self, indices: np.ndarray) -> np.ndarray:
        check_yielded(self.sampler, indices)
        if indices.dtype != object:
            indices = np.where(indices < 0, indices + self.source_len, indices)
        return in_bounds(indices, self.source_len)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        """Return row `index` as the source has it."""
        return tuple(fetch(np.array([index]))[0] for fetch in self._columns.values())


def _columns_of_dict(data: dict[str, Any]) -> list[Any]:
    """Return the values; vectors of numbers are copied, as their elements are where a dict is turned into lists."""
    return [np.array(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value for value in data.values()]


def _rows(column: Any) -> Fetch:
    """Hold a column as one array where its elements have one dtype and shape; others and arrays of a list as a list."""
    is_object = isinstance(column, np.ndarray) and column.dtype.kind == "O"
    if type(column) is np.ndarray and column.dtype.kind in NUMBER_KINDS:  # numbers of a vector are copied
        return ArrayRows(column, is_lent=column.ndim > 1)
    if not is_object and (isinstance(column, np.ndarray) or set(map(type, column)) in _SCALARS):
        array = as_array(column)
        return ListRows(array.tolist()) if array.dtype.kind in "US" and array.ndim == 1 else ArrayRows(array)
    if all(type(value) is np.ndarray and value.ndim and value.dtype.kind in NUMBER_KINDS for value in column):
        return ListRows(list(column), is_lent=True)
    rows = [as_array(value) for value in column]
    forms = {(row.dtype, row.shape) if isinstance(row, np.ndarray) else None for row in rows}
    is_even = len(forms) == 1 and None not in forms and rows[0].dtype.kind not in "US"
    return ArrayRows(np.stack(rows)) if is_even else ListRows(rows)
