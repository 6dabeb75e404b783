"""Hooks that look at the values between the operations of `map`, in debug mode."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Sized
from copy import copy
from typing import Any

import numpy as np

from msbridge.core.runtime.standard_streams import print_now

__all__ = ["DebugHook", "PrintDataHook", "PrintMetaDataHook"]


class DebugHook(ABC):
    """Base of hooks: an operation that hands its input on, after `compute` looked at it.

    Args:
        prev_op_name: the operation that the hook belongs to; None for one that a script put among its operations.

    Follows: mindspore.dataset.debug.DebugHook (2.10).
    """

    def __init__(self, prev_op_name: str | None = None) -> None:
        self.prev_op_name = prev_op_name
        self.is_first_op: bool | None = None

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        """Show the values to `compute`, and return them."""
        if self.prev_op_name:
            side = "INPUT" if self.is_first_op else "OUTPUT"
            print_now(f"[Dataset debugger] Print the [{side}] of the operation [{self.prev_op_name}].")
        self.compute(args)
        return args

    @abstractmethod
    def compute(self, *args: Any) -> Any:
        """Look at the values: one tuple with the value of each column."""

    def set_previous_op_name(self, prev_op_name: str | None) -> None:
        """Set the operation that the hook belongs to."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op: bool | None) -> None:
        """Set whether the hook sees what the first operation takes."""
        self.is_first_op = is_first_op


class PrintMetaDataHook(DebugHook):
    """Prints dtype and shape of each value.

    Follows: mindspore.dataset.debug.PrintMetaDataHook (2.10).
    """

    def __init__(self) -> None:
        super().__init__()

    def compute(self, *args: Any) -> Any:
        for number, value in enumerate(args[0]):
            print_now(f"Column {number}. {_describe(value)}")
        return args


class PrintDataHook(DebugHook):
    """Prints each value.

    Follows: mindspore.dataset.debug.PrintDataHook (2.10).
    """

    def __init__(self) -> None:
        super().__init__()

    def compute(self, *args: Any) -> Any:
        for number, value in enumerate(args[0]):
            shown = np.asarray(value) if hasattr(value, "getbands") else value
            print_now(f"Column {number}. The data is [{shown}].")
        return args


def with_hooks(
    operations: Sequence[Callable[..., Any]], hooks: Sequence[DebugHook], name_of: Callable[[Any], str]
) -> list[Callable[..., Any]]:
    """Return the operations of a `map` with hooks before the first and after each one."""
    between: list[Callable[..., Any]] = []
    for number, operation in enumerate(operations):
        if number == 0:
            between += [_place_hook(hook, name_of(operation), True) for hook in hooks]
        between += [operation, *(_place_hook(hook, name_of(operation), False) for hook in hooks)]
    return between


def _place_hook(hook: DebugHook, name: str, is_first: bool) -> DebugHook:
    placed = copy(hook)
    placed.set_previous_op_name(name)
    placed.set_is_first(is_first)
    return placed


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"The dtype is [{value.dtype}]. The shape is [{value.shape}]."
    if hasattr(value, "getbands"):
        return f"The type is [{type(value)}]. The shape is [{value.size}]."
    return f"The type is [{type(value)}]. The size is [{len(value)}]." if isinstance(value, Sized) else ""
