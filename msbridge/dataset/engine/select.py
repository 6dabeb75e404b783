"""Nodes that choose rows or columns: take, skip, project, rename."""

from collections.abc import Iterator

from msbridge.dataset.checks import INT32_MAX, check_names, check_range, check_type
from msbridge.dataset.engine.block import Block
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.rows import check_columns
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import pipeline_error


class TakeDataset(Dataset):
    """The first `count` rows.

    Follows: mindspore.dataset.TakeDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        super().__init__(input_dataset)
        check_type(count, (int,), "count")
        if count != -1 and not 0 < count <= INT32_MAX:
            raise ValueError(
                f"count should be either -1 or within the required interval of (0, {INT32_MAX}], got {count}."
            )
        self.count = count

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        left = self.count if self.count != -1 else None
        for block in self.children[0]._stream(run, epoch):
            if left is None or block.size < left:
                yield block
                left = None if left is None else left - block.size
                continue
            yield block.pick(slice(0, left))
            return

    def _size(self) -> int | None:
        size = self.children[0]._size()
        return size if size is None or self.count == -1 else min(size, self.count)


class SkipDataset(Dataset):
    """All but the first `count` rows.

    Follows: mindspore.dataset.SkipDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        super().__init__(input_dataset)
        check_type(count, (int,), "count")
        check_range(count, 0, INT32_MAX, "count")
        self.count = count

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        left = self.count
        for block in self.children[0]._stream(run, epoch):
            if left >= block.size:
                left -= block.size
                continue
            yield block.pick(slice(left, None)) if left else block
            left = 0

    def _size(self) -> int | None:
        size = self.children[0]._size()
        return None if size is None else max(size - self.count, 0)


class ProjectDataset(Dataset):
    """The named columns, in that order.

    Follows: mindspore.dataset.ProjectDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, columns: str | list[str]) -> None:
        super().__init__(input_dataset)
        self.columns = check_names(columns, "columns")

    def _names(self) -> list[str]:
        check_columns(self.columns, self.children[0]._names(), "project")
        return self.columns

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for block in self.children[0]._stream(run, epoch):
            check_columns(self.columns, list(block.columns), "project")
            yield Block({name: block.columns[name] for name in self.columns}, block.size, block.keys)


class RenameDataset(Dataset):
    """The same columns under other names.

    Follows: mindspore.dataset.RenameDataset (2.10).
    """

    def __init__(self, input_dataset: Dataset, input_columns: str | list[str], output_columns: str | list[str]) -> None:
        super().__init__(input_dataset)
        self.input_columns = check_names(input_columns, "input_columns")
        self.output_columns = check_names(output_columns, "output_columns")
        if len(self.input_columns) != len(self.output_columns):
            raise ValueError(
                f"Number of column in input_columns and output_columns is not equal: {self.input_columns} and "
                f"{self.output_columns}."
            )

    def _names(self) -> list[str]:
        return self._renamed(self.children[0]._names())

    def _renamed(self, names: list[str]) -> list[str]:
        check_columns(self.input_columns, names, "rename")
        new = dict(zip(self.input_columns, self.output_columns, strict=True))
        renamed = [new.get(name, name) for name in names]
        for name in renamed:
            if renamed.count(name) > 1:
                raise pipeline_error(f"rename: the column name {name!r} already exists, among {names}.")
        return renamed

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for block in self.children[0]._stream(run, epoch):
            names = self._renamed(list(block.columns))
            yield Block(dict(zip(names, block.columns.values(), strict=True)), block.size, block.keys)
