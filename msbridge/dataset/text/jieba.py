"""JiebaTokenizer: Chinese words."""

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.text import chinese
from msbridge.dataset.text.base import SINGLE, Spans, Tokenizer, locate_tokens
from msbridge.dataset.text.enums import JiebaMode

__all__ = ["JiebaTokenizer"]

USER_WORD = re.compile(r"\s*([^\s*]+?)\s*([0-9]+)?\s*")


class JiebaTokenizer(Tokenizer):
    """Cut a Chinese string into words, by the dictionary and the model of characters of the Jieba project.

    Args:
        hmm_path: the file of the model (`hmm_model.utf8`).
        mp_path: the file of the dictionary (`jieba.dict.utf8`).
        mode: by the dictionary (MP), by the model (HMM), or what the dictionary leaves single by the model (MIX).
        with_offsets: also return where each token starts and ends, in bytes: one column becomes three.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a path is None, or there is no such file.

    Follows: mindspore.dataset.text.JiebaTokenizer (2.10).
    """

    def __init__(
        self, hmm_path: str, mp_path: str, mode: JiebaMode = JiebaMode.MIX, with_offsets: bool = False
    ) -> None:
        for name, path in (("hmm_path", hmm_path), ("mp_path", mp_path)):
            if path is None:
                raise ValueError(f"{name} is not provided.")
            require_type(path, name, str)
        super().__init__(with_offsets)
        self.mode = require_type(mode, "mode", JiebaMode)
        for path in (hmm_path, mp_path):
            if not Path(path).exists():
                raise ValueError(f"jieba mode file {path} does not exist.")
        self.hmm_path, self.mp_path = hmm_path, mp_path
        self.words: list[tuple[str, int]] = []

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Add a word to the dictionary.

        Args:
            word: the word.
            freq: its frequency; None or 0 means the middle one of the dictionary.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `word` is None, or `freq` is out of range.

        Follows: mindspore.dataset.text.JiebaTokenizer.add_word (2.10).
        """
        if word is None:
            raise ValueError("word is not provided.")
        number = 0 if freq is None else int_within(freq, "freq", 0, 2**32 - 1)
        self.words.append((require_type(word, "word", str), number))
        vars(self).pop("_dictionary", None)

    def add_dict(self, user_dict: str | dict[str, int]) -> None:
        """Add the words of a dict, or of a file with a word and perhaps its frequency on each line.

        Raises:
            TypeError: `user_dict` is neither a dict nor a path.
            ValueError: there is no such file.

        Follows: mindspore.dataset.text.JiebaTokenizer.add_dict (2.10).
        """
        if isinstance(user_dict, dict):
            for word, freq in user_dict.items():
                self.add_word(word, freq)
            return
        path = Path(require_type(user_dict, "user_dict", (str, dict)))
        if not path.exists():
            raise ValueError(f"user dict file {user_dict} does not exist.")
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if match := USER_WORD.fullmatch(line.strip()):
                    self.add_word(match[1], int(match[2] or 0))

    def tokens(self, text: str) -> list[str]:
        words: list[str] = []
        for part in chinese.parts(text):
            if self.mode == JiebaMode.MP:
                words += self._dictionary.cut(part)
            elif self.mode == JiebaMode.HMM:
                words += self._model.cut(part)
            else:
                words += chinese.cut_mixed(self._dictionary, self._model, part)
        return words

    def spans(self, text: str) -> Spans:
        return locate_tokens(self.tokens(text), text)

    def transform_value(self, value: Any) -> Any:
        if value.ndim or value.dtype.kind != "U":
            raise self.input_error(SINGLE, value)
        if self.with_offsets and not value.item():  # MindSpore returns an empty token, and no offsets
            return np.array([""]), np.empty(0, np.uint32), np.empty(0, np.uint32)
        return super().transform_value(value)

    @cached_property
    def _dictionary(self) -> chinese.Dictionary:
        known = chinese.dictionary(self.mp_path, Path(self.mp_path).stat().st_mtime_ns)
        return known.with_words(self.words) if self.words else known

    @cached_property
    def _model(self) -> chinese.CharacterModel:
        return chinese.character_model(self.hmm_path, Path(self.hmm_path).stat().st_mtime_ns)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_dictionary", "_model")}
