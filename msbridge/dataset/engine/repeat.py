"""Repeat: several passes as one."""

import itertools
from collections.abc import Iterator

from msbridge.dataset.checks import INT32_MAX, check_type
from msbridge.dataset.engine.block import Block
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.run import Run


class RepeatDataset(Dataset):
    """The rows `count` times; -1 is endlessly.

    Follows: mindspore.dataset.RepeatDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, count: int | None = None) -> None:
        super().__init__(input_dataset)
        check_type(count, (int, type(None)), "repeat")
        if count is not None and count != -1 and not 1 <= count <= INT32_MAX:
            raise ValueError(f"count should be either -1 or positive integer, range[1, INT32_MAX], got {count}.")
        self.count = -1 if count is None else count

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        endless = self.count == -1
        for number in itertools.count() if endless else range(self.count):
            empty = True
            for block in self.children[0]._stream(run, number if endless else epoch * self.count + number):
                empty = False
                yield block
            if empty:  # an endless repetition of nothing would never come back
                return

    def _size(self) -> int | None:
        size = self.children[0]._size()
        return size if size is None or self.count == -1 else size * self.count

    def get_dataset_size(self) -> int:
        size = self.children[0].get_dataset_size()
        return size if self.count == -1 else size * self.count

    def get_repeat_count(self) -> int:
        return self.count
