"""Nodes with several parents: zip (columns beside each other) and concat (rows behind each other)."""

from collections.abc import Iterator, Sequence

from msbridge.dataset.checks import check_type
from msbridge.dataset.engine.block import Block
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import pipeline_error


class ZipDataset(Dataset):
    """The columns of several datasets beside each other, up to the end of the shortest.

    Follows: mindspore.dataset.ZipDataset (2.10).
    """

    def __init__(self, datasets: tuple[Dataset, ...]) -> None:
        for position, dataset in enumerate(datasets):
            check_type(dataset, (Dataset,), f"datasets[{position}]")
        super().__init__(datasets)

    def _names(self) -> list[str]:
        names = [name for child in self.children for name in child._names()]
        for name in names:
            if names.count(name) > 1:
                raise pipeline_error(f"zip: the column name {name!r} occurs in more than one dataset; rename it first.")
        return names

    def _size(self) -> int | None:
        sizes = [child._size() for child in self.children]
        return None if None in sizes else min(size for size in sizes if size is not None)

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        streams = [child._stream(run, epoch) for child in self.children]
        heads: list[Block | None] = [None] * len(streams)
        while True:
            for position, stream in enumerate(streams):
                head = heads[position]
                while head is None or not head.size:
                    head = next(stream, None)
                    if head is None:
                        return
                heads[position] = head
            blocks = [head for head in heads if head is not None]
            size = min(block.size for block in blocks)
            parts = [block if block.size == size else block.pick(slice(0, size)) for block in blocks]
            columns = {name: column for part in parts for name, column in part.columns.items()}
            yield Block(columns, size, parts[0].keys)
            heads = [block.pick(slice(size, None)) for block in blocks]


class ConcatDataset(Dataset):
    """The rows of several datasets behind each other; their columns must be the same.

    Follows: mindspore.dataset.ConcatDataset (2.10).
    """

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        for position, dataset in enumerate(datasets):
            check_type(dataset, (Dataset,), f"datasets[{position}]")
        super().__init__(datasets)

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        for child in self.children[1:]:
            if child._names() != names:
                raise pipeline_error(
                    f"concat: column names and their order must be the same, got {names} and {child._names()}."
                )
        return names

    def _size(self) -> int | None:
        sizes = [child._size() for child in self.children]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for position, child in enumerate(self.children):
            yield from child._stream(run, epoch * len(self.children) + position)


def zip(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Put the columns of several datasets beside each other, up to the end of the shortest.

    Args:
        datasets: at least two, with distinct column names.

    Raises:
        TypeError: `datasets` is not a tuple.
        ValueError: it holds fewer than two.

    Follows: mindspore.dataset.zip (2.10).
    """
    check_type(datasets, (tuple,), "datasets")
    if len(datasets) < 2:
        raise ValueError(f"Can't zip empty or just one dataset, got {len(datasets)}.")
    return ZipDataset(datasets)
