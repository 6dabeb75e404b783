"""Places in the script, and in the network, where something happens: read off the stack."""

import linecache
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch

from msbridge.core.checks.stack_frames import FOLDERS, folder_of, is_ours
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.device.report.facts import Place

__all__ = ["Paths", "cells_of", "place_at", "reader_and_line"]

_ENGINES = folder_of(torch)
_TENSORS = tuple(
    f"{FOLDERS[0]}{room}" for room in ("core", "device", "mint", "numpy", "ops")
)  # through which values are read
_WRAPPERS = ("msbridge.nn.steps.", "msbridge.train.")
_BACKWARD = "_engine_run_backward"  # torch.autograd's; on an accelerator, its threads have no Python frames


def reader_and_line() -> tuple[str, str, int]:
    """Return a value's reader within msbridge ("" for the script), and the file and number of the script's line."""
    reader = ""
    for frame in _frames():
        code = frame.f_code
        if not is_ours(code.co_filename):
            return reader, code.co_filename, frame.f_lineno
        if not reader and not code.co_filename.startswith(_TENSORS):
            owner = frame.f_locals.get("self")
            reader = code.co_name if owner is None else type(owner).__name__
    return reader, "", 0


def place_at(file: str, line: int) -> Place:
    """Return a line with what is there, as far as its file can be read."""
    return Place(file, line, linecache.getline(file, line).strip() if file else "")


def cells_of() -> list[Any]:
    """Return the Cells whose `construct` is running, the innermost first; none in a backward pass."""
    cells: list[Any] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_name
        if name == _BACKWARD:
            return []
        if name == "construct" and hasattr(cell := frame.f_locals.get("self"), "cells_and_names"):
            cells.append(cell)
        frame = frame.f_back
    return cells


class Paths:
    """The paths of Cells in their networks; each is looked up once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, str]] = {}

    def of(self, cells: list[Any]) -> tuple[str, str]:
        """Return the path of the first of some Cells in the last, as attributes, and its class; ("", "") for none."""
        way = [cell for cell in cells if not defining_module(type(cell)).startswith(_WRAPPERS)]
        if not way:
            return "", ""
        cell, root = way[0], way[-1]
        if id(cell) not in self._known:
            path = next((path for path, one in root.cells_and_names() if one is cell), "")
            self._known[id(cell)] = path, type(cell).__name__
        return self._known[id(cell)]


def _frames() -> Iterator[FrameType]:
    """Yield the frames that are running, without torch's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_ENGINES):
            yield frame
        frame = frame.f_back
