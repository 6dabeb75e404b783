"""Sentences and their translations, in two files whose lines belong together."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Unpack
from xml.etree import ElementTree

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.blocks import PORTION_ROWS
from msbridge.dataset.engine.dataset import TextBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import LateWorkersArguments, StreamArguments, StrPath
from msbridge.dataset.readers.streamed.lines import cells, open_text, portions, text_lines
from msbridge.dataset.readers.streamed.stream import FolderStreamDataset, Portion
from msbridge.dataset.transforms.base import Rows

__all__ = ["IWSLT2016Dataset", "IWSLT2017Dataset", "Multi30kDataset"]

Pair = tuple[str, str]

PAIRS_2016 = tuple(pair for other in ("ar", "de", "fr", "cs") for pair in (("en", other), (other, "en")))
LANGUAGES_2017 = ("en", "nl", "de", "it", "ro")
PAIRS_2017 = tuple((one, two) for one in LANGUAGES_2017 for two in LANGUAGES_2017 if one != two)
SETS_2016 = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")
# What lines of a training file begin with that are not sentences.
TAGS = (
    *("<url", "<keywords", "<talkid", "<description", "<reviewer", "<translator", "<title", "<speaker"),
    *("<doc", "</doc"),
)


class TranslationDataset(FolderStreamDataset):
    """Base of the readers of translations: strings `text` and `translation`."""

    column_names = ("text", "translation")
    usages = ("train", "test", "valid", "all")
    language_pair: Sequence[str]

    def _other(self, path: Path) -> Path:
        """Return the file with the translations of a file."""
        raise NotImplementedError

    def _pairs(self, path: Path) -> Iterator[Pair]:
        """Yield the sentences of a file with their translations."""
        raise NotImplementedError

    def _count(self, path: Path) -> int:
        return sum(1 for _ in self._pairs(path))

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        pairs = self._pairs(path)
        return portions(iter(lambda: list(islice(pairs, PORTION_ROWS)), []), start, end)

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        return cells(portion, self._names())


def _lines(path: Path) -> Iterator[str]:
    return (line for block in text_lines(path, keeps_blank=True) for line in block)


class Multi30kDataset(TranslationDataset, TextBaseDataset):
    """Descriptions of pictures in English and German: strings `text` and `translation`.

    `get_dataset_size` counts rows, where MindSpore counts the lines of one language.

    Args:
        dataset_dir: the folder, with the folders `training`, `validation` and `mmt16_task1_test`.
        usage: "train", "valid", "test" or "all"; None is "all".
        language_pair: ["en", "de"] or ["de", "en"]; None is the former.
        shuffle: None and True put files and rows in random order.
        num_samples, num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: on reading: a file is missing or no UTF-8.

    Follows: mindspore.dataset.Multi30kDataset (2.10).
    """

    files: ClassVar = {"test": "mmt16_task1_test/test", "train": "training/train", "valid": "validation/val"}

    default_arguments: ClassVar = {"shuffle": None}

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str | None = None,
        language_pair: Sequence[str] | None = None,
        **common: Unpack[StreamArguments],
    ) -> None:
        if language_pair is not None:
            if len(require_type(language_pair, "language_pair", (list, tuple))) != 2:
                raise ValueError(f"language_pair should be a list or tuple of length 2, but got {len(language_pair)}.")
            if sorted(map(str, language_pair)) != ["de", "en"]:
                raise ValueError(f"language_pair can only be ['en', 'de'] or ['de', 'en'], but got {language_pair}.")
        if (shuffle := common.get("shuffle")) is not None:
            require_type(shuffle, "shuffle", bool)
        super().__init__(dataset_dir, usage, **common)
        self.language_pair = language_pair or ("en", "de")

    @cached_property
    def _paths(self) -> list[Path]:
        source = self.language_pair[0]
        return [
            self.dataset_dir / f"{name}.{source}" for part, name in self.files.items() if self.usage in (part, "all")
        ]

    def _other(self, path: Path) -> Path:
        return path.with_suffix(f".{self.language_pair[1]}")

    def _pairs(self, path: Path) -> Iterator[Pair]:
        """Yield as many pairs as the file has lines with text; pairs of two empty lines are left out."""
        pairs = zip(_lines(path), _lines(self._other(path)), strict=False)
        return islice(filter(any, pairs), sum(map(bool, _lines(path))))


class IWSLTDataset(TranslationDataset, TextBaseDataset):
    """Base of the readers of talks: training files with tags, others in XML."""

    def _check_pair(self, language_pair: Any, pairs: tuple[Pair, ...]) -> None:
        if language_pair is None:
            return
        if not isinstance(language_pair, (list, tuple)):
            raise TypeError(f"language_pair should be a type list or tuple of length 2, got {language_pair!r}.")
        if len(language_pair) != 2:
            raise ValueError(f"Input language_pair is a list or tuple of length 2, got {language_pair!r}.")
        for place, language in enumerate(language_pair):
            require_type(language, f"language_pair[{place}]", str)
        if tuple(language_pair) not in pairs:
            raise ValueError(f"Input language_pair {language_pair} is not within the valid set of {list(pairs)}.")

    def _files(self, folder: Path, name: str, sets: dict[str, str]) -> list[Path]:
        """Return the files of the parts that are asked for, in the language that is translated."""
        source, target = self.language_pair
        found = [folder / f"train.tags.{source}-{target}.{source}"] if self.usage in ("train", "all") else []
        return found + [
            folder / f"{name}.TED.{each}.{source}-{target}.{source}.xml"
            for part, each in sets.items()
            if self.usage in (part, "all")
        ]

    def _other(self, path: Path) -> Path:
        source, target = self.language_pair
        is_xml = path.suffix == ".xml"
        stem = path.name.removesuffix(".xml").removesuffix(f".{source}")
        return path.with_name(f"{stem}.{target}{'.xml' if is_xml else ''}")

    def _pairs(self, path: Path) -> Iterator[Pair]:
        other = self._other(path)
        if path.suffix == ".xml":
            return zip(_segments(path), _segments(other), strict=False)
        return _pair_spoken(path, other)


def _pair_spoken(path: Path, other: Path) -> Iterator[Pair]:
    for pair in zip(_lines(path), _lines(other), strict=False):
        if not all(pair):
            raise pipeline_error(f"Invalid file, there is an empty line in {other if pair[0] else path}.")
        text, translation = (line.strip(" ") for line in pair)
        if not text.startswith(TAGS):
            yield text, translation


def _segments(path: Path) -> Iterator[str]:
    try:
        with open_text(path) as file:
            root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise pipeline_error(f"Invalid file, failed to load xml file: {path} ({error}).") from error
    for segment in root.iterfind("./*/doc/seg"):
        yield (segment.text or "").strip(" ")


class IWSLT2016Dataset(IWSLTDataset):
    """Talks of IWSLT 2016: strings `text` and `translation`.

    Nothing is written into the folder, where MindSpore puts files without tags.

    Args:
        dataset_dir: the folder, with `texts/de/en/de-en` and its like.
        usage: "train", "valid", "test" or "all"; None is "all".
        language_pair: the languages, one of which is "en", the other "ar", "cs", "de" or "fr"; None is ("de", "en").
        valid_set: which set is "valid": "dev2010", "tst2010", …, "tst2014"; None is "tst2013".
        test_set: which set is "test"; None is "tst2014".
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: on reading: a file is missing or damaged.

    Follows: mindspore.dataset.IWSLT2016Dataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str | None = None,
        language_pair: Sequence[str] | None = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        **common: Unpack[LateWorkersArguments],
    ) -> None:
        self._check_pair(language_pair, PAIRS_2016)
        for name, value in (("valid_set", valid_set), ("test_set", test_set)):
            if value is not None and require_type(value, name, str) not in SETS_2016:
                raise ValueError(f"Input {name} is not within the valid set of {list(SETS_2016)}, got {value!r}.")
        super().__init__(dataset_dir, usage, **common)
        self.language_pair = language_pair or ("de", "en")
        self.valid_set, self.test_set = valid_set or "tst2013", test_set or "tst2014"

    @cached_property
    def _paths(self) -> list[Path]:
        source, target = self.language_pair
        folder = self.dataset_dir / "texts" / source / target / f"{source}-{target}"
        return self._files(folder, "IWSLT16", {"valid": self.valid_set, "test": self.test_set})


class IWSLT2017Dataset(IWSLTDataset):
    """Talks of IWSLT 2017: strings `text` and `translation`.

    Nothing is written into the folder, where MindSpore puts files without tags.

    Args:
        dataset_dir: the folder, with `texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo`.
        usage: "train", "valid", "test" or "all"; None is "all".
        language_pair: two of "en", "nl", "de", "it", "ro"; None is ("de", "en").
        shuffle: what is put in random order, as in TextFileDataset.
        num_samples, num_shards, shard_id, num_parallel_workers, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or an argument is not allowed.
        RuntimeError: on reading: a file is missing or damaged.

    Follows: mindspore.dataset.IWSLT2017Dataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: StrPath,
        usage: str | None = None,
        language_pair: Sequence[str] | None = None,
        **common: Unpack[LateWorkersArguments],
    ) -> None:
        self._check_pair(language_pair, PAIRS_2017)
        super().__init__(dataset_dir, usage, **common)
        self.language_pair = language_pair or ("de", "en")

    @cached_property
    def _paths(self) -> list[Path]:
        folder = self.dataset_dir / "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
        return self._files(folder, "IWSLT17", {"valid": "dev2010", "test": "tst2010"})
