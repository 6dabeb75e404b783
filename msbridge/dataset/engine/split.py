"""Split: parts of a dataset that never overlap."""

from collections.abc import Iterator

from msbridge.dataset import config
from msbridge.dataset.checks import check_type
from msbridge.dataset.engine.block import Block, join
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.run import Run


class SplitDataset(Dataset):
    """`count` rows from row `start` of one order that is the same in each epoch."""

    def __init__(self, input_dataset: Dataset, start: int, count: int, order_seed: int, randomize: bool) -> None:
        super().__init__(input_dataset)
        self.start, self.count, self.order_seed, self.randomize = start, count, order_seed, randomize

    def _size(self) -> int | None:
        return self.count

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        blocks = list(self.children[0]._stream(run.with_fixed_order(self.order_seed), epoch))
        if not blocks:
            return
        whole = join(blocks)
        if self.randomize:  # from the order's own seed: every part must draw the same permutation
            order = Run(self.order_seed, {id(self): 0}, False).generator(self, 0).permutation(whole.size)
            yield whole.pick(order[self.start : self.start + self.count])
        else:
            yield whole.pick(slice(self.start, self.start + self.count))

    def is_shuffled(self) -> bool:
        return self.randomize or super().is_shuffled()


def split(dataset: Dataset, sizes: list[int] | list[float], randomize: bool) -> tuple[Dataset, ...]:
    """Divide `dataset` into parts; see `Dataset.split`."""
    check_type(sizes, (list,), "sizes")
    check_type(randomize, (bool,), "randomize")
    counts = _counts(sizes, dataset.get_dataset_size())
    order_seed = config.draw_seed()
    starts = [sum(counts[:position]) for position in range(len(counts))]
    return tuple(
        SplitDataset(dataset, start, count, order_seed, randomize) for start, count in zip(starts, counts, strict=True)
    )


def _counts(sizes: list[int] | list[float], size: int) -> list[int]:
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    if all(isinstance(part, int) and not isinstance(part, bool) for part in sizes):
        counts = [int(part) for part in sizes]
        if any(count <= 0 for count in counts):
            raise ValueError(f"sizes is a list of int, but there should be no negative or zero numbers, got {sizes}.")
        if sum(counts) != size:
            raise RuntimeError(f"Sum of split sizes {sum(counts)} is not equal to dataset size {size}.")
        return counts
    if not all(isinstance(part, float) for part in sizes):
        raise ValueError(f"sizes should be list of int or list of float, got {sizes}.")
    if not all(0 < part <= 1 for part in sizes):
        raise ValueError(
            f"sizes is a list of float, but there should be no numbers outside the range (0, 1], got {sizes}."
        )
    if abs(sum(sizes) - 1) > 1e-9:
        raise ValueError(f"sizes is a list of float, but the percentages do not sum up to 1, got {sizes}.")
    counts = [round(part * size) for part in sizes]
    for part, count in zip(sizes, counts, strict=True):
        if count == 0:
            raise RuntimeError(f"Split percentage {part} is too small for {size} rows.")
    counts[0] += size - sum(counts)  # rounding errors go to the first part
    return counts
