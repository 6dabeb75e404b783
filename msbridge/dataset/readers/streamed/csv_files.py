"""Files of comma-separated values, and the data sets that are published as such."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.dataset import TextBaseDataset, UnionBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import LateWorkersArguments, StreamArguments, StrPath
from msbridge.dataset.readers.streamed.csv_rows import csv_error, csv_rows, header
from msbridge.dataset.readers.streamed.lines import cells, portions
from msbridge.dataset.readers.streamed.stream import (
    FolderStreamDataset,
    Portion,
    StreamDataset,
    check_patterns,
    find_files,
)
from msbridge.dataset.transforms.base import Rows

__all__ = [
    "AGNewsDataset",
    "AmazonReviewDataset",
    "CSVDataset",
    "DBpediaDataset",
    "SST2Dataset",
    "SogouNewsDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
]

INTEGER = re.compile(r"\s*([+-]?\d+)")
FLOAT = re.compile(
    r"\s*([+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?|inf(?:inity)?|nan"
    r"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))",
    re.IGNORECASE,
)


class TableDataset(StreamDataset):
    """Base of the readers of tables: rows of strings, in files with or without a line of names."""

    delimiter = ","
    has_header = False

    def _count(self, path: Path) -> int:
        return sum(map(len, csv_rows(path, self.delimiter, 0, self.has_header, check=False)))

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        return portions(csv_rows(path, self.delimiter, len(self._names()), self.has_header), start, end)

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return cells(portion, self._names())


class CSVDataset(TableDataset, UnionBaseDataset):
    """Rows of comma-separated values: one column for each name, a string () unless `column_defaults` says otherwise.

    Args:
        dataset_files: a file, a pattern, or a list of those; files are read in alphabetical order.
        field_delim: the character between cells; None is ",".
        column_defaults: one value for each column: an int makes it int32 (), a float float32 (), a str leaves it a
            string. The values themselves are not used. Columns that are left over are strings; None makes all of them.
        column_names: None or [] takes the first line of each file, which must be the same.
        shuffle: None, True and `Shuffle.GLOBAL` put files in random order and mix rows in a buffer; `Shuffle.FILES`
            puts files in random order; everything else keeps the order.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, or an argument is not allowed.
        RuntimeError: only one of `num_shards` and `shard_id` is given; on reading: names are missing or occur twice, a
            row has more or fewer cells, a quote is where none may be, or a cell is not a number.

    Follows: mindspore.dataset.CSVDataset (2.10).
    """

    def __init__(
        self,
        dataset_files: str | list[str],
        field_delim: str | None = ",",
        column_defaults: list[Any] | None = None,
        column_names: Sequence[str] | None = None,
        **common: Unpack[StreamArguments],
    ) -> None:
        check_patterns(dataset_files)
        if field_delim is not None and (
            require_type(field_delim, "field delim", str) in ('"', "\r", "\n") or len(field_delim) != 1
        ):
            raise ValueError(
                f"field_delim is invalid: it must be one character, no quote and no line end: {field_delim!r}."
            )
        if column_defaults is not None:
            if not isinstance(column_defaults, list):
                raise TypeError(f"column_defaults should be type of list, got {type(column_defaults)}.")
            if not all(isinstance(each, (str, int, float)) for each in column_defaults):
                raise TypeError(f"column type in column_defaults is invalid: {column_defaults}.")
        if column_names is not None and not all(
            isinstance(each, str) for each in require_type(column_names, "column_names", (list, tuple))
        ):
            raise TypeError(f"column_names should be a list of str, got {column_names}.")
        super().__init__(**common)
        self.dataset_files = sorted(find_files(dataset_files))
        self.delimiter = field_delim or ","
        self.column_defaults, self.column_names = column_defaults or [], list(column_names or [])
        self.has_header = not self.column_names

    @cached_property
    def _paths(self) -> list[Path]:
        return self.dataset_files

    @cached_property
    def _found_names(self) -> list[str]:
        names = list(self.column_names) or header(self._paths[0], self.delimiter)
        for path in self._paths if self.has_header else []:
            if (found := header(path, self.delimiter)) != names or not found or len(set(found)) < len(found):
                raise pipeline_error(f"Invalid file, failed to get column names from csv file: {path}: {found}.")
        if self.column_names and ("" in names or len(set(names)) < len(names)):
            raise pipeline_error(f"CSVDataset: 'column_names' must not be empty or occur twice, got {names}.")
        if len(self.column_defaults) > len(names):
            raise pipeline_error(
                f"Invalid parameter, column_defaults has {len(self.column_defaults)} values for {names}."
            )
        return names

    def _names(self) -> list[str]:
        return self._found_names

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        kinds = [_CONVERTERS[type(each)] for each in self.column_defaults]
        numbers = [(place, convert) for place, convert in enumerate(kinds) if convert is not None]
        number = start
        for rows in super()._read(path, start, end):
            for row in rows if numbers else ():
                number += 1
                for place, convert in numbers:
                    try:
                        row[place] = convert(row[place])
                    except (ValueError, OverflowError) as error:
                        raise csv_error(path, number, f"cell {place + 1}, {row[place]!r}, {error}") from error
            yield rows


def _int32(cell: str) -> np.int32:
    found = INTEGER.match(cell)
    if found is None:
        raise ValueError("does not begin with an integer")
    value = int(found[1])
    if not -(1 << 31) <= value < 1 << 31:
        raise OverflowError("is out of range of int32")
    return np.int32(value)


def _float32(cell: str) -> np.float32:
    number = FLOAT.match(cell)
    if number is None:
        raise ValueError("does not begin with a number")
    value = float.fromhex(number[1]) if "x" in number[1].lower() else float(number[1])
    with np.errstate(over="ignore"):
        result = np.float32(value)
    if np.isinf(result) and "inf" not in number[1].lower():
        raise OverflowError("is out of range of float32")
    return result


_CONVERTERS: dict[type, Callable[[str], Any] | None] = {int: _int32, bool: _int32, float: _float32, str: None}


class NewsDataset(TableDataset, FolderStreamDataset, TextBaseDataset):
    """Base of the readers of a folder with `train.csv` and `test.csv`, all of whose cells are strings.

    Attributes:
        order: the files in the order in which all of them are read.
    """

    order: tuple[str, ...] = ("test", "train")

    @cached_property
    def _paths(self) -> list[Path]:
        return [self.dataset_dir / f"{part}.csv" for part in self.order if self.usage in (part, "all")]


class AGNewsDataset(NewsDataset):
    """AG News: strings `index`, `title`, `description`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.AGNewsDataset (2.10).
    """

    column_names = ("index", "title", "description")


class AmazonReviewDataset(NewsDataset):
    """Amazon reviews: strings `label`, `title`, `content`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.AmazonReviewDataset (2.10).
    """

    column_names = ("label", "title", "content")


class DBpediaDataset(NewsDataset):
    """DBpedia: strings `class`, `title`, `content`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.DBpediaDataset (2.10).
    """

    column_names = ("class", "title", "content")


class YahooAnswersDataset(NewsDataset):
    """Yahoo answers: strings `class`, `title`, `content`, `answer`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.YahooAnswersDataset (2.10).
    """

    column_names = ("class", "title", "content", "answer")


class LateWorkersDataset(NewsDataset):
    """Base of the readers that take the number of workers behind the shards, and train.csv before test.csv."""

    order = ("train", "test")

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[LateWorkersArguments]) -> None:
        super().__init__(dataset_dir, usage, **common)


class SogouNewsDataset(LateWorkersDataset):
    """Sogou news: strings `index`, `title`, `content`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Follows: mindspore.dataset.SogouNewsDataset (2.10).
    """

    column_names = ("index", "title", "content")


class YelpReviewDataset(LateWorkersDataset):
    """Yelp reviews: strings `label`, `text`.

    Args:
        dataset_dir: the folder, with `train.csv` and `test.csv`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Follows: mindspore.dataset.YelpReviewDataset (2.10).
    """

    column_names = ("label", "text")


class SST2Dataset(TableDataset, FolderStreamDataset, TextBaseDataset):
    """The Stanford sentiment treebank: strings `sentence` and `label`, as the first line of a file names them.

    Args:
        dataset_dir: the folder, with `train.tsv`, `dev.tsv` and `test.tsv`.
        usage: "train", "dev" or "test", which has no labels; None is "train".
        num_parallel_workers: accepted; one file is read.
        shuffle: what is put in random order, as in CSVDataset.
        num_samples, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.SST2Dataset (2.10).
    """

    usages = ("train", "test", "dev")
    default_usage = "train"
    delimiter = "\t"
    has_header = True

    @cached_property
    def _paths(self) -> list[Path]:
        return [self.dataset_dir / f"{self.usage}.tsv"]

    @property
    def _numbered(self) -> int:
        """The number of cells in front of a row that are not columns: the test file numbers its rows."""
        return 1 if self.usage == "test" else 0

    @cached_property
    def _found_names(self) -> list[str]:
        return header(self._paths[0], self.delimiter)[self._numbered :]

    def _names(self) -> list[str]:
        return self._found_names

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        width = len(self._names()) + self._numbered
        for rows in portions(csv_rows(path, self.delimiter, width, True), start, end):
            yield [row[self._numbered :] for row in rows]
