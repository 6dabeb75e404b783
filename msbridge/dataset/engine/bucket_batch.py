"""Bucket batch: rows of similar length put together."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msbridge.dataset.checks import check_names, check_type
from msbridge.dataset.engine.block import Block, join
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.padded_batch import PadInfo, check_pad_info, padded_block
from msbridge.dataset.engine.rows import check_columns, pieces
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import user_error
from msbridge.dataset.transforms.base import each


class BucketBatchByLengthDataset(Dataset):
    """Rows of similar length, padded and put together.

    Follows: mindspore.dataset.BucketBatchByLengthDataset (2.10).
    """

    def __init__(
        self,
        input_dataset: Dataset,
        column_names: str | list[str],
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: PadInfo | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> None:
        super().__init__(input_dataset)
        self.column_names = check_names(column_names, "column_names")
        self.boundaries = _positive(bucket_boundaries, "bucket_boundaries")
        self.batch_sizes = _positive(bucket_batch_sizes, "bucket_batch_sizes")
        if any(low >= high for low, high in zip(self.boundaries, self.boundaries[1:], strict=False)):
            raise ValueError(f"bucket_boundaries should be strictly increasing, got {bucket_boundaries}.")
        if len(self.batch_sizes) != len(self.boundaries) + 1:
            raise ValueError(
                "bucket_batch_sizes must contain one element more than bucket_boundaries, got "
                f"{len(self.batch_sizes)} and {len(self.boundaries)}."
            )
        if element_length_function is None and len(self.column_names) != 1:
            raise ValueError("If element_length_function is not specified, exactly one column name should be passed.")
        if element_length_function is not None and not callable(element_length_function):
            raise TypeError(f"element_length_function object is not callable, got {element_length_function!r}.")
        check_type(pad_to_bucket_boundary, (bool,), "pad_to_bucket_boundary")
        check_type(drop_remainder, (bool,), "drop_remainder")
        self.element_length_function = element_length_function
        self.pad_info = None if pad_info is None else check_pad_info(pad_info)
        self.pad_to_bucket_boundary = pad_to_bucket_boundary
        self.drop_remainder = drop_remainder

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        check_columns([*self.column_names, *(self.pad_info or {})], names, "bucket_batch_by_length")
        return names

    def _size(self) -> int | None:
        return None

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        buckets: list[list[Block]] = [[] for _ in self.batch_sizes]
        for block in pieces(self.children[0]._stream(run, epoch)):
            settled = block.settled()
            for index, length in enumerate(self._lengths(settled)):
                number = int(np.searchsorted(self.boundaries, length, side="right"))
                buckets[number].append(settled.pick(slice(index, index + 1)))
                if len(buckets[number]) == self.batch_sizes[number]:
                    yield self._batch(buckets[number], number)
                    buckets[number] = []
        if not self.drop_remainder:
            for number, held in enumerate(buckets):
                if held:
                    yield self._batch(held, number)

    def _lengths(self, block: Block) -> list[int]:
        taken = [each(block.columns[name].rows(block.keys)) for name in self.column_names]
        try:
            if self.element_length_function is None:
                return [len(value) for value in taken[0]]
            return [int(self.element_length_function(*row)) for row in zip(*taken, strict=True)]
        except Exception as error:
            raise user_error(error, "element_length_function") from error

    def _batch(self, held: list[Block], number: int) -> Block:
        block = join(held)
        pad_info: dict[str, Any] = dict.fromkeys(block.columns) if self.pad_info is None else dict(self.pad_info)
        if self.pad_to_bucket_boundary and number < len(self.boundaries):
            size = self.boundaries[number] - 1
            for name, how in pad_info.items():
                shape, fill = how or (None, None)
                rank = np.ndim(each(block.columns[name].rows(block.keys))[0])
                pad_info[name] = ([part or size for part in shape or [None] * rank], fill)
        return padded_block(block, pad_info)


def _positive(values: Any, name: str) -> list[int]:
    check_type(values, (list,), name)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} should be a list of int, got {value!r}.")
        if value <= 0:
            raise ValueError(f"{name} must only contain positive numbers, got {values}.")
    return values
