"""Filter: the rows for which a predicate holds."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msbridge.dataset.checks import check_names, check_workers
from msbridge.dataset.engine.block import Block, Column
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.rows import check_columns, pieces
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import user_error
from msbridge.dataset.transforms.base import each


class FilterDataset(Dataset):
    """The rows for which `predicate` is true.

    Follows: mindspore.dataset.FilterDataset (2.10).
    """

    def __init__(
        self,
        input_dataset: Dataset,
        predicate: Callable[..., Any],
        input_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
    ) -> None:
        super().__init__(input_dataset)
        if not callable(predicate):
            raise TypeError(f"Predicate should be a Python function or a callable Python object, got {predicate!r}.")
        check_workers(num_parallel_workers)
        self.predicate = predicate
        self.input_columns = check_names(input_columns, "input_columns") if input_columns else []

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        check_columns(self.input_columns, names, "filter")
        return names

    def _size(self) -> int | None:
        return None

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for block in pieces(self.children[0]._stream(run, epoch)):
            inputs = self.input_columns or list(block.columns)
            check_columns(inputs, list(block.columns), "filter")
            taken = {name: each(block.columns[name].rows(block.keys)) for name in inputs}
            kept: list[int] = []
            failure: Exception | None = None
            for index, row in enumerate(zip(*taken.values(), strict=True)):
                try:
                    if self.predicate(*row):
                        kept.append(index)
                except Exception as error:
                    failure = error
                    break
            if kept:
                columns = block.columns | {name: Column(rows) for name, rows in taken.items()}
                whole = Block(columns, block.size, block.keys)
                yield whole if len(kept) == block.size else whole.pick(np.array(kept))
            if failure is not None:
                raise user_error(failure, "the predicate of filter") from failure
