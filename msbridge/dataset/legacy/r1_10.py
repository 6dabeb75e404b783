"""Data processing of 1.10."""

import contextlib
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.legacy.r2_0 import lend_nothing
from msbridge.dataset.readers.indexed.generic import numpy_slices

_today_rows = numpy_slices._rows


def _rows(column: Any) -> Fetch:
    """Return the rows of a column, of one dtype where numpy makes one array of it."""
    with contextlib.suppress(ValueError):  # rows of several lengths
        column = np.array(column)
    return lend_nothing(_today_rows(column))


OVERRIDES = {"dataset.NumpySlicesDataset": Part(numpy_slices, "_rows", _rows)}
