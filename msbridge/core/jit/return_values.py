"""The results of graphs: tuples and lists in place of what Python computes when it is asked for."""

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from msbridge.core.tensor.tensor import Tensor

__all__ = ["number", "whole"]


def whole(value: Any) -> Any:
    """Return a graph's value for a result, without iterators, ranges, views of dicts or scalars of numpy."""
    kind = type(value)
    if kind is Tensor:
        return value
    return _MADE[kind](value) if kind in _MADE else number(value)


def number(value: Any) -> Any:
    """Return a scalar of numpy as Python's number, which it is in a graph; only int32 stays numpy's there."""
    return value.item() if isinstance(value, np.generic) and not isinstance(value, np.int32) else value


def _of_map(value: Iterator[Any]) -> Any:
    made: Any = value.__reduce__()
    first = made[1][1]  # what it maps over
    return (list if type(first) is type(iter([])) else tuple)(map(whole, value))


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(map(whole, value))


def _list(value: Any) -> list[Any]:
    return list(map(whole, value))


def _same(value: Any) -> Any:
    """Return a tuple or list itself where nothing in it changes."""
    found = [whole(one) for one in value]
    return value if all(map(_is, found, value)) else type(value)(found)


def _dict(value: dict[Any, Any]) -> dict[Any, Any]:
    found = {key: whole(one) for key, one in value.items()}
    return value if all(map(_is, found.values(), value.values())) else found


def _is(one: Any, other: Any) -> bool:
    return one is other


_MADE: dict[type, Callable[[Any], Any]] = {
    map: _of_map,
    **dict.fromkeys((zip, range, enumerate, type({}.keys()), type({}.values())), _tuple),
    **dict.fromkeys((filter, GeneratorType, type({}.items())), _list),
    **dict.fromkeys((tuple, list), _same),
    dict: _dict,
}
