"""Fusion of chains of transforms that run over rows.

Small rows are computed together, a stack at a time: a transform's fixed costs are paid once. Large rows are computed
one by one, each through the whole chain, while it lies in the processor's cache, and by several threads. Neighbours
that go by pixel are one table of the 256 results of a uint8 pixel, and the last step writes into the batch's memory.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from msbridge.dataset.row_random import BlockRandom, RowRandom
from msbridge.dataset.transforms.base import ChainStep, RandomTransform, Rows, Transform, as_list, stack_if_uniform
from msbridge.dataset.transforms.lookup_tables import MIN_PIXELS, PixelTable, pixel_table

LARGE_BYTES = 64 * 64 * 4  # beyond, rows are faster one by one


class RowMap:
    """A map over rows in this thread; that of a stage has the threads of a pool, and memory that is used again."""

    def __call__(self, call: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        """Call `call` for each row, given by columns, and return the results."""
        return list(map(call, *columns))

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
        """Return an array for the results whose elements are not set."""
        return np.empty(shape, dtype)


map_rows_here = RowMap()


def apply_steps(
    steps: tuple[ChainStep, ...],
    rows: Rows,
    keys: np.ndarray | None,
    together: bool = False,
    map_rows: RowMap = map_rows_here,
) -> Rows:
    """Run a chain over rows.

    Args:
        steps: the chain.
        rows: a stack, or a list of values.
        keys: of the rows; None where no step is random.
        together: the caller wants one array of all rows where their shapes allow it, also of large ones.
        map_rows: computes large rows, in this thread or in several.
    """
    parts = _parts(steps)
    for position, part in enumerate(parts):
        if part.is_heavy or _are_large(rows):
            return _apply_row_by_row(parts[position:], rows, keys, together, map_rows)
        rows = part.stack(rows, keys)
    return rows


class _SingleStep:
    """A step that is computed by itself."""

    def __init__(self, step: ChainStep) -> None:
        self.transform, self.stream_id = step.transform, step.stream_id
        self.is_heavy = self.transform.heavy
        self.is_random = isinstance(self.transform, RandomTransform)

    def stack(self, rows: Rows, keys: np.ndarray | None) -> Rows:
        """Transform all rows."""
        try:
            rows = stack_if_uniform(rows)
            done = self.transform.stack(rows, *self._draws(keys)) if isinstance(rows, np.ndarray) else None
            return (
                list(map(self.transform.transform_value, as_list(rows), *self._draws(keys))) if done is None else done
            )
        except Exception as error:
            raise _failure(self.transform, error) from error

    def _draws(self, keys: np.ndarray | None) -> tuple[BlockRandom, ...]:
        return (BlockRandom(_keys(keys) ^ np.uint64(self.stream_id)),) if self.is_random else ()

    def transform_value(self, value: Any, key: int | None, out: np.ndarray | None) -> Any:
        """Transform one row; `out` may be written to."""
        try:
            if self.is_random:
                return self.transform.transform_value(value, RowRandom(_keys(key) ^ self.stream_id))  # type: ignore[call-arg]
            return self.transform.transform_value(value)
        except Exception as error:
            raise _failure(self.transform, error) from error


class _LookupTableStep:
    """Neighbours that go by pixel."""

    is_heavy = False

    def __init__(self, steps: Sequence[ChainStep]) -> None:
        self._parts = [_SingleStep(step) for step in steps]
        self._transforms = [step.transform for step in steps]
        self._is_worth_it = len(steps) > 1 or not self._transforms[0].pointwise
        self._tables: dict[tuple[int, ...], PixelTable | None] = {}

    def stack(self, rows: Rows, keys: np.ndarray | None) -> Rows:
        """Transform all rows."""
        rows = stack_if_uniform(rows)
        if isinstance(rows, np.ndarray) and (table := self._table(rows.shape[1:], rows)) is not None:
            done = np.empty((len(rows), *table.shape(rows.shape[1:])), table.values.dtype)
            table.write(rows, done)
            return done
        for part in self._parts:
            rows = part.stack(rows, keys)
        return rows

    def transform_value(self, value: Any, key: int | None, out: np.ndarray | None) -> Any:
        """Transform one row, into `out` where it fits."""
        if isinstance(value, np.ndarray) and (table := self._table(value.shape, value)) is not None:
            shape, dtype = table.shape(value.shape), table.values.dtype
            done = out if out is not None and (out.shape, out.dtype) == (shape, dtype) else np.empty(shape, dtype)
            table.write(value[None], done[None])
            return done
        for part in self._parts:
            value = part.transform_value(value, key, None)
        return value

    def _table(self, image: tuple[int, ...], pixels: np.ndarray) -> PixelTable | None:
        if not self._is_worth_it or pixels.dtype != np.uint8 or pixels.size < MIN_PIXELS:
            return None
        kind = (len(image), *image[2:])
        if kind not in self._tables:
            self._tables[kind] = pixel_table(self._transforms, image)
        return self._tables[kind]


_Part = _SingleStep | _LookupTableStep


@lru_cache(maxsize=64)
def _parts(steps: tuple[ChainStep, ...]) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    position = 0
    while position < len(steps):
        end = position
        while end < len(steps) and (steps[end].transform.pointwise or steps[end].transform.by_channel):
            end += 1
        parts.append(_LookupTableStep(steps[position:end]) if end > position else _SingleStep(steps[position]))
        position = max(end, position + 1)
    return tuple(parts)


def _are_large(rows: Rows) -> bool:
    first = rows[0] if len(rows) else None
    return isinstance(first, np.ndarray) and first.nbytes > LARGE_BYTES


def _apply_row_by_row(
    parts: Sequence[_Part], rows: Rows, keys: np.ndarray | None, together: bool, map_rows: RowMap
) -> Rows:
    """Compute each row through all parts."""
    *before, last = parts

    def through(value: Any, key: int | None, out: np.ndarray | None) -> Any:
        for part in before:
            value = part.transform_value(value, key, None)
        value = last.transform_value(value, key, out)
        if out is None or value is out or not isinstance(value, np.ndarray):
            return value
        if (value.shape, value.dtype) != (out.shape, out.dtype):
            return value
        out[...] = value
        return out

    values = as_list(rows)
    numbers = [None] * len(values) if keys is None else keys.tolist()
    if not together or len(values) < 2:
        return map_rows(through, values, numbers, [None] * len(values))
    first = through(values[0], numbers[0], None)
    if not isinstance(first, np.ndarray):
        return [first, *map_rows(through, values[1:], numbers[1:], [None] * (len(values) - 1))]
    whole = map_rows.empty((len(values), *first.shape), first.dtype)
    whole[0] = first
    places = list(whole)
    done = map_rows(through, values[1:], numbers[1:], places[1:])
    if all(value is place for value, place in zip(done, places[1:], strict=True)):
        return whole
    return [first, *done]


def _keys(keys: Any) -> Any:
    if keys is None:  # the random part of a transform that calls itself deterministic
        raise ValueError("a random transform needs the rows' keys")
    return keys


def _failure(transform: Transform, error: Exception) -> RuntimeError:
    text = f"map operation: [{type(transform).__name__}] failed. {error}"
    return RuntimeError(text if isinstance(error, RuntimeError) else f"Exception thrown from dataset pipeline. {text}")
