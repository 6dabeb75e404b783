"""Flat map: a dataset for each row, one after the other."""

from collections.abc import Callable, Iterator
from typing import Any

from msbridge.dataset.draws import combine
from msbridge.dataset.engine.block import Block
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.rows import pieces
from msbridge.dataset.engine.run import Run, plan
from msbridge.dataset.engine.values import user_error
from msbridge.dataset.transforms.base import each


class FlatMapDataset(Dataset):
    """The rows of the datasets that `func` makes of each row.

    Follows: mindspore.dataset.Dataset.flat_map (2.10).
    """

    def __init__(self, input_dataset: Dataset, func: Callable[..., Dataset]) -> None:
        super().__init__(input_dataset)
        if not callable(func):
            raise TypeError(f"func must be a function, got {type(func)}.")
        self.func = func

    def _size(self) -> int | None:
        return None

    def _names(self) -> list[str]:
        for row in self.children[0]._rows():
            return self._made(tuple(row.values()))._names()
        return []

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        number = 0
        for block in pieces(self.children[0]._stream(run, epoch)):
            taken = [each(column.rows(block.keys)) for column in block.columns.values()]
            for row in zip(*taken, strict=True):
                made = self._made(row)
                inner = plan(made, combine(run.seed, run.salts[id(self)], number))
                yield from made._stream(inner, epoch)
                number += 1

    def _made(self, row: tuple[Any, ...]) -> Dataset:
        try:
            made = self.func(*row)
        except Exception as error:
            raise user_error(error, "the function of flat_map") from error
        if not isinstance(made, Dataset):
            raise TypeError(f"flat_map: func must return a dataset, got {type(made)}.")
        return made
