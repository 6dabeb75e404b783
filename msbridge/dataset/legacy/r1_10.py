"""Data processing of 1.10."""

import contextlib
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.legacy.r2_0 import lend_nothing
from msbridge.dataset.readers.indexed.generic import numpy_slices
from msbridge.dataset.vision.geometry import crop, pad

_today_rows = numpy_slices._rows


def _rows(column: Any) -> Fetch:
    """Return the rows of a column, of one dtype where numpy makes one array of it."""
    with contextlib.suppress(ValueError):  # rows of several lengths
        column = np.array(column)
    return lend_nothing(_today_rows(column))


def _sides(padding: Any) -> pad.Sides:
    """Return (left, top, right, bottom); of two numbers the first is that of left and top."""
    sides = _today_sides(padding)
    is_pair = isinstance(padding, tuple | list) and len(padding) == 2
    return (sides[0], sides[0], sides[1], sides[1]) if is_pair else sides


_today_sides = pad.check_sides
_SIDES = [Part(pad, "check_sides", _sides), Part(crop, "check_sides", _sides)]
OVERRIDES = {
    "dataset.NumpySlicesDataset": Part(numpy_slices, "_rows", _rows),
    "dataset.vision.Pad": _SIDES,
    "dataset.vision.RandomCrop": _SIDES,
}
