"""Text for a terminal: tables, sizes, and errors in one line with flags instead of options."""

import sys
from typing import Any

from msbridge.core.runtime import standard_streams
from msbridge.core.runtime.printable import escaped, printable

__all__ = ["byte_size", "console", "escaped", "explained", "printable", "tell"]

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
    """Return what prints to the terminal, or unfolded to a pipe."""
    from rich.console import Console

    made = Console(**settings)
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    return made


def explained(error: BaseException) -> str:
    """Return what went wrong in one line, with what helps in flags."""
    from msbridge.converters.errors import CheckpointError
    from msbridge.converters.options import flag_of

    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return printable(f"{error.filename}: {error.strerror}.")
    if isinstance(error, MemoryError):
        return f"out of memory. {error}".rstrip()
    return printable(error.worded(flag_of) if isinstance(error, CheckpointError) else str(error))
