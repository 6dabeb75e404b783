"""The location of a failure in a network: the layer that its message names, and the way there by attributes.

Runs only after a failure, so it may look at everything. A Cell puts itself into the attribute `cells` of the error that
passes through it; the innermost Cell, if it is a layer of ours, has its failure explained, unless an operator has
explained it; the way through the network is a note of the error (PEP 678), which a traceback shows below the message.
"""

import inspect
from itertools import pairwise
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.errors.explain import describe, explain_layer
from msbridge.core.runtime.defining_modules import defining_module

if TYPE_CHECKING:
    from msbridge.nn.cell.cell import Cell

_LAYERS = ("msbridge.nn.layers.", "msbridge.nn.losses.", "msbridge.nn.schedules.")
_ENGINES = ("msbridge", "torch", "numpy")


def add_location(error: Exception, cell: "Cell") -> Exception:
    """Return the error to raise for one that left the call of a Cell; `error` itself where it speaks for itself."""
    cells = getattr(error, "cells", None)
    if cells is None:
        error = _in_our_words(error, cell)
        cells = error.cells = []  # type: ignore[attr-defined]
    cells.append(cell)
    if not defining_module(type(cell)).startswith("msbridge.nn.steps.") and len(cells) > 1:
        _set_note(error, place(cells))
    return error


def place(way: "list[Cell]") -> str:
    """Return the place of the first of some Cells in the last: each is called by the next."""
    text = type(way[-1]).__name__
    for outer, inner in pairwise(reversed(way)):
        name = next((name for name, cell in outer.cells_and_names() if cell is inner and name), None)
        if name is None:  # a Cell in a plain list, or in a local variable
            return f"in {text}, in a call of {type(inner).__name__}"
        text += "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in name.split("."))
    return f"in {text} ({type(way[0]).__name__})"


def _set_note(error: Exception, text: str) -> None:
    """Put the note on the error, in place of the one that an inner Cell has put there."""
    notes = getattr(error, "__notes__", [])
    earlier = getattr(error, "place", None)
    if earlier in notes:
        notes.remove(earlier)
    error.place = text  # type: ignore[attr-defined]
    error.add_note(text)


def _in_our_words(error: Exception, cell: "Cell") -> Exception:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code.co_name != "construct":
        traceback = traceback.tb_next
    if traceback is None:
        return _wrong_inputs(error, cell)
    is_layer = defining_module(type(cell)).startswith(_LAYERS) and traceback.tb_frame.f_locals.get("self") is cell
    return explain_layer(error, traceback.tb_frame) if is_layer and _is_ours(traceback) else error


def _is_ours(traceback: TracebackType | None) -> bool:
    """Whether no function of the user's runs in the traceback."""
    while traceback is not None:
        if _package_of_frame(traceback.tb_frame) not in _ENGINES:
            return False
        traceback = traceback.tb_next
    return True


def _package_of_frame(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _wrong_inputs(error: Exception, cell: "Cell") -> Exception:
    """Return the error for inputs that `construct` does not take: too many, too few, or of other names."""
    frame = error.__traceback__.tb_frame if error.__traceback__ else None
    if frame is None or type(error) is not TypeError or f"{type(cell).__name__}.construct()" not in str(error):
        return error
    args, kwargs = frame.f_locals.get("args", ()), frame.f_locals.get("kwargs", {})
    try:
        inspect.signature(cell.construct).bind(*args, **kwargs)
    except TypeError as problem:
        said = str(error).partition("construct() ")[2]
        reason = problem if said.startswith("takes") else said  # Python counts `self` among what it takes
        names = inspect.signature(cell.construct).parameters
        got = ", ".join([*map(describe, args), *(f"{name}={describe(value)}" for name, value in kwargs.items())])
        meant = "".join(did_you_mean(name, names) for name in kwargs if name not in names)
        return TypeError(
            f"For '{type(cell).__name__}', {reason}: it takes ({', '.join(names)}), but got ({got}).{meant}"
        )
    return error
