"""Sentences whose words are one per line with their tags; an empty line ends a sentence."""

from collections.abc import Iterator
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import TextBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import LateWorkersArguments, StrPath
from msbridge.dataset.readers.streamed.lines import cells, portions, text_lines
from msbridge.dataset.readers.streamed.stream import FolderStreamDataset, Portion
from msbridge.dataset.transforms.base import Rows

__all__ = ["CoNLL2000Dataset", "UDPOSDataset"]


class TaggedDataset(FolderStreamDataset, TextBaseDataset):
    """Base of the readers of sentences: a row is a sentence, each column an array of as many strings as it has words.

    As in MindSpore, blanks around a line do not count, what comes behind its third column is passed over, and a last
    sentence without an empty line behind it is left out. `get_dataset_size` counts sentences, where MindSpore counts
    words.
    """

    files: ClassVar[dict[str, str]]  # part → name of its file, in the order in which all of them are read
    delimiter: str  # the character between a word and its tags

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[LateWorkersArguments]) -> None:
        super().__init__(dataset_dir, usage, **common)

    @cached_property
    def _paths(self) -> list[Path]:
        return [self.dataset_dir / name for part, name in self.files.items() if self.usage in (part, "all")]

    def _count(self, path: Path) -> int:
        return sum(map(len, self._sentences(path)))

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        for rows in portions(self._sentences(path), start, end):
            yield [tuple(np.array(column) for column in zip(*words, strict=True)) for words in rows]

    def _sentences(self, path: Path) -> Iterator[list[list[list[str]]]]:
        words: list[list[str]] = []
        for lines in text_lines(path, keeps_blank=True):
            sentences = []
            for line in map(str.strip, lines, repeat(" ")):
                if line:
                    words.append(self._word(line, path))
                elif words:
                    sentences.append(words)
                    words = []
            yield sentences

    def _word(self, line: str, path: Path) -> list[str]:
        """Return a word and its tags; delimiters in a row have empty ones between them, the last one ends the line."""
        word = line.removesuffix(self.delimiter).split(self.delimiter)[: len(self.column_names)]
        if len(word) < len(self.column_names):
            raise pipeline_error(f"Invalid file content, a line of {path} does not have three columns: {line!r}.")
        return word

    def _holds_nothing(self) -> bool:
        return not any(line for path in self._paths for lines in text_lines(path) for line in lines)

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return cells(portion, self._names())


class CoNLL2000Dataset(TaggedDataset):
    """Chunking of CoNLL-2000: strings `word`, `pos_tag`, `chunk_tag` (words,).

    Args:
        dataset_dir: the folder, with `train.txt` and `test.txt`.
        usage: "train", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Follows: mindspore.dataset.CoNLL2000Dataset (2.10).
    """

    column_names = ("word", "pos_tag", "chunk_tag")
    files: ClassVar = {"test": "test.txt", "train": "train.txt"}
    delimiter = " "


class UDPOSDataset(TaggedDataset):
    """Universal dependencies: strings `word`, `universal`, `stanford` (words,).

    Args:
        dataset_dir: the folder, with `en-ud-tag.v2.train.txt`, `….dev.txt` and `….test.txt`.
        usage: "train", "valid", "test" or "all"; None is "all".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Follows: mindspore.dataset.UDPOSDataset (2.10).
    """

    usages = ("train", "valid", "test", "all")
    column_names = ("word", "universal", "stanford")
    files: ClassVar = {
        "valid": "en-ud-tag.v2.dev.txt",
        "test": "en-ud-tag.v2.test.txt",
        "train": "en-ud-tag.v2.train.txt",
    }
    delimiter = "\t"
