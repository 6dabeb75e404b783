"""Argument checks, one vocabulary for all rooms: each takes (value, name, owner) and returns the value, or raises.

They run where something is constructed (a Cell, a dataset, a Model), never in front of a torch call on a hot path.
A room whose sentences differ has a `Style`, and the same checks are its methods.
`owner` is the public function or class that the argument belongs to; it is None where MindSpore's sentence names none.
"""

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from msbridge.core.checks.suggestions import did_you_mean

__all__ = [
    "LAYERS",
    "PIPELINES",
    "Style",
    "above",
    "at_least",
    "boolean",
    "divisible",
    "finite",
    "floating",
    "in_range",
    "instance",
    "int_within",
    "integer",
    "is_int",
    "is_number",
    "non_negative_float",
    "non_negative_int",
    "number",
    "one_of",
    "per_axis",
    "positive_float",
    "positive_int",
    "require_type",
    "within",
]

Number = TypeVar("Number", int, float)
INT32_MAX = 2**31 - 1
RELATIONS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "=": ("equal to", operator.eq),
    "!=": ("not equal to", operator.ne),
    "<": ("less than", operator.lt),
    "<=": ("less than or equal to", operator.le),
    ">": ("greater than", operator.gt),
    ">=": ("greater than or equal to", operator.ge),
    "in": ("in", lambda value, values: value in values),
    "not in": ("not in", lambda value, values: value not in values),
}


def is_int(value: object) -> bool:
    """Whether `value` is an int; a bool is not one."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether `value` is an int or a float; a bool is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Style:
    """The sentences in which a room's argument checks refuse; a room has a style of its own where MindSpore's has.

    A sentence is a format of `value`, `name`, `owner`, `the` ("For 'Owner', the", or "The"), the type of the value
    (`type`, and `kind` by name) and what the check is about.

    Attributes:
        of_type: a value of another type than `kinds`; `allowed` names them.
        of_exact: what is not an int, or not a float where an int is not one; unless given, `of_type`.
        of_bool: what is not a bool, alike.
        of_number: what is neither an int nor a float, alike.
        bound: a value for which `relation` ("> 0", or in `words` "greater than 0") does not hold.
        outside: a number out of `interval`.
    """

    of_type: str = "{the} type of '{name}' should be {allowed}, but got type '{kind}'."
    of_exact: str = ""
    of_bool: str = ""
    of_number: str = ""
    bound: str = "{the} '{name}' must be {relation}, but got {value}."
    outside: str = "{the} '{name}' must be in range of {interval}, but got {value}."

    def integer(self, value: Any, name: str, owner: str | None = None) -> int:
        """Return `value`, an int.

        Raises:
            TypeError: it is not an int (a bool is not one).
        """
        return self.exact(value, name, owner, int)

    def floating(self, value: Any, name: str, owner: str | None = None) -> float:
        """Return `value`, a float.

        Raises:
            TypeError: it is not a float (an int is not one).
        """
        return self.exact(value, name, owner, float)

    def exact(self, value: Any, name: str, owner: str | None, kind: type[Number]) -> Number:
        """Return `value`, an instance of int, or of float.

        Raises:
            TypeError: it is of another type (a bool is not an int).
        """
        if isinstance(value, bool) or not isinstance(value, kind):
            raise self._type_error(self.of_exact, value, name, owner, (kind,))
        return value

    def boolean(self, value: Any, name: str, owner: str | None = None) -> bool:
        """Return `value`, a bool.

        Raises:
            TypeError: it is not a bool.
        """
        if not isinstance(value, bool):
            raise self._type_error(self.of_bool, value, name, owner, (bool,))
        return value

    def number(self, value: Any, name: str, owner: str | None = None) -> float:
        """Return `value`, an int or a float.

        Raises:
            TypeError: it is neither (a bool is not one).
        """
        if not is_number(value):
            raise self._type_error(self.of_number, value, name, owner, (int, float))
        return value  # type: ignore[no-any-return]

    def instance(self, value: Any, name: str, owner: str | None, kinds: type | tuple[type, ...]) -> Any:
        """Return `value`, an instance of one of the types; a bool is an int only where bool is listed.

        Raises:
            TypeError: it is of another type.
        """
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds and object not in kinds):
            raise self._type_error(self.of_type, value, name, owner, kinds)
        return value

    def above(self, value: Any, name: str, owner: str | None = None, low: float = 0) -> Any:
        """Return `value`, a number greater than `low`.

        Raises:
            ValueError: it is not.
        """
        return self.compare(value, name, owner, ">", low)

    def at_least(self, value: Any, name: str, owner: str | None = None, low: float = 0) -> Any:
        """Return `value`, a number of `low` or more.

        Raises:
            ValueError: it is not.
        """
        return self.compare(value, name, owner, ">=", low)

    def compare(self, value: Any, name: str, owner: str | None, relation: str, bound: Any) -> Any:
        """Return `value`, which is in a relation such as ">" to `bound`.

        Raises:
            ValueError: it is not; NaN is in none.
        """
        words, holds = RELATIONS[relation]
        if not holds(value, bound):
            facts = {"relation": f"{relation} {bound}", "words": f"{words} {bound}"}
            raise ValueError(self._fill(self.bound, value, name, owner, **facts))
        return value

    def finite(self, value: Any, name: str, owner: str | None = None) -> Any:
        """Return `value`, a finite number.

        Raises:
            ValueError: it is NaN or infinite.
        """
        if not math.isfinite(value):
            raise ValueError(f"{_the(owner)} '{name}' must be a legal value, but got '{value}'.")
        return value

    def positive_int(self, value: Any, name: str, owner: str | None = None) -> int:
        """Return `value`, an int of 1 or more.

        Raises:
            TypeError: it is not an int.
            ValueError: it is not positive.
        """
        return self.above(self.integer(value, name, owner), name, owner)  # type: ignore[no-any-return]

    def non_negative_int(self, value: Any, name: str, owner: str | None = None) -> int:
        """Return `value`, an int of 0 or more.

        Raises:
            TypeError: it is not an int.
            ValueError: it is negative.
        """
        return self.at_least(self.integer(value, name, owner), name, owner)  # type: ignore[no-any-return]

    def positive_float(self, value: Any, name: str, owner: str | None = None) -> float:
        """Return `value`, a float above 0.

        Raises:
            TypeError: it is not a float.
            ValueError: it is not positive, or not finite.
        """
        return self.above(self.finite(self.floating(value, name, owner), name, owner), name, owner)  # type: ignore[no-any-return]

    def non_negative_float(self, value: Any, name: str, owner: str | None = None) -> float:
        """Return `value`, a float of 0 or more.

        Raises:
            TypeError: it is not a float.
            ValueError: it is negative, or not finite.
        """
        return self.at_least(self.finite(self.floating(value, name, owner), name, owner), name, owner)  # type: ignore[no-any-return]

    def in_range(self, value: Any, name: str, owner: str | None, low: float, high: float, ends: str = "[)") -> Any:
        """Return `value`, a number between `low` and `high`.

        Args:
            value: what to check.
            name: the name of the argument.
            owner: the function or class that the argument belongs to.
            low: the lower bound.
            high: the upper bound; infinity for none.
            ends: a bracket for each bound: "[" and "]" include it, "(" and ")" do not.

        Raises:
            ValueError: it is out of range, or NaN.
        """
        if high == math.inf:
            return self.compare(value, name, owner, ">=" if ends[0] == "[" else ">", low)
        above = low <= value if ends[0] == "[" else low < value
        if not (above and (value <= high if ends[1] == "]" else value < high)):
            interval = f"{ends[0]}{low}, {high}{ends[1]}"
            raise ValueError(self._fill(self.outside, value, name, owner, interval=interval))
        return value

    def _type_error(
        self, sentence: str, value: Any, name: str, owner: str | None, kinds: tuple[type, ...]
    ) -> TypeError:
        kinds = tuple(one for kind in kinds for one in get_args(kind) or (kind,))  # of a union, each
        names = [kind.__name__ for kind in kinds]
        allowed = f"'{names[0]}'" if len(names) == 1 else f"one of '{names}'"
        return TypeError(
            self._fill(sentence or self.of_type, value, name, owner, kinds=list(kinds), names=names, allowed=allowed)
        )

    def _fill(self, sentence: str, value: Any, name: str, owner: str | None, **facts: object) -> str:
        kind = type(value)
        facts |= {"value": value, "name": name, "owner": owner, "the": _the(owner), "type": kind}
        return sentence.format(kind=kind.__name__, **facts)


LAYERS = Style(
    of_exact="{the} '{name}' must be {names[0]}, but got '{kind}'",
    of_bool="{the} '{name}' must be a bool, but got {kind}.",
    of_number="{the} type of '{name}' must be float, but got {kind}.",
    bound="{the} '{name}' must be {kind} and must {relation}, but got '{value}' with type '{kind}'.",
    outside="{the} '{name}' must be in range of {interval}, but got {value} with type '{kind}'.",
)
"""Layers, operators and everything else that has no style of its own."""
PIPELINES = Style(
    of_type="Argument {name} with value {value!r} is not of type {kinds}, but got {type}.",
    bound="Input {name} must be {words}, got {value!r}.",
    outside="Input {name} is not within the required interval of {interval}, got {value!r}.",
)
"""Data pipelines."""

boolean, instance = LAYERS.boolean, LAYERS.instance
floating, integer, number = LAYERS.floating, LAYERS.integer, LAYERS.number
above, at_least, finite, in_range = LAYERS.above, LAYERS.at_least, LAYERS.finite, LAYERS.in_range
non_negative_float, non_negative_int = LAYERS.non_negative_float, LAYERS.non_negative_int
positive_float, positive_int = LAYERS.positive_float, LAYERS.positive_int


def one_of(value: Any, name: str, owner: str | None, allowed: Collection[Any]) -> Any:
    """Return `value`, one of `allowed`.

    Raises:
        ValueError: it is none of them.
    """
    try:
        is_known = value in allowed
    except (TypeError, ValueError):  # an array, whose comparison is not a bool, or what a set cannot look up
        is_known = False
    if not is_known:
        raise ValueError(
            f"{_the(owner)} '{name}' must be one of {list(allowed)}, but got {value!r}.{did_you_mean(value, allowed)}"
        )
    return value


def require_type(value: Any, name: str, kinds: type | tuple[type, ...]) -> Any:
    """Return `value`, an instance of one of the types, in the words of MindSpore's data pipelines.

    Raises:
        TypeError: it is of another type (a bool is an int only where bool is listed).
    """
    return PIPELINES.instance(value, name, None, kinds)


def within(value: Any, name: str, low: float, high: float, ends: str = "[]") -> Any:
    """Return `value`, a number between `low` and `high`, in the words of MindSpore's data pipelines.

    Raises:
        ValueError: it is out of range, or NaN.
    """
    return PIPELINES.in_range(value, name, None, low, high, ends)


def int_within(value: Any, name: str, low: int = 1, high: int = INT32_MAX) -> int:
    """Return `value`, an int in [`low`, `high`], in the words of MindSpore's data pipelines.

    Raises:
        TypeError: it is not an int (a bool is not one).
        ValueError: it is out of range.
    """
    return int(within(require_type(value, name, int), name, low, high))


def divisible(value: Any, name: str, owner: str | None, divisor: Any, divisor_name: str) -> int:
    """Return `value`, a positive multiple of `divisor`.

    Raises:
        TypeError: one of both is not an int.
        ValueError: one is not positive, or `value` is not a multiple of `divisor`.
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
            batch and a channel axis may come in front, and any other length is a ValueError.

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
