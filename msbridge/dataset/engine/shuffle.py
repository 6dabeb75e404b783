"""Shuffle: rows in random order, drawn from a buffer."""

from collections.abc import Iterator

import numpy as np

from msbridge.dataset.checks import INT32_MAX, check_range, check_type
from msbridge.dataset.engine.block import Block, join
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.run import Run


class ShuffleDataset(Dataset):
    """Rows in random order, each drawn from the `buffer_size` rows that are waiting.

    Rows that lie in a source's memory wait as indices; only others hold their values while they wait.

    Follows: mindspore.dataset.ShuffleDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, buffer_size: int) -> None:
        super().__init__(input_dataset)
        check_type(buffer_size, (int,), "buffer_size")
        check_range(buffer_size, 2, INT32_MAX, "buffer_size")
        self.buffer_size = buffer_size

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        generator = run.generator(self, epoch)
        # Rows are exchanged in groups: drawing one by one would copy the buffer for each. A group waits beside the
        # buffer.
        group = max(1, self.buffer_size // 8)
        waiting: Block | None = None
        arrived: list[Block] = []
        held = 0
        for whole in self.children[0]._stream(run, epoch):
            rest = whole.settled()
            while rest.size:
                room = self.buffer_size if waiting is None else group
                part = rest.pick(slice(0, room - held)) if rest.size > room - held else rest
                rest = rest.pick(slice(part.size, None))
                arrived.append(part)
                held += part.size
                if held < room:
                    continue
                new, arrived, held = join(arrived), [], 0
                if waiting is None:
                    waiting = new
                    continue
                drawn = generator.permutation(waiting.size)
                yield waiting.pick(drawn[: new.size])
                waiting = join([waiting.pick(np.sort(drawn[new.size :])), new])
        if waiting is not None:
            arrived.insert(0, waiting)
        if arrived:
            last = join(arrived)
            yield last.pick(generator.permutation(last.size))

    def is_shuffled(self) -> bool:
        return True
