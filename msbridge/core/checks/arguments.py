"""Argument checks, one vocabulary for all rooms: each takes (value, name, owner) and returns the value, or raises.

They run where something is constructed (a Cell, a dataset, a Model), never in front of a torch call on a hot path.
`owner` is the public function or class that the argument belongs to; it is None where MindSpore's sentence names none.
"""

from collections.abc import Collection
from typing import Any

from msbridge.core.checks.suggestions import did_you_mean

__all__ = [
    "boolean",
    "divisible",
    "in_range",
    "instance",
    "int_within",
    "integer",
    "is_int",
    "is_number",
    "non_negative_int",
    "number",
    "one_of",
    "per_axis",
    "positive_int",
    "typed",
    "within",
]

INT32_MAX = 2**31 - 1


def is_int(value: object) -> bool:
    """Whether `value` is an int; a bool is not one."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether `value` is an int or a float; a bool is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def integer(value: Any, name: str, owner: str | None) -> int:
    """Return `value`, an int.

    Raises:
        TypeError: it is not an int (a bool is not one).
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{_the(owner)} '{name}' must be int, but got '{type(value).__name__}'")
    return value


def positive_int(value: Any, name: str, owner: str | None) -> int:
    """Return `value`, an int of 1 or more.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.
    """
    if integer(value, name, owner) <= 0:
        raise ValueError(f"{_the(owner)} '{name}' must be int and must > 0, but got '{value}' with type 'int'.")
    return int(value)


def non_negative_int(value: Any, name: str, owner: str | None) -> int:
    """Return `value`, an int of 0 or more.

    Raises:
        TypeError: it is not an int.
        ValueError: it is negative.
    """
    if integer(value, name, owner) < 0:
        raise ValueError(f"{_the(owner)} '{name}' must be int and must >= 0, but got '{value}' with type 'int'.")
    return int(value)


def boolean(value: Any, name: str, owner: str | None) -> bool:
    """Return `value`, a bool.

    Raises:
        TypeError: it is not a bool.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{_the(owner)} '{name}' must be a bool, but got {type(value).__name__}.")
    return value


def number(value: Any, name: str, owner: str | None) -> float:
    """Return `value`, an int or a float.

    Raises:
        TypeError: it is neither (a bool is not one).
    """
    if not is_number(value):
        raise TypeError(f"{_the(owner)} type of '{name}' must be float, but got {type(value).__name__}.")
    return value  # type: ignore[no-any-return]


def in_range(value: Any, name: str, owner: str | None, low: float, high: float, ends: str = "[)") -> Any:
    """Return `value`, a number between `low` and `high`.

    Args:
        value: what to check.
        name: the name of the argument.
        owner: the function or class that the argument belongs to.
        low: the lower bound.
        high: the upper bound.
        ends: a bracket for each bound: "[" and "]" include it, "(" and ")" do not.

    Raises:
        ValueError: it is out of range, or NaN.
    """
    above = low <= value if ends[0] == "[" else low < value
    if not (above and (value <= high if ends[1] == "]" else value < high)):
        raise ValueError(
            f"{_the(owner)} '{name}' must be in range of {ends[0]}{low}, {high}{ends[1]}, but got {value}."
        )
    return value


def one_of(value: Any, name: str, owner: str | None, allowed: Collection[Any]) -> Any:
    """Return `value`, one of `allowed`.

    Raises:
        ValueError: it is none of them.
    """
    try:
        is_known = value in allowed
    except (TypeError, ValueError):  # an array, whose comparison is no bool, or what a set cannot look up
        is_known = False
    if not is_known:
        raise ValueError(
            f"{_the(owner)} '{name}' must be one of {list(allowed)}, but got {value!r}.{did_you_mean(value, allowed)}"
        )
    return value


def instance(value: Any, name: str, owner: str | None, kinds: type | tuple[type, ...]) -> Any:
    """Return `value`, an instance of one of the types; a bool is an int only where bool is listed.

    Raises:
        TypeError: it is of another type.
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        names = [kind.__name__ for kind in kinds]
        wanted = f"should be '{names[0]}'" if len(names) == 1 else f"should be one of '{names}'"
        raise TypeError(f"{_the(owner)} type of '{name}' {wanted}, but got type '{type(value).__name__}'.")
    return value


def typed(value: Any, name: str, kinds: type | tuple[type, ...]) -> Any:
    """Return `value`, an instance of one of the types, in the words of MindSpore's data pipelines.

    Raises:
        TypeError: it is of another type (a bool is an int only where bool is listed).
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"Argument {name} with value {value!r} is not of type {list(kinds)}, but got {type(value)}.")
    return value


def within(value: Any, name: str, low: float, high: float, ends: str = "[]") -> Any:
    """Return `value`, a number between `low` and `high`, in the words of MindSpore's data pipelines.

    Raises:
        ValueError: it is out of range, or NaN.
    """
    if not ((low <= value if ends[0] == "[" else low < value) and (value <= high if ends[1] == "]" else value < high)):
        interval = f"{ends[0]}{low}, {high}{ends[1]}"
        raise ValueError(f"Input {name} is not within the required interval of {interval}, got {value!r}.")
    return value


def int_within(value: Any, name: str, low: int = 1, high: int = INT32_MAX) -> int:
    """Return `value`, an int in [`low`, `high`], in the words of MindSpore's data pipelines.

    Raises:
        TypeError: it is not an int (a bool is not one).
        ValueError: it is out of range.
    """
    return int(within(typed(value, name, int), name, low, high))


def divisible(value: Any, name: str, owner: str | None, divisor: Any, divisor_name: str) -> int:
    """Return `value`, a positive multiple of `divisor`.

    Raises:
        TypeError: one of both is not an int.
        ValueError: one is not positive, or `value` is no multiple of `divisor`.
    """
    if positive_int(value, name, owner) % positive_int(divisor, divisor_name, owner):
        raise ValueError(f"{_the(owner)} '{name}' must be divided by '{divisor_name}', but got {value} and {divisor}.")
    return int(value)


def per_axis(
    value: Any, name: str, owner: str | None, rank: int, least: int | None = 1, is_exact: bool = False
) -> tuple[int, ...]:
    """Return one int for each spatial axis.

    Args:
        value: an int for all axes, or a sequence of `rank` ints.
        name: the name of the argument.
        owner: the function or class that the argument belongs to.
        rank: how many spatial axes there are.
        least: the least int allowed; None allows all.
        is_exact: a sequence of another length is a TypeError. Otherwise a single int counts for all axes, the ones of a
            batch and a channel axis may stand in front, and any other length is a ValueError.

    Raises:
        TypeError: `value` is neither an int nor a sequence of ints.
        ValueError: wrong length, or an int under `least`.
    """
    sizes = tuple(value) if isinstance(value, tuple | list) else (value,) * rank
    if not is_exact and len(sizes) == rank + 2 and sizes[:2] == (1, 1):
        sizes = sizes[2:]
    elif not is_exact and len(sizes) == 1:
        sizes = sizes * rank
    wanted = f"For '{owner}', {name} must be an int or a tuple of {rank} ints"
    if not all(map(is_int, sizes)) or (is_exact and len(sizes) != rank):
        raise TypeError(f"{wanted}, got {value!r}.")
    if len(sizes) != rank or (least is not None and min(sizes) < least):
        raise ValueError(f"{wanted}, each >= {least}, got {value!r}.")
    return sizes


def _the(owner: str | None) -> str:
    return f"For '{owner}', the" if owner else "The"
