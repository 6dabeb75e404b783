"""Argument checks that raise MindSpore's classes, naming the argument, what it got and what is allowed."""

from collections.abc import Sequence
from typing import Any

INT32_MAX = 2147483647
INT64_MAX = 9223372036854775807


def check_type(value: object, types: tuple[type, ...], name: str) -> None:
    """Raise TypeError unless `value` is of one of `types`; a bool is an int only where bool is listed."""
    if isinstance(value, types) and not (isinstance(value, bool) and bool not in types):
        return
    raise TypeError(f"Argument {name} with value {value!r} is not of type {list(types)}, but got {type(value)}.")


def check_range(value: float, low: float, high: float, name: str, open_low: bool = False) -> None:
    """Raise ValueError unless `low` <= `value` <= `high` (`low` < `value` with `open_low`)."""
    if (low < value if open_low else low <= value) and value <= high:
        return
    bracket = "(" if open_low else "["
    raise ValueError(f"Input {name} is not within the required interval of {bracket}{low}, {high}], got {value!r}.")


def check_count(value: object, name: str, low: int = 1, high: int = INT32_MAX) -> None:
    """Raise unless `value` is an int in [`low`, `high`]."""
    check_type(value, (int,), name)
    check_range(value, low, high, name)  # type: ignore[arg-type]


def check_workers(value: int | None) -> None:
    """Raise unless `value` is None or a positive number of workers.

    MindSpore also refuses more workers than the machine has cores; scripts written for large servers run here all the
    same.
    """
    if value is None:
        return
    check_type(value, (int,), "num_parallel_workers")
    if value < 1:
        raise ValueError(f"num_parallel_workers exceeds the boundary: it must be at least 1, got {value}.")


def check_names(names: str | Sequence[str], argument: str) -> list[str]:
    """Give the column names as a list, refusing anything but distinct non-empty strings."""
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, (list, tuple)):
        check_type(names, (list, str), argument)
    for position, name in enumerate(names):
        check_type(name, (str,), f"{argument}[{position}]")
        if not name:
            raise ValueError(f"{argument}[{position}] should not be empty.")
    if len(set(names)) != len(names):
        raise ValueError(f"Every column name should not be same with others in {argument}, got {list(names)}.")
    return list(names)


def refuse_cache(cache: Any) -> None:
    """Refuse a DatasetCache: there is no cache server here."""
    if cache is not None:
        raise NotImplementedError("For 'cache', only None is available in msbridge: there is no cache server.")
