"""Vocab: which number represents which token."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, PIPELINES, require_type, within
from msbridge.dataset.text.base import strings_of
from msbridge.dataset.text.byte_strings import to_str

__all__ = ["Vocab"]

UNLIMITED = 2**63 - 1


class Vocab:
    """Tokens and their numbers, made by one of the class methods.

    Follows: mindspore.dataset.text.Vocab (2.10).
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] | None = None
        self._tokens: dict[int, str] = {}

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: str | list[str] | None = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> "Vocab":
        """Count the tokens of a dataset and number them, the most frequent ones first, equally frequent ones in order.

        Args:
            dataset: its columns hold strings, one or many to a row.
            columns: which columns; None is all of them.
            freq_range: the least and the greatest number of occurrences; None leaves an end open.
            top_k: how many tokens at most, after `freq_range`; None takes all.
            special_tokens: tokens that get numbers of their own.
            special_first: whether those come first.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `freq_range` is not a range, `top_k` is not positive, or a special token is listed twice.
            RuntimeError: a column does not exist or does not hold strings, or a special token is among the words.

        Follows: mindspore.dataset.text.Vocab.from_dataset (2.10).
        """
        if columns is not None and not isinstance(columns, list):
            columns = [require_type(columns, "col", str)]
        least, most = _frequencies(freq_range)
        if require_type(top_k, "top_k", (int, type(None))) is not None:
            PIPELINES.above(top_k, "top_k")
        require_type(special_first, "special_first", bool)
        special = _distinct(special_tokens, "special_tokens")
        counts = _count_words(dataset, columns)
        if taken := [token for token in special if token in counts]:
            raise RuntimeError(f"Invalid special words, these special words are already in the vocab: {taken}.")
        words = sorted(
            (word for word, count in counts.items() if least <= count <= most),
            key=lambda word: (-counts[word], word.encode()),
        )
        return cls._of(_join_words(words[:top_k], special, special_first))

    @classmethod
    def from_list(
        cls, word_list: list[str], special_tokens: list[str] | None = None, special_first: bool = True
    ) -> "Vocab":
        """Number the words of a list in their order.

        Args:
            word_list: distinct words.
            special_tokens: tokens that get numbers of their own.
            special_first: whether those come first.

        Raises:
            TypeError: an argument is of another type.
            ValueError: a word occurs twice.

        Follows: mindspore.dataset.text.Vocab.from_list (2.10).
        """
        words = _distinct(require_type(word_list, "word_list", list), "word_list")
        special = _distinct(special_tokens, "special_tokens")
        if shared := set(words) & set(special):
            raise ValueError(f"special_tokens and word_list contain duplicate word: {shared}.")
        return cls._of(_join_words(words, special, require_type(special_first, "special_first", bool)))

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> "Vocab":
        """Number the words of a file in their order.

        Args:
            file_path: a text file with a word per line.
            delimiter: each of its characters ends the word; what follows is not read. Empty: the whole line is one.
            vocab_size: how many words at most; None takes all.
            special_tokens: tokens that get numbers of their own.
            special_first: whether those come first.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `vocab_size` is not positive, or a special token is listed twice.
            RuntimeError: there is no such file, or a word occurs twice.

        Follows: mindspore.dataset.text.Vocab.from_file (2.10).
        """
        special = _distinct(special_tokens, "special_tokens")
        require_type(file_path, "file_path", str)
        require_type(delimiter, "delimiter", str)
        if vocab_size is not None:
            PIPELINES.above(vocab_size, "vocab_size")
            if not isinstance(vocab_size, int):
                raise TypeError(f"vocab_size must be an int, got {vocab_size!r}.")
        require_type(special_first, "special_first", bool)
        try:
            lines = Path(file_path).read_bytes().decode("utf-8").split("\n")
        except OSError as error:
            raise RuntimeError(f"from_file: cannot read {file_path}: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise RuntimeError(f"from_file: {file_path} is not a string file in UTF-8: {error}.") from error
        if not lines[-1]:
            lines.pop()
        if delimiter:
            lines = [re.split(f"[{re.escape(delimiter)}]", line, maxsplit=1)[0] for line in lines]
        words = lines[:vocab_size]
        counts = Counter(words)
        for word in chain((word for word in words if counts[word] > 1), (word for word in special if word in counts)):
            raise RuntimeError(f"from_file: word_list and special_tokens contain duplicate word: {word!r}.")
        return cls._of(_join_words(words, special, special_first))

    @classmethod
    def from_dict(cls, word_dict: Mapping[str, int]) -> "Vocab":
        """Take words with their numbers.

        Args:
            word_dict: words and numbers in [0, 2**31 - 1].

        Raises:
            TypeError: `word_dict` is not a dict, a word is not a string or a number no int.
            ValueError: a number is out of range.

        Follows: mindspore.dataset.text.Vocab.from_dict (2.10).
        """
        for word, number in require_type(word_dict, "word_dict", dict).items():
            require_type(word, "word", str)
            within(require_type(number, "word_id", int), "word_id", 0, INT32_MAX)
        return cls._of(dict(word_dict))

    @classmethod
    def _of(cls, ids: dict[str, int]) -> "Vocab":
        made = cls()
        made._ids, made._tokens = ids, {number: word for word, number in ids.items()}
        return made

    @property
    def is_built(self) -> bool:
        """Whether one of the class methods made it."""
        return self._ids is not None

    def ids(self) -> dict[str, int]:
        """Return the numbers of the tokens, to be read only.

        Raises:
            RuntimeError: the vocabulary was not made by one of the class methods.
        """
        if self._ids is None:
            raise RuntimeError(
                "The Vocab has not been built yet. Use Vocab.from_dataset(), Vocab.from_list(), Vocab.from_file() or "
                "Vocab.from_dict() to build a Vocab."
            )
        return self._ids

    def vocab(self) -> dict[str, int]:
        """Return the tokens with their numbers.

        Raises:
            RuntimeError: the vocabulary was not made by one of the class methods.

        Follows: mindspore.dataset.text.Vocab.vocab (2.10).
        """
        return dict(self.ids())

    def tokens_to_ids(self, tokens: str | Sequence[str] | np.ndarray) -> int | list[int]:
        """Return the number of a token, or those of several; -1 means an unknown one.

        Raises:
            TypeError: `tokens` is neither a string, nor a list or an array of strings.
            RuntimeError: the vocabulary was not made by one of the class methods.

        Follows: mindspore.dataset.text.Vocab.tokens_to_ids (2.10).
        """
        listed = require_type(tokens, "tokens", (str, list, np.ndarray))
        ids = self.ids()
        if isinstance(listed, np.ndarray):
            listed = (to_str(listed) if listed.dtype.kind == "S" else listed).tolist()
        listed = [listed] if isinstance(listed, str) else require_type(listed, "tokens", list)
        for position, token in enumerate(listed):
            require_type(token, f"tokens[{position}]", str)
        found = [ids.get(token, -1) for token in listed]
        return found[0] if len(found) == 1 else found

    def ids_to_tokens(self, ids: int | Sequence[int] | np.ndarray) -> str | list[str]:
        """Return the token of a number, or those of several; an empty string means an unknown one.

        Raises:
            TypeError: `ids` is neither an int, nor a list or an array of ints.
            ValueError: a number is negative or too large.
            RuntimeError: the vocabulary was not made by one of the class methods.

        Follows: mindspore.dataset.text.Vocab.ids_to_tokens (2.10).
        """
        self.ids()
        listed = require_type(ids, "ids", (int, list, np.ndarray))
        if isinstance(listed, np.ndarray):
            if listed.dtype.kind not in "iu" or listed.ndim > 1:
                raise TypeError(f"ids must be ints, got an array of {listed.dtype} with shape {listed.shape}.")
            listed = listed.reshape(-1).tolist()
        else:
            listed = [listed] if isinstance(listed, int) else listed
            for position, number in enumerate(listed):
                within(require_type(number, f"ids[{position}]", (int, np.int_)), f"ids[{position}]", 0, INT32_MAX)
        found = [self._tokens.get(int(number), "") for number in listed]
        return found[0] if len(found) == 1 else found


def _join_words(words: list[str], special: list[str], special_first: bool) -> dict[str, int]:
    return {word: number for number, word in enumerate(special + words if special_first else words + special)}


def _distinct(words: list[str] | None, name: str) -> list[str]:
    if words is None:
        return []
    seen: set[str] = set()
    for word in require_type(words, name, list):
        if require_type(word, name, str) in seen:
            raise ValueError(f"{name} contains duplicate word: {word}.")
        seen.add(word)
    return list(words)


def _frequencies(freq_range: Any) -> tuple[int, int]:
    if freq_range is None:
        return 0, UNLIMITED
    if len(require_type(freq_range, "freq_range", tuple)) != 2:
        raise ValueError(f"freq_range needs to be a tuple of 2 elements, got {freq_range!r}.")
    for end in freq_range:
        if end is not None and not isinstance(end, int):
            raise ValueError(f"freq_range needs to be two ints, or None in place of one, got {freq_range!r}.")
    least, most = (0 if freq_range[0] is None else freq_range[0], UNLIMITED if freq_range[1] is None else freq_range[1])
    if not 0 <= least <= most:
        kind = RuntimeError if None in freq_range else ValueError
        raise kind(f"frequency range [a, b] should be 0 <= a <= b (both are included), got {freq_range!r}.")
    return least, most


def _count_words(dataset: Any, columns: list[str] | None) -> Counter[str]:
    """Count the strings of a dataset's columns."""
    if not hasattr(dataset, "create_dict_iterator"):
        raise AttributeError(f"dataset must be a dataset, got {type(dataset)}.")
    names = dataset.get_col_names()
    for name in columns or ():
        if name not in names:
            raise RuntimeError(f"Invalid column name, column name: {name!r} does not exist; the columns are {names}.")
    if columns and len(set(columns)) != len(columns):
        raise RuntimeError(f"'columns': duplicate column names are not allowed: {columns}.")
    counts: Counter[str] = Counter()
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        for name in columns or names:
            counts.update(strings_of(row[name], name))
    return counts
