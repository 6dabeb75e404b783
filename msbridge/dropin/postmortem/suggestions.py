"""Suggestions for a script that ends with a misspelt argument or attribute of one of our objects.

Runs when a traceback is printed: a `__getattr__` on Tensor would slow down every access to its data.
"""

import ast
import inspect
import linecache
import re
from collections.abc import Callable
from types import TracebackType
from typing import Any

from msbridge.core.checks.stack_frames import failing_position, value_of
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.releases.arguments import map_renamed_arguments
from msbridge.core.releases.release import before
from msbridge.core.releases.rows import rows_of
from msbridge.core.runtime.defining_modules import is_own
from msbridge.core.runtime.lazy_names import names_in
from msbridge.dropin.importing.missing_names import explanation, guess_meaning

UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'(\. Did you mean [^?]*\?)?$")  # Python 3.13 asks
# What MindSpore calls the classes whose attributes scripts ask for.
PATHS = {"Tensor": "mindspore.Tensor", "Cell": "mindspore.nn.Cell", "Model": "mindspore.train.Model"} | {
    "Dataset": "mindspore.dataset.Dataset",
    "Metric": "mindspore.train.Metric",
    "Callback": "mindspore.train.Callback",
}


def suggestion(error: BaseException) -> str | None:
    """Return a sentence that names what was meant, or why it is absent; None where nothing is alike."""
    if isinstance(error, TypeError) and (found := UNEXPECTED.search(str(error))):
        return _argument(found[1], error.__traceback__)
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        return _attribute(error.name, error.obj)
    if isinstance(error, NameError) and error.name and (frames := _frames(error.__traceback__)):
        frame = frames[0].tb_frame
        return did_you_mean(error.name, [*frame.f_locals, *frame.f_globals, *frame.f_builtins]).strip() or None
    return None


def _argument(name: str, trace: TracebackType | None) -> str | None:
    called = _find_called_function(name, trace)
    if called is None:
        return None
    try:
        parameters = inspect.signature(called).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        return None
    if old := _old_name(name, called):
        return old
    known = [each for each in parameters if each != "self"]
    return did_you_mean(name, known).strip() or f"The arguments are: {', '.join(known)}."


def _old_name(name: str, called: Callable[..., Any]) -> str | None:
    """Return today's name of an argument, where only earlier releases took `name`."""
    from msbridge import ops
    from msbridge.ops.public_names import FUNCTIONS

    function = getattr(called, "__name__", "")
    if function not in names_in(FUNCTIONS) or getattr(ops, function) is not called:
        return None
    for row in rows_of("ops").get(f"ops.{function}", ())[::-1]:
        if now := map_renamed_arguments(row, called).get(name):
            choice = f"`msbridge run --release {before(row.since)}` takes {name!r}"
            return f"It is {now!r} since MindSpore {row.since}; {choice}."
    return None


def _attribute(name: str, holder: object) -> str | None:
    kind = holder if isinstance(holder, type) else type(holder)
    ours = (base.__name__ for base in kind.__mro__ if is_own(base))
    path = next((PATHS[base] for base in ours if base in PATHS), None)
    if path is None:
        return did_you_mean(name, dir(holder)).strip() or None  # Python 3.11 says this in C only
    near = guess_meaning(f"{path}.{name}", dir(holder))
    if known := explanation(f"{path}.{name}") or (near and explanation(near)):
        return known
    return f"Did you mean: {near!r}?" if near else None


def _find_called_function(name: str, trace: TracebackType | None) -> Callable[..., Any] | None:
    """Return the function that was called with the argument `name`, where that can be inferred without running code."""
    for depth, place in enumerate(_frames(trace)):
        call = _call(place)
        words = {keyword.arg for keyword in call.keywords} if call else set()
        if call and (name in words or (depth == 0 and None in words)):  # None: what the user wrote arrives as **kwargs
            found = value_of(call.func, place.tb_frame)
            return found if callable(found) else None
    return None


def _frames(trace: TracebackType | None) -> list[TracebackType]:
    """Return the entries of a traceback, the innermost first."""
    entries = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    return entries[::-1]


def _call(place: TracebackType) -> ast.Call | None:
    """Return the call at which a frame was left."""
    span = failing_position(place)
    if span.first is None or span.last is None:
        return None
    filename = place.tb_frame.f_code.co_filename
    lines = [linecache.getline(filename, number).encode() for number in range(span.first, span.last + 1)]
    lines[-1] = lines[-1][: span.end]
    lines[0] = lines[0][span.start :]
    try:
        call = ast.parse(b"".join(lines).strip(), mode="eval").body
    except SyntaxError:
        return None
    return call if isinstance(call, ast.Call) else None
