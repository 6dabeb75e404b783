"""Features of a call of a face: of its arguments, and of those that its object was made with."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.nn.cell.cell import Cell
from msbridge.strict_mode.features import bind, features_of

__all__ = ["Made", "call_features"]

Made = tuple[Sequence[Any], Mapping[str, Any]]
"""The arguments of a constructor."""


def call_features(
    face: str,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    constructor: Made | None = None,
) -> frozenset[str] | None:
    """Return the features of a call; None where its arguments do not fit the signature.

    Args:
        face: the public name, such as "nn.Dense()".
        function: what is called.
        args: its arguments; the first is the object, of methods and constructors.
        kwargs: those by keyword.
        constructor: what the object was made with, if that is known.
    """
    is_object = face.endswith("()")
    if is_object and isinstance(args[0], Cell):
        function = type(args[0]).construct
    bound = bind(function, args, kwargs)
    if bound is None:
        return None
    if is_object or function.__name__ == "__init__":
        bound.pop(next(iter(inspect.signature(function).parameters)), None)
    features = features_of(bound)
    if constructor is not None:
        settings = bind(type(args[0]), *constructor)
        features |= features_of(settings or {}, ".")
    return frozenset(features)
