"""Inputs that a Cell's `set_inputs` announced, against those of a call.

Follows: mindspore.nn.Cell.set_inputs (2.10).
"""

import inspect
import sys
from typing import TYPE_CHECKING, Any

from msbridge.core.jit.input_signatures import expect

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell


def check_inputs(cell: "Cell", expected: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Compare a call with what was announced; a Cell inside another's graph is not asked.

    Raises:
        TypeError: an input is of another type or dtype.
        ValueError: an input has another shape, or there are more or fewer.
    """
    try:
        _compare_inputs(type(cell).__name__, expected, args, kwargs)
    except (TypeError, ValueError):
        if _is_outermost(cell) and _accepts_arguments(cell, args, kwargs):
            raise


def _compare_inputs(name: str, expected: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    given = (*args, *kwargs.values())
    if isinstance(expected, dict):
        wanted = [(index, value) for index, value in expected["arg_specified_infos"] if index < len(given)]
    elif len(given) != len(expected):
        raise ValueError(f"For '{name}', set_inputs announced {len(expected)} inputs, but got {len(given)}.")
    else:
        wanted = list(enumerate(expected))
    for index, value in wanted:
        expect(value, given[index], f"For '{name}', by set_inputs input {index}")


def _accepts_arguments(cell: "Cell", args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether `construct` can be called so; where it cannot, it says so itself."""
    try:
        inspect.signature(cell.construct).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _is_outermost(cell: "Cell") -> bool:
    """Whether no other Cell has called this one; looked up after a failure only."""
    frame = sys._getframe(1).f_back
    while frame is not None:
        caller = frame.f_locals.get("self") if frame.f_code.co_name == "construct" else None
        if caller is not None and caller is not cell and hasattr(caller, "set_inputs"):
            return False
        frame = frame.f_back
    return True
