"""Data processing of 1.7: shapes and dtypes are looked for together, and a pipeline has a watchdog."""

from functools import wraps
from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.blocks import row_shapes
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.dataset_base import DatasetBase
from msbridge.dataset.engine.nodes import Node
from msbridge.dataset.engine.operators.combine import FlatMap
from msbridge.dataset.legacy.r1_8 import row_types
from msbridge.dataset.legacy.r2_0 import memo_of
from msbridge.dataset.readers.indexed.generic.random_rows import RandomDataset


def _output_shapes(self: DatasetBase, estimate: bool = False) -> list[list[int | None]]:
    """Return the shape of each column; the dtypes are memo from then on."""
    require_type(estimate, "estimate", bool)
    memo = memo_of(self)
    if estimate or "shapes" not in memo:
        rows = list(self._node.rows()) if estimate else [*next(([row] for row in self._node.rows()), [])]
        memo |= {"shapes": row_shapes(iter(rows), estimate), "types": row_types(iter(rows))}
    return memo["shapes"]


def _notify_watchdog(self: Dataset) -> None:
    """Do nothing: the processes of a pipeline end with its iterator.

    Follows: mindspore.dataset.Dataset.notify_watchdog (1.7).
    """


def _create_node(self: FlatMap, row: tuple[Any, ...]) -> Node:
    """Return the pipeline that the function creates of one row, a list of its values."""
    return _today_create_node(self, (list(row),))


@wraps(RandomDataset.__init__)
def _random_dataset(self: RandomDataset, total_rows: int | None = None, *args: Any, **kwargs: Any) -> None:
    """Construct the dataset; `total_rows` goes before the number of samples."""
    _today_random_dataset(self, total_rows, *args, **kwargs)
    self.total_rows = total_rows or self.total_rows


_today_create_node, _today_random_dataset = FlatMap._create_node, RandomDataset.__init__
OVERRIDES = {
    "dataset.Dataset.flat_map": Part(FlatMap, "_create_node", _create_node),
    "dataset.Dataset.notify_watchdog": _notify_watchdog,
    "dataset.Dataset.output_types": Part(DatasetBase, "output_shapes", _output_shapes),
    "dataset.RandomDataset": Part(RandomDataset, "__init__", _random_dataset),
}
