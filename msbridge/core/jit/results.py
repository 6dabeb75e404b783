"""The results of graphs: tuples and lists stand in the places of what Python computes when it is asked for."""

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

from msbridge.core.tensor import Tensor

__all__ = ["whole"]


def whole(value: Any) -> Any:
    """Return what a graph returns for a result: no map, filter, zip, range, generator or view of a dict is in it."""
    kind = type(value)
    return value if kind is Tensor or kind not in _MADE else _MADE[kind](value)


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
