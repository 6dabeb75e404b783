"""The argument checks of `mindspore._checkparam`, which public scripts import although the module is private.

In 2.x they are functions, in 1.x methods of `Validator`; here they are both. Every check returns the value.
"""

import inspect
from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from msbridge.core.checks.arguments import (
    LAYERS,
    RELATIONS,
    Style,
    boolean,
    finite,
    floating,
    in_range,
    instance,
    integer,
    one_of,
)

Function = TypeVar("Function", bound=Callable[..., Any])
Number = TypeVar("Number", int, float)
NUMBERS = Style(of_type=LAYERS.of_type, bound="{the} '{name}' must {relation}, but got {value}.")


class Rel(IntEnum):
    """The relations of a value to a bound or a range.

    Follows: mindspore._checkparam.Rel (1.10).
    """

    EQ = 1
    NE = 2
    LT = 3
    LE = 4
    GT = 5
    GE = 6
    INC_NEITHER = 7
    INC_LEFT = 8
    INC_RIGHT = 9
    INC_BOTH = 10
    IN = 11
    NOT_IN = 12


EQ, NE, LT, LE, GT, GE = Rel.EQ, Rel.NE, Rel.LT, Rel.LE, Rel.GT, Rel.GE
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = Rel.INC_NEITHER, Rel.INC_LEFT, Rel.INC_RIGHT, Rel.INC_BOTH
IN, NOT_IN = Rel.IN, Rel.NOT_IN

SIGNS: dict[int, str] = {EQ: "=", NE: "!=", LT: "<", LE: "<=", GT: ">", GE: ">=", IN: "in", NOT_IN: "not in"}
VALUE = "input value"  # the name of an argument without one
BRACKETS: dict[int, str] = {INC_NEITHER: "()", INC_LEFT: "[)", INC_RIGHT: "(]", INC_BOTH: "[]"}


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Require an instance of `valid_types`, a type or several; a bool passes only where bool is among them.

    Raises:
        TypeError: it is of another type.
    """
    types = tuple(valid_types) if isinstance(valid_types, Iterable) else valid_types
    return instance(arg_value, arg_name, prim_name, types)


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """Require an instance of `classes`.

    Raises:
        ValueError: it is not one; not a TypeError, as in MindSpore.
    """
    if isinstance(arg_value, classes):
        return arg_value
    types = tuple(classes) if isinstance(classes, Iterable) else (classes,)
    raise ValueError(f"The '{arg_name}' must be an instance of {_names(types)}, but got {arg_value!r}.")


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """Require a bool.

    Raises:
        TypeError: it is not one.
    """
    return boolean(arg_value, arg_name or VALUE, prim_name)


def check_string(
    arg_value: Any, valid_values: Iterable[str], arg_name: str | None = None, prim_name: str | None = None
) -> str:
    """Require one of the strings `valid_values`.

    Raises:
        ValueError: it is another value.
    """
    return one_of(arg_value, arg_name or VALUE, prim_name, [*valid_values])  # type: ignore[no-any-return]


def check_subclass(arg_name: str, type_: Any, template_types: Any, prim_name: str | None) -> Any:
    """Require `type_` to be a subclass, or an instance, of one of `template_types`.

    Raises:
        TypeError: it is not.
    """
    templates = tuple(template_types) if isinstance(template_types, Iterable) else (template_types,)
    for template in templates:
        if type_ is template or (
            isinstance(template, type) and isinstance(type_, type) and issubclass(type_, template)
        ):
            return type_
        if isinstance(template, type) and isinstance(type_, template):
            return type_
    return _one_of_types(type_, arg_name, prim_name, templates)


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None) -> Any:
    """Require `arg_type` to be one of the types `valid_types`.

    Raises:
        TypeError: it is another type.
    """
    types = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    return _one_of_types(arg_type, arg_name, prim_name, types)


def check_int(arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Require an int that is in relation `rel` to `value`.

    Raises:
        TypeError: it is not an int (a bool is not one).
        ValueError: the relation does not hold.
    """
    return _compare(arg_value, int, value, rel, arg_name, prim_name)


def check_float(
    arg_value: Any, value: float, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> float:
    """Require a float that is in relation `rel` to `value`; an int is not one. Raises as `check_int`."""
    return _compare(arg_value, float, value, rel, arg_name, prim_name)


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Require an int.

    Raises:
        TypeError: it is not one (a bool is not one).
    """
    return integer(arg_value, arg_name or VALUE, prim_name)


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Require a float; an int is not one. Raises as `check_is_int`."""
    return floating(arg_value, arg_name or VALUE, prim_name)


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Require the int `value`. Raises as `check_int`."""
    return _compare(arg_value, int, value, EQ, arg_name, prim_name)


def _compare_with_zero(name: str, kind: type[Number], rel: int, words: str) -> Callable[..., Number]:
    """Return the check of a number against 0, on the side that `words` name."""

    def check_sign(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Number:
        return _compare(arg_value, kind, 0, rel, arg_name, prim_name)

    check_sign.__name__ = check_sign.__qualname__ = name
    check_sign.__doc__ = f"Require {'an int' if kind is int else 'a float'} {words}. Raises as `check_int`."
    return check_sign


check_positive_int = _compare_with_zero("check_positive_int", int, GT, "above 0")
check_non_negative_int = _compare_with_zero("check_non_negative_int", int, GE, "of 0 or more")
check_negative_int = _compare_with_zero("check_negative_int", int, LT, "below 0")
check_non_positive_int = _compare_with_zero("check_non_positive_int", int, LE, "of 0 or less")
check_positive_float = _compare_with_zero("check_positive_float", float, GT, "above 0")
check_non_negative_float = _compare_with_zero("check_non_negative_float", float, GE, "of 0 or more")
check_negative_float = _compare_with_zero("check_negative_float", float, LT, "below 0")
check_non_positive_float = _compare_with_zero("check_non_positive_float", float, LE, "of 0 or less")


def check_int_range(
    arg_value: Any,
    lower_limit: int,
    upper_limit: int,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> int:
    """Require an int between two limits; `rel` says which of them belong (INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH).

    Raises:
        TypeError: it is not an int.
        ValueError: it lies outside.
    """
    return _within(arg_value, int, lower_limit, upper_limit, rel, arg_name, prim_name)


def check_float_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """Require a float between two limits; an int is not one. Raises as `check_int_range`."""
    return _within(arg_value, float, lower_limit, upper_limit, rel, arg_name, prim_name)


def check_positive_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Require ints above 0, and return them. Raises as `check_int`."""
    return _each(check_positive_int, sequence, arg_name, prim_name)


def check_non_negative_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Require ints of 0 or more, and return them. Raises as `check_int`."""
    return _each(check_non_negative_int, sequence, arg_name, prim_name)


def check_positive_float_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Require floats above 0, and return them. Raises as `check_int`."""
    return _each(check_positive_float, sequence, arg_name, prim_name)


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None) -> Any:
    """Require a value of any class that is in relation `rel` to `value`, or raise a ValueError."""
    return NUMBERS.compare(arg_value, arg_name, prim_name, SIGNS[rel], value)


def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = EQ,
    prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:
    """Require a value of any class that is in relation `rel` to another one, which has a name.

    Raises:
        excp_cls: the relation does not hold.
    """
    if RELATIONS[SIGNS[rel]][1](arg_value, value):
        return arg_value
    the = f"For '{prim_name}', the" if prim_name else "The"
    raise excp_cls(f"{the} '{arg_name}' should be {SIGNS[rel]} {value_name}: {value}, but got {arg_value}.")


def check_number_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    value_type: type,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:
    """Require a number of a class, or of numpy, between two limits. Raises as `check_int_range`."""
    value = instance(arg_value, arg_name or VALUE, prim_name, (np.ndarray, np.generic, value_type))
    return in_range(value, arg_name or VALUE, prim_name, lower_limit, upper_limit, BRACKETS[rel])


# Names and argument order of r1.0.


def check_integer(arg_name: str, arg_value: Any, value: int, rel: int, prim_name: str | None = None) -> int:
    """Require an int that is in relation `rel` to `value`, in the argument order of r1.0.

    Raises:
        ValueError: it is not an int, or the relation does not hold.
    """
    try:
        return check_int(arg_value, value, rel, arg_name, prim_name)
    except TypeError as error:
        raise ValueError(str(error)) from error


def check_int_positive(input_param: Any) -> int:
    """Require an int above 0, in the argument order of r1.0. Raises as `check_int`."""
    return check_positive_int(input_param, "input_param")


def check_float_positive(arg_name: str, arg_value: Any, prim_name: str | None = None) -> float:
    """Require a float above 0, in the argument order of r1.0. Raises as `check_int`."""
    return check_positive_float(arg_value, arg_name, prim_name)


def check_float_legal_value(arg_name: str, arg_value: Any, prim_name: str | None = None) -> float:
    """Require a float that is neither NaN nor infinite, in the argument order of r1.0.

    Raises:
        TypeError: it is not a float.
        ValueError: it is NaN or infinite.
    """
    return finite(floating(arg_value, arg_name, prim_name), arg_name, prim_name)  # type: ignore[no-any-return]


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[[Function], Function]:
    """Return a decorator that checks the types of arguments; None passes.

    Args:
        type_args: types of the leading parameters.
        type_kwargs: types by parameter name.

    Raises:
        TypeError: in a call of the function, an argument is of another type.

    Follows: mindspore._checkparam.args_type_check (2.10).
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        wanted = signature.bind_partial(*type_args, **type_kwargs).arguments

        @wraps(function)
        def check_and_call(*args: Any, **kwargs: Any) -> Any:
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                if name in wanted and value is not None and not isinstance(value, wanted[name]):
                    raise TypeError(f"The parameter '{name}' must be {wanted[name]}, but got {type(value)}")
            return function(*args, **kwargs)

        return cast(Function, check_and_call)

    return decorate


def _each(check_item: Callable[..., Any], values: Any, arg_name: str | None, prim_name: str | None) -> Any:
    for number, value in enumerate(values):
        check_item(value, f"{arg_name or VALUE}[{number}]", prim_name)
    return values


def _compare(
    value: Any, kind: type[Number], bound: float, rel: int, arg_name: str | None, prim_name: str | None
) -> Number:
    name = arg_name or VALUE
    finite(LAYERS.exact(value, name, prim_name, kind), name, prim_name)
    return LAYERS.compare(value, name, prim_name, SIGNS[rel], bound)  # type: ignore[no-any-return]


def _within(
    value: Any, kind: type[Number], lower: float, upper: float, rel: int, arg_name: str | None, prim_name: str | None
) -> Number:
    name = arg_name or VALUE
    value = LAYERS.exact(value, name, prim_name, kind)
    return in_range(value, name, prim_name, lower, upper, BRACKETS[rel])  # type: ignore[no-any-return]


def _one_of_types(kind: Any, name: str, owner: str | None, allowed: tuple[Any, ...]) -> Any:
    if kind in allowed:
        return kind
    the = f"For '{owner}', the" if owner else "The"
    raise TypeError(f"{the} '{name}' must be {_names(allowed)}, but got {_names((kind,))}.")


def _names(types: tuple[Any, ...]) -> str:
    names = [kind.__name__ if isinstance(kind, type) else str(kind) for kind in types]
    return names[0] if len(names) == 1 else f"one of {names}"
