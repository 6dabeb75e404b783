"""The traceback that a script under `msbridge run` ends with: the user's lines, and what went wrong in one sentence.

Frames of msbridge and of torch are folded into a line that counts them, and errors that led to another inside msbridge
are left out. Only the printing changes: the exception keeps its traceback and its causes, for debuggers too. The
environment variable MSBRIDGE_FULL_TRACEBACK=1 leaves Python's own printing in place.
"""

import os
import re
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from types import TracebackType
from typing import Any

from msbridge.core.checks.stack_frames import FOLDERS, folder_of
from msbridge.core.runtime import standard_streams
from msbridge.dropin.postmortem.hints import hint_for
from msbridge.dropin.postmortem.suggestions import suggestion
from msbridge.dropin.third_party.numpy import refusal

VARIABLE = "MSBRIDGE_FULL_TRACEBACK"
FIRST, LAST = 8, 16  # of a deep recursion so many lines are shown at its beginning and its end
BESIDES = "\n\n- Python Call Stack:"  # what a dataset's error repeats of the error in the user's function
PYTHONS = re.compile(r"\.?(\.? Did you mean[^?]*\?)?$")  # the end of a message, with Python's own suggestion
# What does msbridge's work besides torch: its frames are folded where msbridge or torch called it.
BACKENDS = ("PIL", "cv2", "google", "numpy", "safetensors", "scipy")


def begin() -> None:
    """Print tracebacks in short from now on, unless the user asks for full ones or has a hook of their own."""
    if os.environ.get(VARIABLE, "") not in ("", "0"):
        return
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = print_short
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = print_short_of_thread


def print_short(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an exception that ends the program, as `sys.excepthook` does, with the frames of msbridge folded."""
    try:
        text = short(error, trace)
    except Exception:  # the user's exception is printed even if printing it fails
        sys.__excepthook__(kind, error, trace)
        return
    standard_streams.write(sys.stderr, text)


def print_short_of_thread(ended: threading.ExceptHookArgs, /) -> None:
    """Print an exception that ends a thread, as `threading.excepthook` does."""
    if ended.exc_type is SystemExit or ended.exc_value is None:
        return
    try:
        text = short(ended.exc_value, ended.exc_traceback)
    except Exception:
        threading.__excepthook__(ended)
        return
    name = ended.thread.name if ended.thread is not None else threading.get_ident()
    standard_streams.write(sys.stderr, f"Exception in thread {name}:\n{text}")


def short(error: BaseException, trace: TracebackType | None) -> str:
    """Return the text for an exception: the user's frames, the error, and a hint where there is one."""
    report = TracebackException(type(error), error, trace)
    if isinstance(error, KeyboardInterrupt):
        place = next((frame for frame in reversed(report.stack) if not is_ours(frame)), None)
        where = f" at {place.filename}:{place.lineno}, in {place.name}" if place else ""
        return f"KeyboardInterrupt{where}\n"
    repeated: list[str] = []
    _fold(report, error, repeated)
    text = "".join(report.format())
    for message in repeated:
        text = text.replace(message, message.partition(BESIDES)[0])
    if meant := suggestion(error):
        text = f"{PYTHONS.sub('', text.rstrip())}. {meant}\n"
    hint = hint_for(error) or refusal(error)
    return f"{text}{hint}\n" if hint else text


def is_ours(frame: FrameSummary) -> bool:
    """Return whether a frame is msbridge's or torch's."""
    return frame.filename.startswith(_our_folders())


class _Folded(StackSummary):
    """The user's frames; for each run of ours one line."""

    @classmethod
    def of(cls, stack: Iterable[FrameSummary]) -> "_Folded":
        folded = cls()
        count = 0
        for frame in stack:
            if is_ours(frame) or (count and _is_backend(frame)):
                count += 1
                continue
            if count:
                folded.append(_mark(count))
                count = 0
            folded.append(frame)
        if count:
            folded.append(_mark(count))
        if len(folded) > 2 * (FIRST + LAST):
            left_out = sum(frame.lineno or 0 if not frame.filename else 1 for frame in folded[FIRST:-LAST])
            folded[FIRST:-LAST] = [_mark(left_out, "left out")]
        return folded

    def format_frame_summary(self, frame_summary: FrameSummary, **options: Any) -> str:
        if frame_summary.filename:
            return super().format_frame_summary(frame_summary, **options)  # colors, since Python 3.13
        frames, them = ("frame", "it") if frame_summary.lineno == 1 else ("frames", "them")
        return f"  … {frame_summary.lineno} {frames} {frame_summary.name} (--full-traceback shows {them})\n"


def _mark(count: int, what: str = "of msbridge") -> FrameSummary:
    return FrameSummary("", count, what, lookup_line=False, line="")


def _fold(report: TracebackException, error: BaseException, repeated: list[str]) -> None:
    """Fold the frames of `error` and of all that is shown with it, and drop the links that msbridge made.

    Args:
        report: is changed.
        error: what it reports.
        repeated: receives the messages that repeat the traceback of an error that is shown.
    """
    direct, by_user = report.__cause__, _has_users(report.stack[-1:])
    links = list(_links(report, error))
    report.__cause__ = report.__context__ = None
    for linked, why in links:
        if _has_users(linked.stack) or (by_user and not linked.stack):
            report.__cause__, report.__context__ = (linked, None) if linked is direct else (None, linked)
            report.__suppress_context__ = False
            if BESIDES in str(error):
                repeated.append(str(error))
            _fold(linked, why, repeated)
            break
    if isinstance(error, BaseExceptionGroup):
        for inner, one in zip(report.exceptions or (), error.exceptions, strict=False):
            _fold(inner, one, repeated)
    if _has_users(report.stack):
        report.stack = _Folded.of(report.stack)


def _links(report: TracebackException, error: BaseException) -> Iterator[tuple[TracebackException, BaseException]]:
    """Yield the errors that led to this one, in the order in which Python would reach them."""
    while True:
        if report.__cause__ is not None and error.__cause__ is not None:
            report, error = report.__cause__, error.__cause__
        elif report.__context__ is not None and error.__context__ is not None and not report.__suppress_context__:
            report, error = report.__context__, error.__context__
        else:
            return
        yield report, error


def _has_users(stack: Iterable[FrameSummary]) -> bool:
    """Return whether one of the frames is the user's: not ours, nor of the libraries that we call."""
    return any(not is_ours(frame) and not _is_backend(frame) for frame in stack)


def _is_backend(frame: FrameSummary) -> bool:
    """Return whether a frame is of Python's library, or of one that does msbridge's work."""
    name = frame.filename
    if name.startswith("<"):
        return name.startswith("<frozen ") or name == "<__array_function__ internals>"
    parts = Path(name).parts
    for packages in ("site-packages", "dist-packages"):
        if packages in parts:
            return parts[parts.index(packages) + 1] in BACKENDS
    return name.startswith(_library())


@cache
def _our_folders() -> tuple[str, ...]:
    torch = sys.modules.get("torch")
    return (*FOLDERS, folder_of(torch)) if torch else FOLDERS


@cache
def _library() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({f"{paths[name]}{os.sep}" for name in ("stdlib", "platstdlib")})
