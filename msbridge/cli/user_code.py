"""Errors of the user's own code and files, in one line with their place; what is no fault of theirs is raised again."""

import traceback
from collections.abc import Collection

from msbridge.cli.terminal import format_error
from msbridge.core.checks.stack_frames import last_place_of_user
from msbridge.core.runtime.printable import printable
from msbridge.core.runtime.terminal import tell

DEFECTS = (AssertionError, AttributeError, LookupError, NameError)  # where no line of the user's had a part in it


def report_failure(command: str, error: Exception, shows_traceback: bool, remedies: Collection[str] = ()) -> int:
    """Print why a command ends.

    Args:
        command: its name.
        error: why.
        shows_traceback: whether the way to it is printed, too.
        remedies: the options of conversion that the command has.

    Returns:
        2, its exit code. A defect of msbridge is raised.
    """
    if isinstance(error, DEFECTS) and not getattr(error, "__notes__", ()) and not _place(error):
        raise error
    if shows_traceback:
        traceback.print_exception(error)
    tell(printable(f"msbridge {command}: {_one_line(error, remedies)}"))
    return 2


def _one_line(error: Exception, remedies: Collection[str]) -> str:
    """Format an error in one line, with its place in the user's own files."""
    text = _text(error, remedies)
    if notes := getattr(error, "__notes__", ()):
        return f"{notes[-1]}: {type(error).__name__}: {text}{_place(error)}"
    if isinstance(error, ValueError | TypeError | ImportError | OSError):
        return text
    return f"{type(error).__name__}: {text}{_place(error)}"


def _text(error: BaseException, remedies: Collection[str]) -> str:
    """Return an error in one line, with those remedies that are options of the command."""
    from msbridge.converters import CheckpointError

    if isinstance(error, CheckpointError):
        offered = [one for one in error.remedies if {*one.options} <= {*remedies}]
        error = CheckpointError(error.problem, *offered, problems=error.problems)
    return " ".join(format_error(error).split())


def _place(error: BaseException) -> str:
    """Format the last line of the user's own that an error came through; "" where there is none."""
    place = last_place_of_user(error)
    return f" ({place[0].name}, line {place[1]}; --traceback shows the way)" if place else ""
