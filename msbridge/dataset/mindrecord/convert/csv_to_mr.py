"""CSV files as MindRecord files."""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.convert.base import LARGE_PAGE_BYTES, write_rows
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter

__all__ = ["CsvToMR"]

PARSERS: dict[str, Callable[[str], Any]] = {"int64": int, "float64": float, "string": str}


class CsvToMR:
    """A CSV file with a line of names: one field per column, int64, float64 or string: the first that all cells can be.

    An empty cell is NaN in a column of numbers; a row that lacks a string is left out.

    Args:
        source: the CSV file.
        destination: the file to write.
        columns_list: the columns to take; None or [] is all.
        partition_number: how many files.

    Raises:
        ParamValueError: an argument is of another type or not allowed.
        ValueError: `columns_list` is not a list of strings.

    Follows: mindspore.mindrecord.CsvToMR (2.10).
    """

    def __init__(
        self, source: str, destination: str, columns_list: list[str] | None = None, partition_number: int = 1
    ) -> None:
        self.source = check_path(source)
        if columns_list is not None and (
            not isinstance(columns_list, list) or not all(isinstance(name, str) for name in columns_list)
        ):
            raise ValueError(f"The parameter columns_list must be list of str, got {columns_list!r}.")
        self.columns_list = columns_list or None
        self._writer = FileWriter(destination, partition_number)

    def run(self) -> MSRStatus:
        """Write the files, as `transform` does."""
        kinds = self._kinds()
        self._writer.set_page_size(LARGE_PAGE_BYTES)
        self._writer.add_schema({name: {"type": kind} for name, kind in kinds.items()}, "csv_schema")
        self._writer.add_index(list(kinds))
        write_rows(self._writer, self._rows(kinds))
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Write the rows.

        Raises:
            FileNotFoundError: there is no such CSV file.
            ValueError: the file is empty, a name begins with a digit, or a line has more cells than the first.
            RuntimeError: a column does not exist, or the destination is there already.
        """
        return self.run()

    def _cells(self) -> Iterator[dict[str, str]]:
        with io.TextIOWrapper(open_file(self.source), newline="", encoding="utf-8-sig") as file:
            lines = self._lines(csv.reader(file))
            _, names = next(lines, (0, None))
            if not names:
                raise ValueError(f"{self.source} is empty: its first line should name the columns.")
            for name in names:
                if name[:1].isdigit():
                    raise ValueError(
                        f"{self.source}: the column name {name!r} begins with a digit; put a letter before."
                    )
            for name in self.columns_list or []:
                if name not in names:
                    raise RuntimeError(
                        f"The parameter columns_list is illegal, column {name} does not exist; there are {names}."
                    )
            yield dict.fromkeys(self.columns_list or names, "")
            for number, cells in lines:
                if len(cells) > len(names):
                    raise ValueError(f"{self.source}, line {number}: {len(cells)} cells, but {len(names)} columns.")
                if cells:
                    row = dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True))
                    yield {name: row[name] for name in self.columns_list or names}

    def _lines(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        """Yield the number and the cells of each line."""
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:  # a cell of more than 128 KiB
                raise ValueError(f"{self.source}, line {reader.line_num}: {error}.") from error
            yield reader.line_num, cells

    def _kinds(self) -> dict[str, str]:
        """Find the narrowest type that takes all cells of a column."""
        rows = self._cells()
        allowed = {name: list(PARSERS) for name in next(rows)}
        filled = set()
        for row in rows:
            for name, cell in row.items():
                if cell:
                    filled.add(name)
                    while not _parses(cell, allowed[name][0]):
                        allowed[name].pop(0)
                elif allowed[name][0] == "int64":
                    allowed[name].pop(0)  # NaN is a float
        return {name: kinds[0] if name in filled else "string" for name, kinds in allowed.items()}

    def _rows(self, kinds: dict[str, str]) -> Iterator[dict[str, Any]]:
        rows = self._cells()
        next(rows)
        for row in rows:
            yield {name: _value(row[name], kind) for name, kind in kinds.items() if row[name] or kind != "string"}


def _parses(cell: str, kind: str) -> bool:
    try:
        value = PARSERS[kind](cell)
    except ValueError:
        return False
    return kind != "int64" or -(1 << 63) <= value < 1 << 63


def _value(cell: str, kind: str) -> Any:
    return PARSERS[kind](cell) if cell else float("nan")
