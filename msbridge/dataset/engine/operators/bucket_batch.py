"""The bucket batch operator: rows of similar length, padded and stacked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import is_int, require_type
from msbridge.dataset.arguments import check_names
from msbridge.dataset.engine.blocks import Block, check_columns, concatenate
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Node, Operator
from msbridge.dataset.engine.operators.batch import PadInfo, check_pad_info, collate_padded
from msbridge.dataset.engine.user_values import pipeline_error, user_error
from msbridge.dataset.transforms.base import as_list


@dataclass(eq=False, repr=False)
class BucketBatchByLength(Operator):
    """Rows of similar length, padded and stacked; `pad_info` None or {} pads every column to the largest with zeros.

    Without `element_length_function` the length is, as in MindSpore, that of the dataset's first column, whichever
    column is named; a value without dimensions has the length 0.
    """

    column_names: Any
    bucket_boundaries: list[int]
    bucket_batch_sizes: list[int]
    element_length_function: Callable[..., int] | None = None
    pad_info: PadInfo | None = None
    pad_to_bucket_boundary: bool = False
    drop_remainder: bool = False

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        self.column_names = check_names(require_type(self.column_names, "column_names", list), "column_names")
        _check_positive(self.bucket_boundaries, "bucket_boundaries")
        _check_positive(self.bucket_batch_sizes, "bucket_batch_sizes")
        if not self.bucket_boundaries:
            raise ValueError("bucket_boundaries cannot be empty.")
        if any(low >= high for low, high in pairwise(self.bucket_boundaries)):
            raise ValueError(f"bucket_boundaries should be strictly increasing, got {self.bucket_boundaries}.")
        if len(self.bucket_batch_sizes) != len(self.bucket_boundaries) + 1:
            raise ValueError(
                "bucket_batch_sizes must contain one element more than bucket_boundaries, got "
                f"{len(self.bucket_batch_sizes)} and {len(self.bucket_boundaries)}."
            )
        if self.element_length_function is None and len(self.column_names) != 1:
            raise ValueError("If element_length_function is not specified, exactly one column name should be passed.")
        if self.element_length_function is not None and not callable(self.element_length_function):
            raise TypeError(f"element_length_function object is not callable, got {self.element_length_function!r}.")
        require_type(self.pad_to_bucket_boundary, "pad_to_bucket_boundary", bool)
        require_type(self.drop_remainder, "drop_remainder", bool)
        if self.pad_info is not None:
            check_pad_info(self.pad_info)

    def names(self) -> list[str]:
        names = self.children[0].names()
        check_columns([*self.column_names, *(self.pad_info or {})], names, "bucket_batch_by_length")
        return names

    def rows_per_request(self, asked: int) -> int:
        return min(self.bucket_batch_sizes)

    def materializes(self) -> bool:
        return True

    def calls_user_code(self) -> bool:
        return False

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        return None

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        buckets: list[list[Block]] = [[] for _ in self.bucket_batch_sizes]
        stage = context.stage(self)
        pieces = stage.pieces(self.children[0].stream(context, epoch))
        blocks = stage.map(
            lambda block: block.materialize(stage.map_rows), pieces, rows=Block.count, size_of=Block.nbytes
        )
        for settled in blocks:
            for index, length in enumerate(self._lengths(settled)):
                number = int(np.searchsorted(self.bucket_boundaries, length, side="right"))
                buckets[number].append(settled.pick(slice(index, index + 1)))
                if len(buckets[number]) == self.bucket_batch_sizes[number]:
                    yield self._batch(buckets[number], number)
                    buckets[number] = []
        if not self.drop_remainder:
            for number, held in enumerate(buckets):
                if held:
                    yield self._batch(held, number)

    def _lengths(self, block: Block) -> list[int]:
        if self.element_length_function is None:
            first = as_list(next(iter(block.columns.values())).rows(block.keys))
            return [(*np.shape(value), 0)[0] for value in first]
        taken = [as_list(block.columns[name].rows(block.keys)) for name in self.column_names]
        try:
            lengths = [self._whole(self.element_length_function(*row)) for row in zip(*taken, strict=True)]
            for length in lengths:
                if not hasattr(length, "__index__"):
                    raise TypeError(f"a length must be an int, got {length!r}")
                if length < 0:
                    raise ValueError(f"a length must not be negative, got {length!r}")
            return list(map(int, lengths))
        except Exception as error:
            raise user_error(error, "element_length_function") from error

    @staticmethod
    def _whole(length: Any) -> Any:
        is_number = isinstance(length, np.ndarray) and length.size == 1 and length.dtype.kind in "iuf"
        return int(length.item()) if is_number else length

    def _batch(self, held: list[Block], number: int) -> Block:
        block = concatenate(held)
        pad_info: dict[str, Any] = dict(self.pad_info or dict.fromkeys(block.columns))
        if self.pad_to_bucket_boundary and self.pad_info is not None and number == len(self.bucket_boundaries):
            raise pipeline_error(
                "Invalid data, requested to pad to bucket boundary failed: rows behind the last of bucket_boundaries "
                f"{self.bucket_boundaries} have none."
            )
        if self.pad_to_bucket_boundary and self.pad_info:
            size = self.bucket_boundaries[number] - 1
            for name, how in pad_info.items():
                shape, fill = how or (None, None)
                rank = np.ndim(as_list(block.columns[name].rows(block.keys))[0])
                pad_info[name] = ([part or size for part in shape or [None] * rank], fill)
        return collate_padded(block, pad_info)


def _check_positive(values: Any, name: str) -> None:
    for value in require_type(values, name, list):
        if not is_int(value):
            raise TypeError(f"{name} should be a list of int, got {value!r}.")
        if value <= 0:
            raise ValueError(f"{name} must only contain positive numbers, got {values}.")
