"""Memoization of what operators choose by their settings, such as the torch function of a pooling."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import torch

__all__ = ["memoize"]

_Choose = TypeVar("_Choose", bound=Callable[..., Any])

_MAX_KEPT = 512  # for a function; more of them are others in every call
_SCALARS = frozenset((int, bool, str, type(None)))


def memoize(choose: _Choose) -> _Choose:
    """Keep what `choose` returns for positional arguments that are ints, bools, strings or None.

    Others are passed on, as are all while torch's compiler traces: what it keeps must not depend on earlier calls.
    """
    kept: dict[Any, Any] = {}

    @wraps(choose)
    def find(*settings: Any, **named: Any) -> Any:
        key = settings, tuple(map(type, settings))  # 1, 1.0 and True are equal, and not one setting
        try:
            chosen = kept.get(key)
        except TypeError:  # a list
            return choose(*settings, **named)
        if chosen is not None and not named and not torch.compiler.is_compiling():
            return chosen
        chosen = choose(*settings, **named)
        if _SCALARS.issuperset(key[1]) and not named and len(kept) < _MAX_KEPT and not torch.compiler.is_compiling():
            kept[key] = chosen
        return chosen

    return find  # type: ignore[return-value]
