"""WordpieceTokenizer: words to the longest pieces that a vocabulary has."""

from itertools import accumulate, chain
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.text.base import TextTransform, byte_length, three_arrays
from msbridge.dataset.text.vocab import Vocab

__all__ = ["WordpieceTokenizer"]

MAX_CACHE_SIZE = 100_000


class WordpieceTokenizer(TextTransform):
    """Cut words into the longest pieces that the vocabulary has, from left to right.

    Args:
        vocab: the pieces.
        suffix_indicator: what pieces begin with that are not the first one of a word.
        max_bytes_per_token: longer words are unknown.
        unknown_token: represents words that cannot be cut; an empty string leaves them as they are.
        with_offsets: also return where each piece starts and ends in its word, in bytes: one column becomes three.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `vocab` is None, or `max_bytes_per_token` is out of range.

    Follows: mindspore.dataset.text.WordpieceTokenizer (2.10).
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:
        self.pieces = Pieces(vocab, suffix_indicator, max_bytes_per_token, unknown_token)
        self.with_offsets = require_type(with_offsets, "with_offsets", bool)
        self.deferrable = not with_offsets

    def transform_value(self, value: Any) -> Any:
        if value.ndim > 1 or value.dtype.kind != "U":
            raise self.input_error("the input should be a string, or strings in one dimension", value)
        words = [word for word in value.reshape(-1).tolist() if word]
        if self.with_offsets:
            return three_arrays(*self.pieces.locate(words, [0] * len(words)))
        return np.array(self.pieces.of(words) or [""])


class Pieces(dict[str, list[str]]):
    """The pieces of each word that occurred, kept for the next time."""

    def __init__(self, vocab: Any, suffix_indicator: Any, max_bytes_per_token: Any, unknown_token: Any) -> None:
        super().__init__()
        if vocab is None:
            raise ValueError("vocab is not provided.")
        self.vocab = require_type(vocab, "vocab", Vocab)
        self.suffix = require_type(suffix_indicator, "suffix_indicator", str)
        self.unknown = require_type(unknown_token, "unknown_token", str)
        self.limit = int_within(max_bytes_per_token, "max_bytes_per_token", 0, 2**32 - 1)

    def of(self, words: list[str]) -> list[str]:
        """Return the pieces of words, in sequence."""
        return list(chain.from_iterable(map(self.__getitem__, words)))

    def __missing__(self, word: str) -> list[str]:
        if len(self) >= MAX_CACHE_SIZE:
            self.clear()
        pieces = self[word] = self._cut(word)[0]
        return pieces

    def locate(self, words: list[str], places: list[int]) -> tuple[list[str], list[int], list[int]]:
        """Return the pieces of words that begin at `places`, and where each starts and ends, in bytes.

        Of an unknown word the offsets of the pieces that were found stay beside those of the whole.
        """
        tokens: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for word, place in zip(words, places, strict=True):
            pieces, found = self._cut(word)
            tokens += pieces
            starts += [place + start for start, _ in found]
            ends += [place + end for _, end in found]
        return tokens, starts, ends

    def _cut(self, word: str) -> tuple[list[str], list[tuple[int, int]]]:
        """Cut a word: the pieces, and the offsets."""
        ids = self.vocab.ids()
        size = byte_length(word)
        if size > self.limit:
            return self._whole(word), [(0, byte_length(self.unknown) if self.unknown else size)]
        pieces: list[str] = []
        place = [0, *accumulate(map(byte_length, word))]
        offsets: list[tuple[int, int]] = []
        start = 0
        while start < len(word):
            prefix = self.suffix if start else ""
            for end in range(len(word), start, -1):
                if (piece := prefix + word[start:end]) in ids:
                    break
            else:
                return self._whole(word), [*offsets, (0, size)]
            pieces.append(piece)
            offsets.append((place[start], place[end]))
            start = end
        return pieces, offsets

    def _whole(self, word: str) -> list[str]:
        return [self.unknown or word]
