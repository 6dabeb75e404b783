"""Argument checks that only pipelines need: column names, workers."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.arguments import typed


def worker_count(value: Any) -> int | None:
    """Return `value`, None or a positive number of workers.

    MindSpore also refuses more workers than the machine has cores; scripts written for large servers run here all the
    same.
    """
    if value is not None and typed(value, "num_parallel_workers", int) < 1:
        raise ValueError(f"num_parallel_workers exceeds the boundary: it must be at least 1, got {value}.")
    return value


def checked_names(names: str | Sequence[str], argument: str) -> list[str]:
    """Return the column names as a list of distinct non-empty strings.

    Raises:
        TypeError: `names` is neither a string nor a list of strings.
        ValueError: a name is empty, or occurs twice.
    """
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, (list, tuple)):
        typed(names, argument, (list, str))
    for position, name in enumerate(names):
        if not typed(name, f"{argument}[{position}]", str):
            raise ValueError(f"{argument}[{position}] should not be empty.")
    if len(set(names)) != len(names):
        raise ValueError(f"Every column name should not be same with others in {argument}, got {list(names)}.")
    return list(names)


def optional_names(names: str | Sequence[str] | None, argument: str) -> list[str]:
    """Return the column names as `checked_names` does; None and an empty list stand for a default."""
    return checked_names(names, argument) if names else []


def no_cache(cache: Any) -> None:
    """Refuse a DatasetCache: there is no cache server."""
    if cache is not None:
        raise NotImplementedError("For 'cache', only None is available in msbridge: there is no cache server.")
