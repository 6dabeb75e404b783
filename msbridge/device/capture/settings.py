"""What a step's Python code reads besides tensors' values: numbers in attributes, and which memory is whose.

A graph repeats them as they were. So they are compared: before a sink, and around the step that is recorded.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any

import torch

from msbridge.core.tensor import Tensor

_PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype)
_LIMIT = 64  # elements of a list or dict that are looked at

Settings = Mapping[str, Any]


def settings_of(step: Callable[..., Any]) -> Settings:
    """Return what can be seen of the settings of a Cell or a function, by name."""
    return dict(_settings(step, set()))


def first_change(before: Settings, after: Settings) -> str | None:
    """Return the name of something that is not as it was, or None."""
    if before == after:
        return None
    names = (*before, *(name for name in after if name not in before))
    return next((name for name in names if before.get(name, _PLAIN) != after.get(name, _PLAIN)), None)


def _settings(step: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if id(step) in seen:
        return
    seen.add(id(step))
    if isinstance(step, MethodType):
        yield from _settings(step.__self__, seen)
        step = step.__func__
    if isinstance(step, FunctionType):
        found = inspect.getclosurevars(step)
        for name, value in (*found.nonlocals.items(), *found.globals.items()):
            yield from _of_value(name, value)
            if hasattr(value, "cells_and_names") and not isinstance(value, type):
                yield from _settings(value, seen)
    elif hasattr(step, "cells_and_names"):
        for path, cell in step.cells_and_names():
            if id(cell) not in seen or cell is step:
                yield from _of_attributes(path or type(step).__name__, vars(cell))
    elif hasattr(step, "__dict__"):
        yield from _of_attributes(type(step).__name__, vars(step))


def _of_attributes(owner: str, attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in attributes.items():
        yield from _of_value(f"{owner}.{name}", value)


def _of_value(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, _PLAIN):
        yield name, value
    elif isinstance(value, Tensor):
        data = value._data
        yield name, (data.data_ptr(), tuple(data.shape), data.dtype, getattr(value, "requires_grad", None))
    elif type(value) in (list, tuple) and len(value) <= _LIMIT:
        for index, item in enumerate(value):
            yield from _of_value(f"{name}[{index}]", item)
    elif isinstance(value, dict) and len(value) <= _LIMIT and not name.endswith(("._cells", "._params")):
        for key, item in value.items():
            yield from _of_value(f"{name}[{key!r}]", item)
