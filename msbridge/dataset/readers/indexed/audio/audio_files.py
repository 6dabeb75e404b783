"""Recordings, one per file, whose labels are in their names."""

import os
import struct
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.dataset import AudioBaseDataset
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.source import FolderDataset, check_choice, check_folder
from msbridge.dataset.transforms.base import Rows

__all__ = ["GTZANDataset", "SpeechCommandsDataset", "YesNoDataset"]

FULL_SCALE = 32767  # what a sample is divided by
PCM, EXTENSIBLE = 1, 0xFFFE
# Which of the hundred pieces of each genre belong to a part; the rest is faulty, or comes twice.
PIECES = {
    "train": {
        "blues": "29-49 73-97",
        "classical": "30-33 43-48 50-67 80-99",
        "country": "19-26 28-29 65-99",
        "disco": "5 15-20 22-37 39-45 47 49 53-54 56-57 59 61 70 73-74 89",
        "hiphop": "2-25 28-29 31-38 41-42 55-61 77-80",
        "jazz": "0-1 11-24 41 47-72",
        "metal": "2-3 5 21 24 35 46-57 59-66 69 71-72 79-80 84 86 89-99",
        "pop": "2-9 11-12 16-20 23-29 31-36 38-42 44 46 49-50 80 97-99",
        "reggae": "0-2 4 6 9 11-12 14-32 42-45 49-51 54-60 63 69",
        "rock": "0-9 16-26 57-70 91-99",
    },
    "valid": {
        "blues": "0-11 50-60",
        "classical": "0-10 68-76",
        "country": "0-7 9-18 27 41-42 45 49",
        "disco": "0 2-4 6-14 46 48 52 67-68 72 75 90 95",
        "hiphop": "81-98",
        "jazz": "2-10 25-32",
        "metal": "0-1 6-11 16-20 36-37 68 76-77 81-82",
        "pop": "10 53 55 58-62 81 83-86",
        "reggae": "61-62 70 72 74 76-78 85 92-99",
        "rock": "38 49-56 71-85",
    },
    "test": {
        "blues": "12-28 61-72 98-99",
        "classical": "11-29 34-41 49 77-79",
        "country": "30-40 43-44 46-48 50-51 53-64",
        "disco": "1 21 58 62-66 69 76-88 91-94 96-97 99",
        "hiphop": "0 26-27 30 40 43-45 51-54 62-75 99",
        "jazz": "73-99",
        "metal": "12-15 22-23 25-33 38-39 67 70 73-75 78 83 85 87-88",
        "pop": "0-1 13-14 43 63-66 69-79 82 88-96",
        "reggae": "34-40 46-48 52-53 64-68 71 79 82-84 87-90",
        "rock": "10-15 27-37 39-48 86-90",
    },
}


class RecordingsDataset(FolderDataset, AudioBaseDataset):
    """Base of the readers of recordings: columns `waveform` float32 (1, samples), `sample_rate` (), and what is known.

    Samples of several channels follow one another, as in MindSpore, which takes all files for 16-bit ones with
    a head of 44 bytes; here others are refused, and other chunks are passed over. Files are read in alphabetical order.

    Subclasses implement `_recordings`.
    """

    columns: ClassVar[tuple[str, ...]] = ()  # the names of the other columns
    rate: ClassVar[int] = 0  # the only sampling rate that is allowed; 0 is any
    rate_dtype: ClassVar[type] = np.int32  # the dtype of `sample_rate`

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        """Yield the file of each recording and the values of the other columns."""
        raise NotImplementedError

    @cached_property
    def _found(self) -> list[tuple[Path, tuple[Any, ...]]]:
        return list(self._recordings())

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        reader = _Recordings(self)
        fetches: dict[str, Fetch] = {"waveform": reader.waveforms, "sample_rate": reader.rates}
        for place, name in enumerate(self.columns):
            fetches[name] = _Labels(self._found, place)
        return fetches

    def _names(self) -> list[str]:
        return ["waveform", "sample_rate", *self.columns]

    def _length(self) -> int:
        return len(self._found)

    def _recording(self, index: int) -> tuple[np.ndarray, int]:
        """Read the samples of a recording, and their rate."""
        path = self._found[index][0]
        samples, rate = read_wave(path)
        if self.rate and rate != self.rate:
            raise pipeline_error(f"Invalid file, the sampling rate of {path} must be {self.rate}, got {rate}.")
        return samples, rate


class _Labels:
    """One of the other columns."""

    def __init__(self, found: list[tuple[Path, tuple[Any, ...]]], place: int) -> None:
        self._found, self._place = found, place

    def __call__(self, indices: np.ndarray) -> Rows:
        return [np.array(self._found[index][1][self._place]) for index in indices.tolist()]


class _Recordings:
    """The recordings of some rows, read once for both of their columns."""

    def __init__(self, dataset: RecordingsDataset) -> None:
        self._dataset = dataset
        self._rates: tuple[bytes, list[int]] = (b"", [])

    def waveforms(self, indices: np.ndarray) -> Rows:
        read = [self._dataset._recording(index) for index in indices.tolist()]
        self._rates = (indices.tobytes(), [rate for _, rate in read])
        return [samples for samples, _ in read]

    def rates(self, indices: np.ndarray) -> Rows:
        wanted, rates = self._rates
        if wanted != indices.tobytes():
            rates = [self._dataset._recording(index)[1] for index in indices.tolist()]
        return np.array(rates, self._dataset.rate_dtype)


def read_wave(path: Path) -> tuple[np.ndarray, int]:
    """Read a WAV file of 16 bits.

    Returns:
        float32 (1, samples) in [-1.00003, 1], channels alternating; and the sampling rate.

    Raises:
        RuntimeError: the file is missing, damaged, or of another form.
    """
    try:
        with open_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(12)
            if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE":
                raise ValueError("it does not begin as a WAV file does")
            form = None
            while len(chunk := file.read(8)) == 8:
                name, length = struct.unpack("<4sI", chunk)
                if length > size - file.tell():
                    raise ValueError(f"chunk {name!r} should have {length} bytes, there are {size - file.tell()}")
                if name == b"data" and form is not None:
                    return _samples(file.read(length - length % 2)), form
                if name == b"fmt ":
                    form = _rate(file.read(length))
                    length = 0
                file.seek(length + length % 2, os.SEEK_CUR)
            raise ValueError("it has no samples")
    except (OSError, ValueError, struct.error) as error:
        raise pipeline_error(f"Invalid file, {path} cannot be read as a WAV file ({error}).") from error


def _rate(form: bytes) -> int:
    kind, _, rate, _, _, bits = struct.unpack_from("<HHIIHH", form)
    if kind == EXTENSIBLE:
        kind = struct.unpack_from("<H", form, 24)[0]
    if kind != PCM or bits != 16:
        raise ValueError(f"its samples have format {kind} and {bits} bits; 16-bit PCM can be read")
    return int(rate)


def _samples(data: bytes) -> np.ndarray:
    return (np.frombuffer(data, "<i2").astype(np.float32) / np.float32(FULL_SCALE))[None]


class YesNoDataset(RecordingsDataset):
    """Sixty times eight words, yes or no: float32 `waveform` (1, n), int32 `sample_rate` (), int32 `label` (8,).

    Args:
        dataset_dir: the folder, with `0_0_0_0_1_1_1_1.wav` and its like.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist.
        RuntimeError: arguments contradict each other; on reading: a file is damaged, or its name says nothing.

    Follows: mindspore.dataset.YesNoDataset (2.10).
    """

    columns = ("label",)

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        is_any = False
        for path in sorted(self.dataset_dir.glob("*.wav")):
            is_any = True
            words = path.stem.split("_")[:8]
            if not all(word.isdecimal() for word in words):
                raise pipeline_error(f"Invalid file name, {path} should be like 0_0_1_1_0_0_1_1.wav.")
            yield path, (np.array([int(word) for word in words], np.int32),)
        if not is_any:
            raise pipeline_error(f"Invalid file, no .wav files found under {self.dataset_dir}")


class PartsOfRecordings(RecordingsDataset):
    """Base of the readers of recordings of which parts can be read.

    Attributes:
        usages: the names of the parts.
    """

    usages: ClassVar[tuple[str, ...]] = ("train", "test", "valid", "all")

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[IndexedArguments]) -> None:
        check_folder(dataset_dir)
        self.usage = "all" if usage is None else check_choice(usage, "usage", self.usages)
        super().__init__(dataset_dir, **common)


class GTZANDataset(PartsOfRecordings):
    """Music of ten genres: float32 `waveform` (1, n), uint32 `sample_rate` (), string `label` ().

    Args:
        dataset_dir: the folder, with `blues/blues.00000.wav` and its like.
        usage: "train", "valid", "test" (443, 197 and 290 pieces without faults) or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: arguments contradict each other; on reading: there are no files, or one is damaged.

    Follows: mindspore.dataset.GTZANDataset (2.10).
    """

    columns = ("label",)
    rate = 22050
    rate_dtype = np.uint32

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        is_any = False
        for genre in PIECES["train"]:
            if self.usage == "all":
                paths = sorted((self.dataset_dir / genre).glob("*.wav"))
            else:
                numbers = _numbers(PIECES[self.usage][genre])
                paths = [self.dataset_dir / genre / f"{genre}.{number:05d}.wav" for number in numbers]
            for path in filter(Path.is_file, paths):
                is_any = True
                yield path, (genre,)
        if not is_any:
            raise pipeline_error(f"Invalid data, no valid data found in path: {self.dataset_dir}")


def _numbers(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class SpeechCommandsDataset(PartsOfRecordings):
    """Single words with their speakers.

    Columns: float32 `waveform` (1, n), int32 `sample_rate` (), strings `label` () and `speaker_id` (), int32
    `utterance_number` ().

    `get_dataset_size` counts the rows of the part, where MindSpore counts those of all parts.

    Args:
        dataset_dir: the folder, with `bed/00f0204f_nohash_0.wav` and its like, `validation_list.txt` and
            `testing_list.txt`.
        usage: "train" (what is in neither list), "valid", "test" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.SpeechCommandsDataset (2.10).
    """

    columns = ("label", "speaker_id", "utterance_number")

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        lists = {"valid": "validation_list.txt", "test": "testing_list.txt"}
        if self.usage in lists:
            names = self._read_list(lists[self.usage])
        else:
            folders = sorted(each for each in self.dataset_dir.iterdir() if each.is_dir())
            paths = [path for each in folders for path in sorted(each.glob("*.wav")) if not each.name.startswith("_")]
            names = [path.relative_to(self.dataset_dir).as_posix() for path in paths]
            if self.usage == "train":
                others = {name for each in lists.values() for name in self._read_list(each)}
                names = [name for name in names if name not in others]
        if not names:
            raise pipeline_error(f"Invalid data, no recordings of usage {self.usage!r} in {self.dataset_dir}.")
        for name in names:
            label, _, file = name.partition("/")
            speaker, separator, number = file.removesuffix(".wav").partition("_nohash_")
            if not separator or not number.isdecimal():
                raise pipeline_error(f"Invalid file name, failed to get file info: {name}")
            yield self.dataset_dir / name, (label, speaker, np.int32(number))

    def _read_list(self, name: str) -> list[str]:
        path = self.dataset_dir / name
        if not path.is_file():
            return []
        return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
