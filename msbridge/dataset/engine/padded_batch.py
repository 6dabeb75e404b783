"""Padded batch: rows padded to one shape, then put together."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from msbridge.dataset.checks import check_type, check_workers
from msbridge.dataset.engine.batch import BatchSize, batch_count, check_batch_size, grouped, put_together
from msbridge.dataset.engine.block import Block, Column
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.rows import check_columns
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import finished, pipeline_error
from msbridge.dataset.transforms.arrays import padded
from msbridge.dataset.transforms.base import Rows, each

PadInfo = Mapping[str, tuple[list[int | None] | None, Any] | None]


class PaddedBatchDataset(Dataset):
    """Rows padded to one shape, then put together along a new leading axis.

    Follows: mindspore.dataset.PaddedBatchDataset (2.10).
    """

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: BatchSize,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: PadInfo | None = None,
    ) -> None:
        super().__init__(input_dataset)
        self.batch_size = check_batch_size(batch_size)
        check_type(drop_remainder, (bool,), "drop_remainder")
        check_workers(num_parallel_workers)
        self.drop_remainder = drop_remainder
        self.pad_info = check_pad_info(pad_info)

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        check_columns(list(self.pad_info), names, "padded_batch")
        return names

    def _size(self) -> int | None:
        return batch_count(self.children[0]._size(), self.batch_size, self.drop_remainder)

    def get_batch_size(self) -> int:
        return -1 if callable(self.batch_size) else self.batch_size

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        stream = self.children[0]._stream(run, epoch)
        for _, block in grouped(stream, self.batch_size, self.drop_remainder, epoch):
            yield padded_block(block, self.pad_info)


def padded_block(block: Block, pad_info: PadInfo) -> Block:
    """Pad the named columns and put all rows of the block together into one row."""
    columns = {}
    for name, column in block.columns.items():
        rows = column.rows(block.keys)
        if name in pad_info:
            shape, fill = pad_info[name] or (None, None)
            rows = _padded_rows(rows, shape, fill, name)
        columns[name] = Column([put_together(rows, name)])
    return Block(columns, 1, None if block.keys is None else block.keys[:1])


def check_pad_info(pad_info: Any) -> PadInfo:
    """Give the padding by column, or raise unless it is a dict from names to (shape, value) or None."""
    if pad_info is None:
        return {}
    check_type(pad_info, (dict,), "pad_info")
    for name, how in pad_info.items():
        check_type(name, (str,), "key of pad_info")
        if how is None:
            continue
        check_type(how, (tuple,), f"pad_info[{name!r}]")
        if len(how) != 2:
            raise ValueError(f"pad_info[{name!r}] must be (shape, value), got {how!r}.")
        shape, fill = how
        check_type(shape, (list, type(None)), f"shape in pad_info[{name!r}]")
        for size in shape or []:
            if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
                raise ValueError(f"pad_info[{name!r}]: a dimension must be None or a positive int, got {size!r}.")
        if not isinstance(fill, (int, float, str, bytes, np.number, type(None))):
            raise TypeError(f"pad_info[{name!r}]: the fill value must be a number, string or None, got {type(fill)}.")
    return pad_info


def _padded_rows(rows: Rows, shape: list[int | None] | None, fill: Any, name: str) -> Rows:
    arrays = [finished(row) for row in each(rows)]
    rank = arrays[0].ndim
    if any(array.ndim != rank for array in arrays) or (shape is not None and len(shape) != rank):
        raise pipeline_error(
            f"padded_batch: rows of column {name!r} have {sorted({array.ndim for array in arrays})} dimensions, the "
            "pad shape "
            f"is {shape}."
        )
    largest = [max(array.shape[axis] for array in arrays) for axis in range(rank)]
    target = [size or most for size, most in zip(shape or [None] * rank, largest, strict=True)]
    return [padded(array, target, fill) for array in arrays]
