"""Checks of the options of optimizers, in MindSpore's sentences."""

import math
from collections.abc import Iterable
from typing import Any

from msbridge.core.checks.arguments import LAYERS, Style, above, at_least, finite, in_range, instance

__all__ = ["GROUPED", "check_floats", "check_nesterov", "hyperparameter", "legal", "list_of_parameters"]

GROUPED = Style(
    of_type=LAYERS.of_type,
    of_exact="For '{owner}', the type of {name} must be {names[0]}, but got {type}.",
    bound="For {owner}, the {name} must be {words}, but got {value}.",
)
"""Optimizers with `param_groups`, and their schedules."""


def check_floats(owner: str, **numbers: Any) -> None:
    """Check the types of options, by name, where MindSpore looks at all of them before it looks at their ranges.

    Raises:
        TypeError: one of them is not a float; as in MindSpore, an int is not one.
    """
    for name, value in numbers.items():
        instance(value, name, owner, float)


def hyperparameter(value: Any, name: str, owner: str, low: float, high: float = math.inf, ends: str = "()") -> float:
    """Return a float between `low` and `high`; `ends` as in `core.checks.arguments.in_range`.

    Raises:
        TypeError: `value` is not a float; as in MindSpore, an int is not one.
        ValueError: it is out of range, infinite or NaN.
    """
    return float(in_range(finite(instance(value, name, owner, float), name, owner), name, owner, low, high, ends))


def legal(value: float, name: str, owner: str, *, is_positive: bool = False) -> float:
    """Return a number as a finite float of 0 or more, or, with `is_positive`, above 0.

    Raises:
        ValueError: it is smaller, infinite or NaN.
    """
    return float((above if is_positive else at_least)(finite(value, name, owner), name, owner))


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
    """Return an iterable as a list; `name` is that of the argument.

    Raises:
        TypeError: it is not an iterable.
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
