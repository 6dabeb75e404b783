"""Checks of arguments that Model, callbacks and loss scales share, with the classes of error that MindSpore raises."""

from typing import Any


def check_int(value: Any, minimum: int | None = None, name: str = "input value") -> int:
    """Give `value` if it is an int, and not below `minimum`.

    Raises:
        TypeError: it is not an int.
        ValueError: it is below `minimum`.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"The {name} must be int, but got '{type(value).__name__}'")
    if minimum is not None and value < minimum:
        bound = "> 0" if minimum == 1 else f">= {minimum}"
        raise ValueError(f"The {name} must be int and must {bound}, but got '{value}' with type 'int'.")
    return value


def check_bool(value: Any, name: str = "input value") -> bool:
    """Give `value` if it is a bool.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(value, bool):
        raise TypeError(f"The {name} must be a bool, but got {type(value).__name__}.")
    return value


def check_instance(value: Any, name: str, kinds: type | tuple[type, ...]) -> Any:
    """Give `value` if it is of one of the types; a bool is no number.

    Raises:
        TypeError: it is not.
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = (
            f"should be '{kinds[0].__name__}'"
            if len(kinds) == 1
            else f"should be one of '{[kind.__name__ for kind in kinds]}'"
        )
        raise TypeError(f"The type of '{name}' {wanted}, but got type '{type(value).__name__}'.")
    return value
