"""Graph breaks: where compiled code goes back to Python, as values; what is said of them is made here too."""

import linecache
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from traceback import FrameSummary
from typing import Any

import torch

from msbridge.core.checks.stack_frames import folder_of, is_ours

__all__ = ["CompileWarning", "GraphBreak"]

TORCH = folder_of(torch)
_MAX_SHOWN = 4


class CompileWarning(UserWarning):
    """A function was to be compiled, and is in pieces or not at all."""


@dataclass(frozen=True, slots=True)
class GraphBreak:
    """A place that cannot be in a graph."""

    file: str  # the file of the innermost line of the user's; of msbridge's, where there is none of the user's
    line: int  # its number
    source: str  # its text
    reason: str  # what torch says of it, in a few words

    def __str__(self) -> str:
        return f"{os.path.relpath(self.file)}:{self.line}: {self.source}  ({self.reason})"


def at(stack: Iterable[FrameSummary] | None, reason: str) -> GraphBreak:
    """Return the break at the innermost line of a stack that the user wrote."""
    frames = list(stack or ())
    theirs = [frame for frame in frames if not is_ours(frame.filename) and not frame.filename.startswith(TORCH)]
    first = reason.strip().partition("\n")[0]
    if not frames:
        return GraphBreak("<unknown>", 0, "", first)
    frame = (theirs or frames)[-1]
    source = linecache.getline(frame.filename, frame.lineno or 0).strip()
    return GraphBreak(frame.filename, frame.lineno or 0, source, first)


def format_breaks(breaks: Sequence[GraphBreak]) -> str:
    """Return breaks in one line."""
    shown = "; ".join(map(str, breaks[:_MAX_SHOWN]))
    return shown + (f"; and {len(breaks) - _MAX_SHOWN} more" if len(breaks) > _MAX_SHOWN else "")


def name_of(function: Any) -> str:
    """Return the name of a function for a sentence."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or type(function).__name__
    return (
        f"{type(owner).__name__}.{function.__name__}" if owner is not None and hasattr(function, "__name__") else name
    )
