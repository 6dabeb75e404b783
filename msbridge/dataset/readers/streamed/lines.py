"""Text files whose lines are rows."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Unpack

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.blocks import PORTION_ROWS
from msbridge.dataset.engine.dataset import TextBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import StreamArguments, StrPath
from msbridge.dataset.readers.source import check_folder
from msbridge.dataset.readers.streamed.stream import (
    FolderStreamDataset,
    Portion,
    StreamDataset,
    check_patterns,
    find_files,
)
from msbridge.dataset.transforms.base import Rows

__all__ = ["EnWik9Dataset", "PennTreebankDataset", "TextFileDataset", "WikiTextDataset"]

BLOCK_BYTES = 1 << 18  # of text that is decoded at once


def open_text(path: Path) -> BinaryIO:
    """Open a file of a data set.

    Raises:
        RuntimeError: there is none, or it cannot be read.
    """
    try:
        return open_file(path)
    except OSError as error:
        raise pipeline_error(
            f"Invalid file path, {path} does not exist or cannot be read ({error.strerror})."
        ) from error


def text_blocks(path: Path) -> Iterator[str]:
    """Yield a text file in stretches of whole lines.

    Raises:
        RuntimeError: it is missing, or no UTF-8.
    """
    with open_text(path) as file:
        while data := file.read(BLOCK_BYTES):
            yield decode_text(data + file.readline(), path)


def decode_text(data: bytes, path: Path) -> str:
    """Decode the text of a file.

    Raises:
        RuntimeError: it is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise pipeline_error(f"Invalid file, {path} is not UTF-8 text ({error}).") from error


def text_lines(path: Path, keeps_blank: bool = False) -> Iterator[list[str]]:
    """Yield the lines of a text file without their ends, some at a time; empty ones are left out unless asked for."""
    for block in text_blocks(path):
        lines = block.split("\n")
        if not lines[-1]:
            del lines[-1]
        yield lines if keeps_blank else [line for line in lines if line]


def portions(rows: Iterator[list[Any]], start: int, end: int | None) -> Iterator[list[Any]]:
    """Yield rows `start` to `end` of lists of rows, in lists of at most 1024."""
    number = 0
    for block in rows:
        for first in range(max(start - number, 0), len(block), PORTION_ROWS):
            last = first + PORTION_ROWS if end is None else min(first + PORTION_ROWS, end - number)
            if first < last:
                yield block[first:last]
        number += len(block)
        if end is not None and number >= end:
            return


def cells(portion: Portion, names: list[str]) -> dict[str, Rows]:
    """Turn rows that are tuples of strings and arrays into columns."""
    columns = zip(*portion.rows, strict=True)
    return {
        name: [np.array(value) if isinstance(value, str) else value for value in values]
        for name, values in zip(names, columns, strict=True)
    }


class LinesDataset(StreamDataset):
    """Base of the readers whose rows are lines: one column `text`."""

    column_names = ("text",)
    keeps_blank = False

    def _count(self, path: Path) -> int:
        with open_text(path) as file:
            return sum(
                len(lines) - (0 if self.keeps_blank else lines.count(b"\n"))
                for lines in iter(lambda: file.readlines(BLOCK_BYTES), [])
            )

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        return portions(text_lines(path, self.keeps_blank), start, end)

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return {"text": [np.array(line) for line in portion.rows]}


class TextFileDataset(LinesDataset, TextBaseDataset):
    """Lines of text files: `text` string (). Empty lines are left out.

    Args:
        dataset_files: a file, a pattern, or a list of those; files are read in alphabetical order.
        shuffle: None, True and `Shuffle.GLOBAL` put files in random order and mix rows in a buffer; `Shuffle.FILES`
            puts files in random order; everything else keeps the order.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, or a number is out of range.
        RuntimeError: only one of `num_shards` and `shard_id` is given; on reading: a file is not UTF-8.

    Follows: mindspore.dataset.TextFileDataset (2.10).
    """

    def __init__(self, dataset_files: str | list[str], **common: Unpack[StreamArguments]) -> None:
        check_patterns(dataset_files)
        super().__init__(**common)
        self.dataset_files = sorted(find_files(dataset_files))

    @cached_property
    def _paths(self) -> list[Path]:
        return self.dataset_files


class PennTreebankDataset(LinesDataset, FolderStreamDataset, TextBaseDataset):
    """Lines of `ptb.train.txt`, `ptb.valid.txt`, `ptb.test.txt`: `text` string ().

    Args:
        dataset_dir: the folder.
        usage: "train", "valid", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.PennTreebankDataset (2.10).
    """

    usages = ("train", "valid", "test", "all")
    pattern = "ptb.{}.txt"

    @cached_property
    def _paths(self) -> list[Path]:
        parts = ("test", "train", "valid") if self.usage == "all" else (self.usage,)
        return [self.dataset_dir / self.pattern.format(part) for part in parts]


class WikiTextDataset(PennTreebankDataset):
    """Lines of `wiki.train.tokens`, `wiki.valid.tokens`, `wiki.test.tokens`: `text` string ().

    Args:
        dataset_dir: the folder.
        usage: "train", "valid", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.WikiTextDataset (2.10).
    """

    pattern = "wiki.{}.tokens"


class EnWik9Dataset(LinesDataset, TextBaseDataset):
    """Lines of the file `enwik9`, empty ones too: `text` string ().

    MindSpore's `get_dataset_size` leaves out the empty lines that its rows have; here it counts rows.

    Args:
        dataset_dir: the folder.
        num_parallel_workers: accepted; there is one file.
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.EnWik9Dataset (2.10).
    """

    keeps_blank = True

    default_arguments: ClassVar = {"shuffle": True}

    def __init__(self, dataset_dir: StrPath, **common: Unpack[StreamArguments]) -> None:
        self.dataset_dir = check_folder(dataset_dir)
        super().__init__(**common)

    @cached_property
    def _paths(self) -> list[Path]:
        return [self.dataset_dir / "enwik9"]
