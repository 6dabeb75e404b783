"""SentencePiece: SentencePieceVocab and SentencePieceTokenizer, by the package sentencepiece."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.text.base import SINGLE, TextTransform, strings_of
from msbridge.dataset.text.enums import SentencePieceModel, SPieceTokenizerOutType
from msbridge.dataset.text.optional_packages import package

__all__ = ["SentencePieceTokenizer", "SentencePieceVocab"]


class SentencePieceVocab:
    """A SentencePiece model, made by one of the class methods.

    Follows: mindspore.dataset.text.SentencePieceVocab (2.10).
    """

    def __init__(self) -> None:
        self.model = b""

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> "SentencePieceVocab":
        """Train a model on the strings of a dataset.

        Args:
            dataset: its columns hold strings.
            col_names: which columns; an empty list is all of them.
            vocab_size: how many pieces.
            character_coverage: the share of characters that get pieces of their own, in [0.98, 1.0].
            model_type: the kind of model.
            params: further settings of SentencePiece's trainer, by their names.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `vocab_size` is out of range.
            RuntimeError: a column does not exist or does not hold strings, or the training failed.
            ImportError: the package sentencepiece is missing.

        Follows: mindspore.dataset.text.SentencePieceVocab.from_dataset (2.10).
        """
        for position, name in enumerate(require_type(col_names, "col_names", list)):
            require_type(name, f"col_names[{position}]", str)
        if not hasattr(dataset, "create_dict_iterator"):
            raise AttributeError(f"dataset must be a dataset, got {type(dataset)}.")
        settings = _settings(vocab_size, character_coverage, model_type, params)
        return cls._train(settings, sentence_iterator=_sentences(dataset, col_names))

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> "SentencePieceVocab":
        """Train a model on text files.

        Args:
            file_path: the files, a sentence per line.
            vocab_size: how many pieces.
            character_coverage: the share of characters that get pieces of their own, in [0.98, 1.0].
            model_type: the kind of model.
            params: further settings of SentencePiece's trainer, by their names.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `vocab_size` is out of range.
            RuntimeError: a file cannot be read, or the training failed.
            ImportError: the package sentencepiece is missing.

        Follows: mindspore.dataset.text.SentencePieceVocab.from_file (2.10).
        """
        for position, path in enumerate(require_type(file_path, "file_path", list)):
            require_type(path, f"file_path[{position}]", str)
        settings = _settings(vocab_size, character_coverage, model_type, params)
        return cls._train(settings, input=list(file_path))

    @classmethod
    def _train(cls, settings: dict[str, Any], **source: Any) -> "SentencePieceVocab":
        trainer = package("sentencepiece", cls.__name__).SentencePieceTrainer
        vocab, file = cls(), io.BytesIO()
        try:
            trainer.train(**source, **settings, model_writer=file, minloglevel=2)
        except (OSError, RuntimeError) as error:
            raise RuntimeError(f"{cls.__name__}: {error}") from error
        vocab.model = file.getvalue()
        return vocab

    @classmethod
    def save_model(cls, vocab: "SentencePieceVocab", path: str, filename: str) -> None:
        """Write a model to a file.

        Args:
            vocab: the model.
            path: an existing folder.
            filename: the name of the file in it.

        Raises:
            TypeError: an argument is of another type.
            RuntimeError: the folder does not exist, or the model was made by no class method.

        Follows: mindspore.dataset.text.SentencePieceVocab.save_model (2.10).
        """
        folder = Path(require_type(path, "path", str))
        require_type(filename, "filename", str)
        if not require_type(vocab, "vocab", SentencePieceVocab).model:
            raise RuntimeError("SentencePieceVocab: the model has not been built; use from_dataset() or from_file().")
        if not folder.is_dir():
            raise RuntimeError(f"SentencePieceVocab: there is no folder {path}.")
        (folder / filename).write_bytes(vocab.model)


class SentencePieceTokenizer(TextTransform):
    """Cut a string into the pieces of a SentencePiece model.

    Args:
        mode: the model, or the path of its file.
        out_type: pieces, or their numbers (int32).

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: the file cannot be read or is not a model (at the first call).
        ImportError: the package sentencepiece is missing (at the first call).

    Follows: mindspore.dataset.text.SentencePieceTokenizer (2.10).
    """

    def __init__(self, mode: str | SentencePieceVocab, out_type: SPieceTokenizerOutType) -> None:
        self.mode = require_type(mode, "mode", (str, SentencePieceVocab))
        self.out_type = require_type(out_type, "out_type", SPieceTokenizerOutType)
        self._processor: Any = None

    def transform_value(self, value: Any) -> np.ndarray:
        if value.ndim or value.dtype.kind != "U":
            raise self.input_error(SINGLE, value)
        if self._processor is None:
            self._processor = self._load_processor()
        if self.out_type == SPieceTokenizerOutType.INT:
            return np.array(self._processor.encode(value.item(), out_type=int), np.int32)
        return np.array(self._processor.encode(value.item(), out_type=str), "U")

    def _load_processor(self) -> Any:
        processor = package("sentencepiece", type(self).__name__).SentencePieceProcessor()
        try:
            model = Path(self.mode).read_bytes() if isinstance(self.mode, str) else self.mode.model
            processor.LoadFromSerializedProto(model)
        except (OSError, RuntimeError) as error:
            raise RuntimeError(f"{type(self).__name__}: the model cannot be loaded: {error}") from error
        return processor

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_processor": None}


def _settings(vocab_size: Any, character_coverage: Any, model_type: Any, params: Any) -> dict[str, Any]:
    if vocab_size is None:
        raise TypeError("vocab_size must be provided.")
    for name, value in require_type(params, "params", dict).items():
        require_type(name, "params", str)
        require_type(value, f"params[{name!r}]", str)
    kind = require_type(model_type, "model_type", SentencePieceModel)
    return {
        **params,
        "vocab_size": int_within(vocab_size, "vocab_size", 0, 2**32 - 1),
        "character_coverage": require_type(character_coverage, "character_coverage", float),
        "model_type": kind.name.lower(),
    }


def _sentences(dataset: Any, names: list[str]) -> Iterator[str]:
    known = dataset.get_col_names()
    for name in names:
        if name not in known:
            raise RuntimeError(f"Invalid column name, column name: {name!r} does not exist; the columns are {known}.")
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        for name in names or known:
            yield from strings_of(row[name], name)
