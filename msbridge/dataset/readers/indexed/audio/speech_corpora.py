"""Recordings of speech with what was said."""

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.indexed.audio.audio_files import PartsOfRecordings, RecordingsDataset
from msbridge.dataset.readers.source import check_choice

__all__ = ["CMUArcticDataset", "LJSpeechDataset", "LibriTTSDataset", "TedliumDataset"]

SPEAKERS = (
    *("aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem"),
    *("gka", "jmk", "ksp", "ljm", "lnh", "rms", "rxr", "slp", "slt"),
)
SUBSETS = (
    "dev-clean",
    "dev-other",
    "test-clean",
    "test-other",
    "train-clean-100",
    "train-clean-360",
    "train-other-500",
)
SPOKEN = re.compile(r'\( arctic_(\w+) "(.*)" \)')
SPHERE, MIN_HEAD_BYTES, MAX_HEAD_BYTES = b"NIST_1A\n", 16, 1 << 16
FULL_SCALE = 32768  # of the samples of SPHERE files


def _lines(path: Path, what: str) -> Iterator[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise pipeline_error(f"Invalid file, failed to find {what} file: {path}, or to read it ({error}).") from error
    return iter(text.split("\n")[: -1 if text.endswith("\n") else None])


class LJSpeechDataset(RecordingsDataset):
    """LJ Speech.

    Columns: float32 `waveform` (1, n), int32 `sample_rate` (), strings `transcription` and
    `normalized_transcription` ().

    Args:
        dataset_dir: the folder, with `metadata.csv` and the folder `wavs`.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.LJSpeechDataset (2.10).
    """

    columns = ("transcription", "normalized_transcription")

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        path, is_any = self.dataset_dir / "metadata.csv", False
        for line in _lines(path, "LJSpeech metadata"):
            cells = line.split("|")
            if len(cells) != 3:
                raise pipeline_error(f"Invalid file, a line of {path} has {len(cells)} cells instead of 3: {line!r}.")
            is_any = True
            yield self.dataset_dir / "wavs" / f"{cells[0]}.wav", (cells[1], cells[2])
        if not is_any:
            raise pipeline_error(f"Reading failed, unable to read valid data from the LJSpeech metadata file: {path}.")


class CMUArcticDataset(RecordingsDataset):
    """CMU Arctic: float32 `waveform` (1, n), uint32 `sample_rate` (), strings `transcript` and `utterance_id` ().

    Args:
        dataset_dir: the folder, with `cmu_us_aew_arctic` and its like.
        name: which speaker; None is "aew".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.CMUArcticDataset (2.10).
    """

    columns = ("transcript", "utterance_id")
    rate = 16000
    rate_dtype = np.uint32

    def __init__(self, dataset_dir: StrPath, name: str | None = None, **common: Unpack[IndexedArguments]) -> None:
        super().__init__(dataset_dir, **common)
        self.name = "aew" if name is None else check_choice(name, "name", SPEAKERS)

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        folder = self.dataset_dir / f"cmu_us_{self.name}_arctic"
        path, is_any = folder / "etc" / "txt.done.data", False
        for line in _lines(path, "label"):
            spoken = SPOKEN.fullmatch(line)
            if spoken is None:
                raise pipeline_error(f"Invalid file, the file may not be a CMUArctic dataset file: {path}: {line!r}.")
            is_any = True
            yield folder / "wav" / f"arctic_{spoken[1]}.wav", (spoken[2], spoken[1])
        if not is_any:
            raise pipeline_error(f"Invalid file, there is nothing in {path}.")


class LibriTTSDataset(PartsOfRecordings):
    """LibriTTS.

    Columns: float32 `waveform` (1, n), uint32 `sample_rate`, `speaker_id`, `chapter_id` (), strings `original_text`,
    `normalized_text` and `utterance_id` ().

    Args:
        dataset_dir: the folder, with `dev-clean/84/121123/84_121123_000007_000001.wav` and its like, and
            `84_121123.trans.tsv` beside.
        usage: "dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360",
            "train-other-500" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.LibriTTSDataset (2.10).
    """

    columns = ("original_text", "normalized_text", "speaker_id", "chapter_id", "utterance_id")
    usages = (*SUBSETS, "all")
    rate = 24000
    rate_dtype = np.uint32

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        is_any = False
        for subset in SUBSETS if self.usage == "all" else (self.usage,):
            for path in sorted((self.dataset_dir / subset).glob("*/*/*.trans.tsv")):
                for line in _lines(path, "transcript"):
                    cells = line.split("\t")
                    numbers = cells[0].split("_")
                    if len(cells) != 3 or len(numbers) != 4 or not all(map(str.isdecimal, numbers[:2])):
                        raise pipeline_error(f"Invalid file, a line of {path} is not a transcript: {line!r}.")
                    is_any = True
                    speaker, chapter = np.uint32(numbers[0]), np.uint32(numbers[1])
                    yield path.with_name(f"{cells[0]}.wav"), (cells[1], cells[2], speaker, chapter, cells[0])
        if not is_any:
            raise pipeline_error(
                f"Invalid data, no valid data matching the dataset API LibriTTSDataset. Please check dataset API or "
                f"file path: {self.dataset_dir}."
            )


class TedliumDataset(RecordingsDataset):
    """TED-LIUM.

    Columns: float32 `waveform` (1, n), int32 `sample_rate` (), strings `transcript`, `talk_id`, `speaker_id`,
    `identifier` ().

    Samples are divided by 32768; MindSpore 2.10 returns zeros for all of them.

    Args:
        dataset_dir: the folder, with `train/sph` and `train/stm` and their like (release3: `data/sph`, `data/stm`).
        release: "release1", "release2" or "release3".
        usage: "train", "test", "dev" or "all"; None is "all", which is all that release3 has.
        extensions: only ".sph" and None.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.TedliumDataset (2.10).
    """

    columns = ("transcript", "talk_id", "speaker_id", "identifier")

    def __init__(
        self,
        dataset_dir: StrPath,
        release: str,
        usage: str | None = None,
        extensions: str | None = None,
        **common: Unpack[IndexedArguments],
    ) -> None:
        usages = ("all",) if release == "release3" else ("train", "test", "dev", "all")
        super().__init__(dataset_dir, **common)
        self.release = check_choice(release, "release", ("release1", "release2", "release3"))
        self.usage = "all" if usage is None else check_choice(usage, "usage", usages)
        self.extensions = ".sph" if extensions is None else extensions

    @cached_property
    def _spans(self) -> list[tuple[float, float]]:
        """Begin and end of each recording within its talk, in seconds."""
        return [each[1][-1] for each in self._utterances]

    @cached_property
    def _utterances(self) -> list[tuple[Path, tuple[Any, ...]]]:
        return list(self._read_talks())

    def _recordings(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        return ((path, values[:-1]) for path, values in self._utterances)

    def _recording(self, index: int) -> tuple[np.ndarray, int]:
        return read_sphere(self._found[index][0], *self._spans[index])

    def _read_talks(self) -> Iterator[tuple[Path, tuple[Any, ...]]]:
        if self.extensions != ".sph":
            raise pipeline_error(f"TedliumNode: extension {self.extensions} is not supported.")
        parts = ("train", "test", "dev") if self.usage == "all" else (self.usage,)
        for part in ("data",) if self.release == "release3" else parts:
            folder = self.dataset_dir / part / "stm"
            if not folder.is_dir():
                raise pipeline_error(f"Invalid file, failed to open folder: {folder}")
            for path in sorted(folder.glob("*.stm")):
                for line in _lines(path, "stm"):
                    yield folder.with_name("sph") / f"{path.stem}.sph", _utterance(line, path)


def _utterance(line: str, path: Path) -> tuple[Any, ...]:
    """Split a line: talk, channel, speaker, begin, end, identifier, words."""
    try:
        talk, _, speaker, begin, end, identifier, words = line.split(" ", 6)
        return words, talk, speaker, identifier, (float(begin), float(end))
    except ValueError as error:
        raise pipeline_error(f"Invalid file, a line of {path} is not an utterance: {line!r}.") from error


def read_sphere(path: Path, begin_s: float, end_s: float) -> tuple[np.ndarray, int]:
    """Read a stretch of a NIST SPHERE file of 16-bit samples.

    Returns:
        float32 (1, samples) in [-1, 1), channels alternating; and the sampling rate.

    Raises:
        RuntimeError: the file is missing, damaged, or of another form, or shorter than the stretch.
    """
    try:
        with open_file(path) as file:
            head = file.read(MIN_HEAD_BYTES)
            if not head.startswith(SPHERE):
                raise ValueError("it does not begin as a SPHERE file does")
            length = int(head[len(SPHERE) :])
            if not MIN_HEAD_BYTES <= length <= MAX_HEAD_BYTES:
                raise ValueError(f"its head should have {length} bytes")
            fields = _fields(file.read(length - MIN_HEAD_BYTES).decode("ascii"))
            rate, channels = int(fields["sample_rate"]), int(fields.get("channel_count", "1"))
            form = (fields.get("sample_n_bytes", "2"), fields.get("sample_coding", "pcm"))
            if form != ("2", "pcm") or rate < 1 or channels < 1:
                raise ValueError(f"it has samples of {form[0]} bytes, {form[1]}; 2 bytes of pcm can be read")
            first, last = int(rate * begin_s), int(rate * end_s)
            size = os.fstat(file.fileno()).st_size
            if not 0 <= first <= last or length + last * channels * 2 > size:
                raise ValueError(f"it has no samples {first} to {last}")
            file.seek(length + first * channels * 2)
            order = ">i2" if fields.get("sample_byte_format") == "10" else "<i2"
            samples = np.frombuffer(file.read((last - first) * channels * 2), order)
    except (OSError, ValueError, KeyError, OverflowError) as error:
        raise pipeline_error(f"Invalid data, {path} cannot be read as a SPHERE file ({error}).") from error
    return (samples.astype(np.float32) / np.float32(FULL_SCALE))[None], rate


def _fields(text: str) -> dict[str, str]:
    lines = (line.split(None, 2) for line in text.partition("end_head")[0].split("\n"))
    return {parts[0]: parts[2].strip() for parts in lines if len(parts) == 3}
