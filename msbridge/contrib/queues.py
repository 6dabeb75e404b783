"""Queues of rows on a device."""

from collections.abc import Sequence
from typing import Any

from msbridge.contrib.ops.internal.graph_steps import GetNext
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell

__all__ = ["GetNextSingleOp"]


class GetNextSingleOp(Cell):
    """Takes the next batch of a queue, as `mindspore.ops.GetNext`, which says why it cannot be called by itself.

    Args:
        dataset_types: the dtypes of the columns.
        dataset_shapes: their shapes.
        queue_name: the name of the queue.

    Outputs:
        Nothing: a call raises RuntimeError.

    Raises:
        RuntimeError: (when called) always; `mindspore.connect_network_with_dataset` joins a network to a queue.

    Follows: mindspore.nn.GetNextSingleOp (2.10), which has no kernel on the CPU.
    """

    def __init__(self, dataset_types: Sequence[Type], dataset_shapes: Sequence[Sequence[int]], queue_name: str) -> None:
        super().__init__()
        self.get_next = GetNext(dataset_types, dataset_shapes, len(dataset_types), queue_name)

    def construct(self) -> Any:
        return self.get_next()
