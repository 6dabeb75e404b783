"""Frames of a stack: whose they are, and what is in their source where they were left. Nothing of it is run."""

import ast
import inspect
import itertools
import os
import sys
import traceback
from pathlib import Path
from types import FrameType, ModuleType, TracebackType
from typing import Any, NamedTuple

__all__ = ["FOLDERS", "Span", "failing_position", "folder_of", "is_ours", "last_place_of_user", "value_of"]

_ROOT = Path(__file__).parents[2]
# In a checkout converters/ and mappings/ are beside msbridge/. The separator sets a user's msbridge_demo.py apart.
FOLDERS = tuple(f"{folder}{os.sep}" for folder in (_ROOT, _ROOT.parent / "converters", _ROOT.parent / "mappings"))


class Span(NamedTuple):
    """A part of a source file; what Python does not know is None."""

    first: int | None  # its first line
    last: int | None  # its last line
    start: int | None  # its first column, in bytes of UTF-8
    end: int | None  # the column behind it


def is_ours(filename: str) -> bool:
    """Return whether the code of a file belongs to msbridge."""
    return filename.startswith(FOLDERS)


def last_place_of_user(error: BaseException) -> tuple[Path, int | None] | None:
    """Return the file and line of the user's own code that an error came through last; None where there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    others = (sys.prefix, sys.base_prefix, "<")
    files = [(each.filename, each.lineno) for each in frames if "site-packages" not in each.filename]
    users = [(Path(name), line) for name, line in files if not is_ours(name) and not name.startswith(others)]
    return users[-1] if users else None


def folder_of(module: ModuleType) -> str:
    """Return the folder of a module's file, as the beginning of the paths in it."""
    return f"{Path(str(module.__file__)).parent}{os.sep}"


def failing_position(place: TracebackType) -> Span:
    """Return the position of the expression at which a frame was left."""
    positions = place.tb_frame.f_code.co_positions()
    return Span(*next(itertools.islice(positions, place.tb_lasti // 2, None)))


def value_of(node: ast.expr, frame: FrameType) -> Any:
    """Return the value of a dotted name in `frame`, or the class of the object that a call makes; None if unknown.

    Of objects only what can be called is found, and in their classes: a property would have to be run.
    """
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute) and (owner := value_of(node.value, frame)) is not None:
        if isinstance(owner, ModuleType | type):
            return getattr(owner, node.attr, None)
        found = inspect.getattr_static(owner, node.attr, None)
        return found if callable(found) else None
    if isinstance(node, ast.Call):
        made = value_of(node.func, frame)
        return made if isinstance(made, type) else None
    return None
