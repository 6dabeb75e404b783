"""Argument checks that only pipelines need: column names, workers."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import INT32_MAX, Style, int_within, require_type


def worker_count(value: Any) -> int | None:
    """Return `value`, None or a positive number of workers.

    MindSpore also refuses more workers than the machine has cores; scripts written for large servers run here all the
    same.
    """
    if value is not None and require_type(value, "num_parallel_workers", int) < 1:
        raise ValueError(f"num_parallel_workers exceeds the boundary: it must be at least 1, got {value}.")
    return value


def check_names(names: str | Sequence[str], argument: str) -> list[str]:
    """Return the column names as a list of distinct non-empty strings.

    Raises:
        TypeError: `names` is neither a string nor a list of strings.
        ValueError: there is none, one is empty, or one occurs twice.
    """
    names = [names] if isinstance(names, str) else require_type(names, argument, (list, str))
    if not names:
        raise ValueError(f"{argument} should not be empty.")
    for position, name in enumerate(names):
        if not require_type(name, f"{argument}[{position}]", str):
            raise ValueError(f"{argument}[{position}] should not be empty.")
    if len(set(names)) != len(names):
        raise ValueError(f"Every column name should not be same with others in {argument}, got {list(names)}.")
    return list(names)


def optional_names(names: str | Sequence[str] | None, argument: str) -> list[str]:
    """Return the column names as `check_names` does; None means a default."""
    return [] if names is None else check_names(names, argument)


def check_takes(function: Callable[..., Any], count: int, name: str) -> None:
    """Refuse a function that cannot be called with `count` arguments; what cannot be inspected passes.

    Raises:
        ValueError: it takes fewer or more.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*range(count))
    except TypeError as error:
        raise ValueError(f"{name} should take {count} arguments, but it takes {signature}.") from error


def row_sizes(value: Any) -> None:
    """Check what a script says about memory shared with other processes: MiB, for input and output at once or each.

    Raises:
        TypeError: it is neither None, nor an int, nor a list of two.
        ValueError: a size is out of range.
    """
    if value is None:
        return
    sizes = value if isinstance(require_type(value, "max_rowsize", (int, list)), list) else [value] * 2
    if len(sizes) != 2:
        raise TypeError(f"max_rowsize should be a single integer or a list [in_rowsize, out_rowsize], got {value!r}.")
    for size in sizes:
        int_within(size, "max_rowsize", -1)


SETTINGS = Style(
    of_exact="{name} isn't of type int, got {type}.",
    of_bool="{name} must be of type bool, got {type}.",
    outside="{name} is not within the required range (0, INT32_MAX(2147483647)], got {value}.",
)
"""The words of `dataset.config`."""


def positive_setting(value: int, what: str) -> int:
    """Return `value`, an int of 1 or more."""
    return int(SETTINGS.in_range(SETTINGS.integer(value, what), what, None, 0, INT32_MAX, "(]"))
