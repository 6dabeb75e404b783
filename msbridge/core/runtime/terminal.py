"""Text for a terminal: what prints it, sizes, and a line to stderr."""

import sys
from typing import Any

from msbridge.core.runtime import standard_streams

__all__ = ["byte_size", "console", "tell"]

PIPE_WIDTH = 200  # a pipe has no width; names are not folded


def tell(sentence: str) -> None:
    """Write a line to stderr, if that can be written."""
    standard_streams.write(sys.stderr, f"{sentence}\n")


def byte_size(count: float) -> str:
    """Return a number of bytes as people read it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.4g} {unit}"
        count /= 1000
    return f"{count:.4g} GB"


def console(**settings: Any) -> Any:
    """Return a console for the terminal, or of unfolded lines for a pipe."""
    from rich.console import Console

    made = Console(**settings)
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    return made
