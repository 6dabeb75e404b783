"""Write to sys.stdout and sys.stderr in any state: None in a daemon, closed, a class without `flush`, a full disk.

What msbridge says besides its work must not end the work. What a script asked for, such as the lines of LossMonitor,
goes through `print`, whose errors are the script's.
"""

import os
import sys
from contextlib import suppress
from typing import Any

__all__ = ["discard_rest", "flush", "print_now", "write"]


def write(stream: Any, text: str) -> Exception | None:
    """Write a text and flush; characters that the encoding lacks are escaped.

    Args:
        stream: sys.stdout, sys.stderr or what a script has put there; None takes everything.
        text: what to write.

    Returns:
        What kept it from being written; None where nothing did.
    """
    if stream is None:
        return None
    try:
        try:
            stream.write(text)
        except UnicodeError:
            stream.write(text.encode("ascii", "backslashreplace").decode())
    except Exception as error:  # a script's own class may raise anything
        return error
    return flush(stream)


def flush(stream: Any) -> Exception | None:
    """Flush a stream that can be flushed; return what kept it from that."""
    try:
        getattr(stream, "flush", _nothing)()
    except Exception as error:
        return error
    return None


def print_now(text: str) -> None:
    """Print a line of a script's own, at once.

    Raises:
        OSError: it cannot be written.
    """
    print(text)  # noqa: T201 - printing is what it is for
    getattr(sys.stdout, "flush", _nothing)()


def discard_rest() -> None:
    """Discard what stdout has not taken: Python's own flush at the end must not fail once more."""
    if flush(sys.stdout) is not None:
        with suppress(OSError, ValueError, AttributeError):  # a script's own class, or closed
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nothing() -> None:
    """Be the `flush` that a class does not have."""
