"""Data sets in JSON: one object per line, or one for a whole file."""

from collections.abc import Iterator
from functools import cached_property
from math import trunc
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import TextBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import StreamArguments
from msbridge.dataset.readers.json_text import parse_json
from msbridge.dataset.readers.streamed.lines import LinesDataset, cells, decode_text, open_text, portions, text_lines
from msbridge.dataset.readers.streamed.stream import (
    FolderStreamDataset,
    Portion,
    check_patterns,
    find_files,
)
from msbridge.dataset.transforms.base import Rows

__all__ = ["CLUEDataset", "SQuADDataset"]

_PAIR, _SPANS = "sentence1 sentence2", "span1_index span1_text span2_index span2_text"
# Columns of the tasks: of training and evaluation, and of tests.
TASKS = {
    "AFQMC": (f"label {_PAIR}", f"id {_PAIR}"),
    "CMNLI": (f"label {_PAIR}", f"id {_PAIR}"),
    "CSL": ("abst id keyword label", "abst id keyword"),
    "IFLYTEK": ("label label_des sentence", "id sentence"),
    "TNEWS": ("keywords label label_desc sentence", "id keywords sentence"),
    "WSC": (f"idx label {_SPANS} text", f"idx {_SPANS} text"),
}
UINT32, INT32 = 1 << 32, 1 << 31
NO_ANSWER = np.uint32(UINT32 - 1)
VERSIONS = ("v1.1", "v2.0")


class CLUEDataset(LinesDataset, TextBaseDataset):
    """Tasks of CLUE: columns by task, strings () and uint32 (); below zero int32 (), with a fraction float32 ().

    Args:
        dataset_files: a file, a pattern, or a list of those; files are read in alphabetical order.
        task: "AFQMC", "CMNLI", "CSL", "IFLYTEK", "TNEWS" or "WSC"; None is "AFQMC".
        usage: "train", "eval" or "test"; None is "train".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, or an argument is not allowed.
        RuntimeError: on reading: a line is not JSON, or lacks a column.

    Follows: mindspore.dataset.CLUEDataset (2.10).
    """

    def __init__(
        self,
        dataset_files: str | list[str],
        task: str = "AFQMC",
        usage: str = "train",
        **common: Unpack[StreamArguments],
    ) -> None:
        check_patterns(dataset_files)
        if task not in TASKS:
            raise ValueError(f"task should be one of {list(TASKS)}, got {task!r}.")
        if usage not in ("train", "test", "eval"):
            raise ValueError(f"usage should be 'train', 'test' or 'eval', got {usage!r}.")
        super().__init__(**common)
        self.dataset_files = sorted(find_files(dataset_files))
        self.task, self.usage = task, usage

    @cached_property
    def _paths(self) -> list[Path]:
        return self.dataset_files

    def _names(self) -> list[str]:
        return TASKS[self.task][self.usage == "test"].split()

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        names = self._names()
        for lines in portions(text_lines(path), start, end):
            yield [_row(line, names, path) for line in lines]

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return cells(portion, self._names())


def _row(line: str, names: list[str], path: Path) -> tuple[Any, ...]:
    try:
        entry = parse_json(line)
        found = entry | entry.get("target", {})
        values = [found[name] for name in names]
    except KeyError as error:
        raise pipeline_error(f"Invalid json file, a line of {path} has no key {error}.") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise pipeline_error(f"Invalid json, failed to parse {path}: {error}.") from error
    return tuple(_cell(value, path) for value in values)


def _cell(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return np.uint32(value % UINT32) if value >= 0 else np.int32((value + INT32) % UINT32 - INT32)
    if isinstance(value, float):
        return np.float32(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return np.array(value, np.str_)
    message = f"Invalid json, failed to parse {path}: {value!r} is not a string, number or list of strings."
    raise pipeline_error(message) if isinstance(value, list) else AttributeError(message)


class SQuADDataset(FolderStreamDataset, TextBaseDataset):
    """SQuAD: strings `context` () and `question` (), of the answers strings `text` (n,) and uint32 `answer_start` (n,).

    A question without an answer has the text "" at 4294967295.

    Args:
        dataset_dir: the folder, with `train-v1.1.json` and `dev-v1.1.json`, or those of v2.0.
        usage: "train", "dev" or "all"; None is "all".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: on reading: a file is missing, no JSON, or not of this form.

    Follows: mindspore.dataset.SQuADDataset (2.10).
    """

    usages = ("train", "dev", "all")

    @cached_property
    def _paths(self) -> list[Path]:
        paths: list[Path] = []
        for part in ("train", "dev") if self.usage == "all" else (self.usage,):
            names = [self.dataset_dir / f"{part}-{version}.json" for version in VERSIONS]
            if not any(path.is_file() for path in names):
                raise pipeline_error(f"Invalid path, failed to find SQuAD {part} data file: {self.dataset_dir}.")
            paths += [path for path in names if path.is_file()]
        return paths

    def _names(self) -> list[str]:
        return ["context", "question", "text", "answer_start"]

    def _count(self, path: Path) -> int:
        return sum(1 for _ in _questions(path))

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        return portions(([row] for row in _questions(path)), start, end)

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return cells(portion, self._names())


def _questions(path: Path) -> Iterator[tuple[Any, ...]]:
    with open_text(path) as file:
        text = decode_text(file.read(), path)
    try:
        for article in parse_json(text)["data"]:
            for paragraph in article["paragraphs"]:
                context = _text(paragraph["context"])
                for entry in paragraph["qas"]:
                    answers = entry["answers"] or []
                    texts = np.array([_text(each["text"]) for each in answers] or [""])
                    starts = [trunc(each["answer_start"]) % UINT32 for each in answers]
                    yield context, _text(entry["question"]), texts, np.array(starts or [NO_ANSWER], np.uint32)
    except KeyError as error:
        raise pipeline_error(f"Invalid data, required node not found in JSON: {error} in {path}.") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise pipeline_error(f"Invalid file, failed to parse JSON file: {path} ({error}).") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value
