"""The check that a value is a sparse tensor of a kind."""

from typing import Any

from msbridge.core.errors.explain import refuse


def of_kind(value: Any, kind: type, op: str) -> Any:
    """Return the value.

    Raises:
        TypeError: it is none of the kind.
    """
    if not isinstance(value, kind):
        raise refuse(TypeError(f"For '{op}', a {kind.__name__} is wanted, got {type(value).__name__}."))
    return value
