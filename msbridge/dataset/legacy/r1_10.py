"""Data processing of 1.10."""

import contextlib
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import ABSENT, Part
from msbridge.dataset.engine import dataset_base, pipeline_json
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.pipeline_json import Plan
from msbridge.dataset.engine.sampling import user_samplers
from msbridge.dataset.legacy import r2_0
from msbridge.dataset.legacy.r2_0 import lend_nothing
from msbridge.dataset.readers.indexed.classification.image_folder import ImageFolderDataset
from msbridge.dataset.readers.indexed.generic import numpy_slices
from msbridge.dataset.vision.geometry import crop, pad

_today_rows = numpy_slices._rows


def _rows(column: Any) -> Fetch:
    """Return the rows of a column, of one dtype where numpy makes one array of it."""
    with contextlib.suppress(ValueError):  # rows of several lengths
        column = np.array(column)
    return lend_nothing(_today_rows(column))


_COLUMN_ORDERS = {"Batch": "column_order", "Map": "project_columns"}
"""The setting for the order of columns that operators had, by their names."""


def describe_pipeline(node: Node) -> Plan:
    """Return the description of a pipeline, whose operators have a setting for the order of columns."""
    plan = r2_0.describe_pipeline(node)
    return plan | ({_COLUMN_ORDERS[plan["op_type"]]: []} if plan["op_type"] in _COLUMN_ORDERS else {})


def _close_pool(self: Dataset) -> None:
    """Do nothing: the processes of a pipeline end with its iterator.

    Follows: mindspore.dataset.Dataset.close_pool (1.10).
    """


def _sides(padding: Any) -> pad.Sides:
    """Return (left, top, right, bottom); of two numbers the first is that of left and top."""
    sides = _today_sides(padding)
    is_pair = isinstance(padding, tuple | list) and len(padding) == 2
    return (sides[0], sides[0], sides[1], sides[1]) if is_pair else sides


def _class_indexing(self: ImageFolderDataset) -> dict[str, int]:
    """Return no labels; 2.0 is the first release that has them here.

    Follows: mindspore.dataset.ImageFolderDataset.get_class_indexing (1.10).
    """
    return {}


_today_sides = pad.check_sides
_SIDES = [Part(pad, "check_sides", _sides), Part(crop, "check_sides", _sides)]
OVERRIDES = {
    "dataset.Dataset.get_dataset_size": Part(DatasetBase, "__len__", ABSENT),
    "dataset.Dataset.close_pool": _close_pool,
    "dataset.Dataset.to_json": [
        Part(pipeline_json, "pipeline_json", describe_pipeline),
        Part(dataset_base, "pipeline_json", describe_pipeline),
    ],
    "dataset.ImageFolderDataset.get_class_indexing": _class_indexing,
    "dataset.NumpySlicesDataset": Part(numpy_slices, "_rows", _rows),
    "dataset.Sampler": Part(user_samplers, "_whole", user_samplers._whole),  # no fractions, as today
    "dataset.vision.Pad": _SIDES,
    "dataset.vision.RandomCrop": _SIDES,
}
