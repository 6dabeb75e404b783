"""Transforms of sequences of tokens: AddToken, Ngram, SlidingWindow, Truncate, TruncateSequencePair."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.text.base import TextTransform, as_tensor
from msbridge.dataset.transforms.base import TensorOperation

__all__ = ["AddToken", "Ngram", "SlidingWindow", "Truncate", "TruncateSequencePair"]


class AddToken(TextTransform):
    """Put a token in front of a sequence, or at its end; of a matrix, of each row.

    Args:
        token: what to add.
        begin: in front, or at the end.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.text.AddToken (2.10).
    """

    def __init__(self, token: str, begin: bool = True) -> None:
        self.token, self.begin = require_type(token, "token", str), require_type(begin, "begin", bool)

    def transform_value(self, value: Any) -> np.ndarray:
        if not self.token:
            raise RuntimeError("AddToken: token should not be empty.")
        if value.dtype.kind != "U" or value.ndim not in (1, 2):
            raise self.input_error("the input should be strings in one or two dimensions", value)
        added = np.full((*value.shape[:-1], 1), self.token)
        return np.concatenate((added, value) if self.begin else (value, added), axis=-1)


class Truncate(TextTransform):
    """Cut a sequence to a length; of a matrix, each row.

    Args:
        max_seq_len: the length, at least 1.

    Raises:
        TypeError: `max_seq_len` is not an int.
        ValueError: it is not positive, or too large.

    Follows: mindspore.dataset.text.Truncate (2.10).
    """

    def __init__(self, max_seq_len: int) -> None:
        self.max_seq_len = int_within(max_seq_len, "max_seq_len")

    def transform_value(self, value: Any) -> np.ndarray:
        if value.ndim not in (1, 2) or value.dtype.kind == "S":
            raise self.input_error("the input should be numbers or strings in one or two dimensions", value)
        return shorten(value[..., : self.max_seq_len])


class TruncateSequencePair(TensorOperation):
    """Cut two sequences to a common length: the longer one is cut; if none is longer, the second.

    Args:
        max_length: of both together.

    Follows: mindspore.dataset.text.TruncateSequencePair (2.10).
    """

    def __init__(self, max_length: int) -> None:
        self.max_length = max_length

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, ...]:
        """Cut a pair.

        Args:
            inputs: two arrays of one dimension.

        Returns:
            The two arrays, cut.

        Raises:
            TypeError: `max_length` is not an int.
            RuntimeError: there are not two inputs, one is not of one dimension, or `max_length` is negative.
        """
        if not isinstance(self.max_length, int):
            raise TypeError(f"TruncateSequencePair: max_length must be an int, got {self.max_length!r}.")
        if self.max_length < 0:
            raise RuntimeError(f"TruncateSequencePair: max_length must be at least 0, got {self.max_length}.")
        arrays = [as_tensor(value) for value in inputs]
        if len(arrays) != 2:
            raise RuntimeError(f"TruncateSequencePair: Expected two inputs, but got {len(arrays)}.")
        for array in arrays:
            if array.ndim != 1:
                raise RuntimeError(f"TruncateSequencePair: both inputs should have one dimension, got {array.shape}.")
        first, second = map(len, arrays)
        over = max(0, first + second - self.max_length)
        level = min(over, abs(first - second))  # the longer one is cut down to the other, then both in turns
        cut = (over - level) // 2
        odd = over - level - 2 * cut
        cuts = (cut + level, cut + odd) if first > second else (cut, cut + level + odd)
        return tuple(shorten(array[: len(array) - cut]) for array, cut in zip(arrays, cuts, strict=True))


class SlidingWindow(TextTransform):
    """Cut a sequence into all windows of a width: the rows of a matrix.

    Args:
        width: of a window.
        axis: 0 or -1.

    Raises:
        TypeError: an argument is not an int.
        ValueError: `width` is not positive.

    Follows: mindspore.dataset.text.SlidingWindow (2.10).
    """

    def __init__(self, width: int, axis: int = 0) -> None:
        self.width, self.axis = int_within(width, "width"), require_type(axis, "axis", int)

    def transform_value(self, value: Any) -> np.ndarray:
        if self.axis not in (0, -1):
            raise RuntimeError(f"SlidingWindow: axis must be 0 or -1, got {self.axis}.")
        if value.ndim != 1:
            raise self.input_error("the input should have one dimension", value)
        if self.width > len(value):
            return np.empty(0, value.dtype)
        return np.lib.stride_tricks.sliding_window_view(value, self.width).copy()


class Ngram(TextTransform):
    """Join neighbours to n-grams.

    Args:
        n: how many words, or a list of such numbers; the n-grams of each follow one another.
        left_pad: a token and how many of it are put in front (at most n - 1).
        right_pad: a token and how many of it are put at the end (at most n - 1).
        separator: what is between the words of an n-gram.

    Raises:
        TypeError: a number or `separator` is of another type.
        ValueError: `n` holds no positive ints, or a pad is not a string with a width of at least 0.

    Follows: mindspore.dataset.text.Ngram (2.10).
    """

    def __init__(
        self,
        n: int | list[int],
        left_pad: tuple[str, int] = ("", 0),
        right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ) -> None:
        ngrams = [n] if isinstance(n, int) else n
        if not isinstance(ngrams, list) or not ngrams:
            raise ValueError(f"n needs to be a non-empty list of positive integers, got {n!r}.")
        for position, gram in enumerate(ngrams):
            if require_type(gram, f"gram[{position}]", int) <= 0:
                raise ValueError(f"Input gram_{position} must be greater than 0, got {gram}.")
        self.ngrams = ngrams
        self.left_pad, self.right_pad = _pad(left_pad, "left_pad"), _pad(right_pad, "right_pad")
        self.separator = require_type(separator, "separator", str)

    def transform_value(self, value: Any) -> np.ndarray:
        if value.ndim != 1 or value.dtype.kind != "U":
            raise self.input_error("the input should be strings in one dimension", value)
        words, joined = value.tolist(), []
        for n in self.ngrams:
            before, after = ([token] * min(width, n - 1) for token, width in (self.left_pad, self.right_pad))
            padded = [*before, *words, *after]
            grams = [self.separator.join(padded[start : start + n]) for start in range(len(padded) - n + 1)]
            joined += grams or [""]
        return np.array(joined)


def _pad(value: Any, name: str) -> tuple[str, int]:
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int)):
        raise ValueError(f"{name} needs to be a tuple of (str, int): the token and how often, got {value!r}.")
    if value[1] < 0:
        raise ValueError(f"{name}: the padding width must be at least 0, got {value[1]}.")
    return value


def shorten(part: np.ndarray) -> np.ndarray:
    """Return a part of an array as an array of its own; strings get the width of the longest that is left."""
    return np.array(part.tolist(), "U").reshape(part.shape) if part.dtype.kind == "U" else part.copy()
