"""Readers of streams: consecutive rows of files, read in order, some at a time.

The files, one after the other, are a stream that is cut into as many parts of equal length as there are shards; what
the last part lacks comes from the beginning again. The files of a part are dealt out to as many queues as the reader
has workers, and rows are taken from the queues in turns: with several files and several workers they alternate, in an
order that depends on nothing but these numbers.
"""

import glob
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset import config
from msbridge.dataset.arguments import worker_count
from msbridge.dataset.engine.blocks import PORTION_ROWS, Block, Column
from msbridge.dataset.engine.nodes import ORDER_SEED_OF_SHARDS, ExecutionContext
from msbridge.dataset.engine.sampling.sampler_arguments import check_whole_shard
from msbridge.dataset.engine.sampling.samplers import check_num_samples
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import STREAMED, StreamArguments, StrPath
from msbridge.dataset.readers.source import Shuffle, SourceDataset, check_folder
from msbridge.dataset.row_random import fold_in
from msbridge.dataset.transforms.base import Rows

MIN_BUFFER_ROWS, FILES_IN_BUFFER = (
    10_000,
    4,
)  # rows that are mixed with each other: those of four files, at least 10,000


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows of one file."""

    file: int  # its number among the reader's files
    start: int = 0  # the first row
    end: int | None = None  # the row behind the last one; None is all


@dataclass(frozen=True, slots=True)
class Portion:
    """Some rows in the form in which they were read, and the number of the file of each."""

    rows: list[Any]
    files: list[int]

    def __getitem__(self, part: slice) -> "Portion":
        return Portion(self.rows[part], self.files[part])


class StreamDataset(SourceDataset):
    """Base of the readers of streams.

    Subclasses implement `_paths`, `_names`, `_count`, `_read`, and `_columns` where rows are not tuples of values.

    Args:
        shuffle: None, True and `Shuffle.GLOBAL` put files in random order and mix rows in a buffer; `Shuffle.FILES`
            puts files in random order; everything else keeps the order.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is out of range.
        RuntimeError: only one of `num_shards` and `shard_id` is given.
    """

    common_arguments: ClassVar[Mapping[str, str]] = STREAMED

    def __init__(
        self,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check_num_samples(num_samples)
        worker_count(num_parallel_workers)
        for name, value in (("num_shards", num_shards), ("shard_id", shard_id)):
            if value is not None:
                require_type(value, name, int)
        if num_shards is not None:
            int_within(num_shards, "num_shards")
        check_whole_shard(num_shards, shard_id)
        if num_shards is not None:
            within(shard_id, "shard_id", 0, num_shards - 1)
        if shuffle is not None and not isinstance(shuffle, (bool, Shuffle)):
            raise TypeError(
                "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES', got "
                f"{shuffle!r}."
            )
        super().__init__(num_parallel_workers, cache)
        self.num_samples = num_samples or 0
        self.num_shards, self.shard_id = num_shards or 1, shard_id or 0
        self.shuffle_level = _level(shuffle)

    @cached_property
    def _paths(self) -> list[Path]:
        """The files in their order."""
        raise NotImplementedError

    def _count(self, path: Path) -> int:
        """Return the number of rows of a file."""
        raise NotImplementedError

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        """Yield rows of a file, some at a time.

        Raises:
            RuntimeError: the file is missing or damaged.
        """
        raise NotImplementedError

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        """Turn rows into columns."""
        return {name: list(values) for name, values in zip(self._names(), zip(*portion.rows, strict=True), strict=True)}

    @cached_property
    def _counts(self) -> list[int]:
        return [self._count(path) for path in self._paths]

    def _holds_nothing(self) -> bool:
        """Whether the files have nothing to read, which is refused."""
        return not any(self._counts)

    def _segments(self, order: list[int]) -> list[Segment]:
        """Return this shard's part of the files, which are in the order `order`."""
        if self.num_shards == 1:
            return [Segment(file) for file in order]
        length = -(-sum(self._counts) // self.num_shards)
        begin, place, segments = self.shard_id * length, 0, []
        for file in cycle(order) if length else ():
            start, end = max(begin - place, 0), min(begin + length - place, self._counts[file])
            if start < end:
                segments.append(Segment(file, start, end))
            place += self._counts[file]
            if place >= begin + length:
                break
        return segments

    def _shard_rows(self) -> int:
        """Return the number of rows of this shard, before `num_samples`."""
        return -(-sum(self._counts) // self.num_shards)

    def _size(self) -> int | None:
        rows = self._shard_rows()
        return min(rows, self.num_samples) if self.num_samples else rows

    def _stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._stream_from(context, epoch, 0)

    def _stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        number = 0
        for portion in self._portions(context, epoch):
            end = number + len(portion.rows)
            if end > start:
                first = max(number, start)
                part = portion[first - number :] if first > number else portion
                columns = {name: Column(values) for name, values in self._columns(part).items()}
                yield Block(columns, end - first, context.keys(self._node, epoch, np.arange(first, end)))
            number = end
        if not number and self._holds_nothing():
            raise pipeline_error(
                f"Invalid data, {type(self).__name__} API can't read the data file (interface mismatch or no data "
                f"found). Check the files: {', '.join(map(str, self._paths))}"
            )

    def _portions(self, context: ExecutionContext, epoch: int) -> Iterator[Portion]:
        """Yield the rows of one pass in their order."""
        order = list(range(len(self._paths)))
        if self.shuffle_level in (Shuffle.GLOBAL, Shuffle.FILES):
            order = self._file_order(context, epoch)
        segments = self._segments(order)
        workers = self.num_parallel_workers or config.get_num_parallel_workers()
        queues = [self._queue(segments[number::workers]) for number in range(min(workers, len(segments)))]
        portions = _limit_rows(_in_turns(queues), self.num_samples)
        if self.shuffle_level == Shuffle.GLOBAL:
            return _mix(portions, self._buffer_size(), context.generator(self._node, epoch))
        return portions

    def _file_order(self, context: ExecutionContext, epoch: int) -> list[int]:
        generator = context.generator(self._node, epoch)
        if self.num_shards > 1:  # all shards, in all processes, must divide the same order
            generator = np.random.default_rng(fold_in(ORDER_SEED_OF_SHARDS, epoch if context.order_seed is None else 0))
        return [int(number) for number in generator.permutation(len(self._paths))]

    def _buffer_size(self) -> int:
        return max(MIN_BUFFER_ROWS, FILES_IN_BUFFER * -(-self._shard_rows() // max(1, len(self._paths))))

    def _queue(self, segments: list[Segment]) -> Iterator[Portion]:
        for segment in segments:
            for rows in self._read(self._paths[segment.file], segment.start, segment.end):
                yield Portion(rows, [segment.file] * len(rows))

    def is_shuffled(self) -> bool:
        return self.shuffle_level != Shuffle.FALSE

    def is_sharded(self) -> bool:
        return self.num_shards > 1


class FolderStreamDataset(StreamDataset):
    """Base of the readers of a folder of which parts can be read; its readers document the arguments.

    Attributes:
        usages: the names of the parts that can be asked for.
        default_usage: what None means.
    """

    usages: tuple[str, ...] = ("train", "test", "all")
    default_usage = "all"

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[StreamArguments]) -> None:
        self.dataset_dir = check_folder(dataset_dir)
        if usage is not None and require_type(usage, "usage", str) not in self.usages:
            raise ValueError(f"Input usage is not within the valid set of {list(self.usages)}, got {usage!r}.")
        self.usage = usage or self.default_usage
        super().__init__(**common)


def find_files(patterns: Any) -> list[Path]:
    """Return the files that match a pattern or a list of them, with path mappings applied.

    Raises:
        ValueError: a pattern matches no file.
    """
    files, unmatched = [], []
    for pattern in patterns if isinstance(patterns, list) else [patterns]:
        require_type(pattern, "dataset_files", str)
        matches = [Path(name) for name in glob.glob(resolve(pattern), recursive=True) if Path(name).is_file()]  # noqa: PTH207 - as MindSpore understands patterns
        files += matches
        unmatched += [] if matches else [pattern]
    if unmatched:
        raise ValueError(f"The following patterns did not match any files: {unmatched}.")
    return files


def check_patterns(dataset_files: Any) -> Any:
    """Return the argument `dataset_files`, a string or a list that is not empty.

    Raises:
        TypeError: it is of another type.
        ValueError: it is empty.
    """
    if not require_type(dataset_files, "dataset files", (str, list)):
        raise ValueError(f"Input dataset_files can not be empty, but got '{dataset_files}'.")
    return dataset_files


def _level(shuffle: bool | Shuffle | None) -> Shuffle:
    if isinstance(shuffle, Shuffle):
        return shuffle
    return Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL


def _in_turns(queues: list[Iterator[Portion]]) -> Iterator[Portion]:
    """Take one row of each queue in turns, of those that are not empty."""
    held: list[Portion | None] = [None] * len(queues)
    while queues:
        for number in reversed(range(len(queues))):
            if held[number] is None:
                held[number] = next(queues[number], None)
                if held[number] is None:
                    del held[number], queues[number]
        portions: list[Portion] = held  # type: ignore[assignment]
        if not portions:
            return
        if len(portions) == 1:
            yield portions[0]
            held = [None]
            continue
        count = min(len(portion.rows) for portion in portions)
        turns = zip(*(portion.rows[:count] for portion in portions), strict=True)
        owners = zip(*(portion.files[:count] for portion in portions), strict=True)
        yield Portion([row for turn in turns for row in turn], [file for turn in owners for file in turn])
        held = [portion[count:] if len(portion.rows) > count else None for portion in portions]


def _limit_rows(portions: Iterable[Portion], count: int) -> Iterator[Portion]:
    """Yield the first `count` rows; 0 is all."""
    left = count
    for portion in portions:
        if count and len(portion.rows) >= left:
            yield portion[:left]
            return
        left -= len(portion.rows)
        yield portion


def _mix(portions: Iterable[Portion], size: int, generator: np.random.Generator) -> Iterator[Portion]:
    """Yield rows in random order, each drawn from `size` rows that are waiting."""
    waiting = Portion([], [])
    for portion in portions:
        room = size - len(waiting.rows)
        if room > 0:
            waiting.rows.extend(portion.rows[:room])
            waiting.files.extend(portion.files[:room])
        if len(portion.rows) <= room:
            continue
        entering = portion[max(room, 0) :]
        places = generator.choice(size, len(entering.rows), replace=False).tolist()
        drawn = Portion([waiting.rows[place] for place in places], [waiting.files[place] for place in places])
        for place, row, file in zip(places, entering.rows, entering.files, strict=True):
            waiting.rows[place], waiting.files[place] = row, file
        yield drawn
    places = generator.permutation(len(waiting.rows)).tolist()
    for start in range(0, len(places), PORTION_ROWS):
        part = places[start : start + PORTION_ROWS]
        yield Portion([waiting.rows[place] for place in part], [waiting.files[place] for place in part])
