"""Settings that a step's Python code reads besides tensors' values: numbers in attributes, and which memory is whose.

A graph repeats them as they were. So they are compared: before a sink, and around the step that is recorded.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MethodType
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor

_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None), torch.dtype})
_MAX_CAPTURES = 64  # elements of a list or dict that are looked at
_OF_CELLS = frozenset({"_params", "_cells"})  # met again as the attributes of Cells

Settings = Mapping[tuple[str, ...], Any]


def settings_of(step: Callable[..., Any]) -> Settings:
    """Return the visible settings of a Cell or a function, by owner and name."""
    settings: dict[tuple[str, ...], Any] = {}
    owner = step.__self__ if isinstance(step, MethodType) else step
    function = step.__func__ if isinstance(step, MethodType) else step
    if isinstance(function, FunctionType):
        seen = inspect.getclosurevars(function)
        for values in (seen.nonlocals, seen.globals):
            _add(settings, ("",), values.items())
            for value in values.values():
                if hasattr(value, "cells_and_names") and not isinstance(value, type):
                    _add_owner(settings, value)
    if owner is not function or not isinstance(function, FunctionType):
        _add_owner(settings, owner)
    return settings


def first_change(before: Settings, after: Settings) -> str | None:
    """Return the name of something that is not as it was, or None."""
    if before == after:
        return None
    names = (*before, *(name for name in after if name not in before))
    changed = next((name for name in names if before.get(name, _PLAIN) != after.get(name, _PLAIN)), None)
    return None if changed is None else ".".join(filter(None, changed))


def _add_owner(settings: dict[tuple[str, ...], Any], owner: Any) -> None:
    if hasattr(owner, "cells_and_names"):
        for path, cell in owner.cells_and_names():
            _add(settings, (path or type(owner).__name__,), vars(cell).items())
    elif hasattr(owner, "__dict__"):
        _add(settings, (type(owner).__name__,), vars(owner).items())


def _add(settings: dict[tuple[str, ...], Any], path: tuple[str, ...], items: Iterable[tuple[str, Any]]) -> None:
    """Add what is plain or a Tensor; a step of ResNet-50 has 3,000 of them, and each costs 1 µs."""
    for name, value in items:
        kind = type(value)
        if kind in _PLAIN:
            settings[*path, name] = value
        elif isinstance(value, Tensor):
            settings[*path, name] = value._data.data_ptr(), getattr(value, "_requires_grad", None)
        elif kind in (list, tuple) and len(value) <= _MAX_CAPTURES:
            _add(settings, (*path, name), [(str(index), item) for index, item in enumerate(value)])
        elif kind is dict and len(value) <= _MAX_CAPTURES and name not in _OF_CELLS:
            _add(settings, (*path, name), [(str(key), item) for key, item in value.items()])
