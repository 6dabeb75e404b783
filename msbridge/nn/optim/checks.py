"""Checks of the options of optimizers, in MindSpore's sentences."""

import math
from collections.abc import Iterable
from typing import Any

from msbridge.core.checks.arguments import in_range, instance

__all__ = ["at_least", "check_nesterov", "hyperparameter", "legal", "list_of_parameters"]


def hyperparameter(value: Any, name: str, owner: str, low: float, high: float = math.inf, ends: str = "()") -> float:
    """Return a float between `low` and `high`; `ends` as in `core.checks.arguments.in_range`.

    Raises:
        TypeError: `value` is no float; as in MindSpore, an int is not one.
        ValueError: it is out of range.
    """
    return float(in_range(instance(value, name, owner, float), name, owner, low, high, ends))


def legal(value: float, name: str, owner: str, *, least: float = 0.0, above: bool = False) -> float:
    """Return a number as a finite float, at least `least`, or, with `above`, greater.

    Raises:
        ValueError: it is smaller, infinite or NaN.
    """
    if value < least or (above and value == least):
        relation = ">" if above else ">="
        raise ValueError(
            f"For '{owner}', the '{name}' must be float and must {relation} {least:g}, but got {value!r} "
            f"with type '{type(value).__name__}'."
        )
    if not math.isfinite(value):
        raise ValueError(f"For '{owner}', the '{name}' must be a legal value, but got {value!r}.")
    return float(value)


def at_least(value: Any, name: str, owner: str, low: float = 0.0, *, above: bool = False) -> None:
    """Check that an option is not below `low`, or, with `above`, that it is greater.

    Raises:
        ValueError: it is not.
    """
    if value < low or (above and value == low):
        relation = "greater than" if above else "greater than or equal to"
        raise ValueError(f"For {owner}, the {name} must be {relation} {low}, but got {value}.")


def check_nesterov(nesterov: bool, momentum: float, dampening: float) -> None:
    """Check that SGD can look one step ahead.

    Raises:
        ValueError: there is no momentum, or it is dampened.
    """
    if nesterov and (momentum <= 0.0 or dampening != 0.0):
        raise ValueError(
            "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, "
            f"but got 'momentum' {momentum}, 'dampening' {dampening}."
        )


def list_of_parameters(parameters: Any, name: str) -> list[Any]:
    """Return what an iterable holds as a list; `name` is that of the argument.

    Raises:
        TypeError: it is no iterable.
        ValueError: it is None, or empty.
    """
    if parameters is None:
        raise ValueError(f"For 'Optimizer', the argument {name} can not be None.")
    if not isinstance(parameters, Iterable):
        raise TypeError(f"For 'Optimizer', the argument {name} must be Iterable type, but got {type(parameters)}.")
    items = list(parameters)
    if not items:
        raise ValueError(f"For 'Optimizer', the argument {name} must not be empty.")
    return items
