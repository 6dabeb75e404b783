"""The base of transforms of text: strings in, strings or tokens (with their offsets in bytes) out."""

from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.transforms.base import Rows, Transform

Spans = tuple[list[str], Sequence[int], Sequence[int]]
SINGLE = "the input should be a single string"


class TextTransform(Transform):
    """A transform of strings; an eager call takes no empty array."""

    def __call__(self, *inputs: Any) -> Any:
        """Transform a value outside of a pipeline.

        Args:
            inputs: a string, or an array.

        Returns:
            An ndarray, or a tuple of three where the transform returns offsets.

        Raises:
            TypeError: the input cannot be an array of strings or numbers.
            RuntimeError: it is empty, or none that the transform takes.
        """
        value = self.check_inputs(*inputs)
        if not value.size:
            raise RuntimeError(f"{type(self).__name__}: Input Tensor has no data.")
        return self.transform_value(value)

    def check_inputs(self, *inputs: Any) -> np.ndarray:
        return as_tensor(super().check_inputs(*inputs))

    def input_error(self, wanted: str, value: np.ndarray) -> RuntimeError:
        """Return the error for an input that the transform does not take."""
        return RuntimeError(
            f"{type(self).__name__}: {wanted}, but got an array of {value.dtype} with shape {value.shape}."
        )


class StringTransform(TextTransform):
    """A transform of each string of an array."""

    def change(self, text: str) -> str:
        """Transform one string."""
        raise NotImplementedError

    def transform_value(self, value: Any) -> np.ndarray:
        if value.dtype.kind != "U":
            raise self.input_error("the input should be strings", value)
        return np.array([self.change(text) for text in value.reshape(-1).tolist()], "U").reshape(value.shape)

    def stack(self, rows: np.ndarray) -> Rows | None:
        if rows.dtype.kind != "U" or rows.ndim > 1:
            return None
        return [np.array(self.change(text)) for text in rows.tolist()]


class Tokenizer(TextTransform):
    """A transform of one string into its tokens; with offsets, into three arrays: tokens, their starts, their ends."""

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = require_type(with_offsets, "with_offsets", bool)
        self.deferrable = not with_offsets

    def tokens(self, text: str) -> list[str]:
        """Return the tokens."""
        raise NotImplementedError

    def spans(self, text: str) -> Spans:
        """Return the tokens, and where each starts and ends, in bytes of UTF-8."""
        return locate_tokens(self.tokens(text), text)

    def transform_value(self, value: Any) -> Any:
        if value.ndim or value.dtype.kind != "U":
            raise self.input_error(SINGLE, value)
        text = value.item()
        if self.with_offsets:
            return three_arrays(*self.spans(text))
        return self.array(text)

    def array(self, text: str) -> np.ndarray:
        """Return the tokens as an array; no token counts as an empty one."""
        return np.array(self.tokens(text) or [""])

    def stack(self, rows: np.ndarray) -> Rows | None:
        if rows.ndim != 1 or rows.dtype.kind != "U" or self.with_offsets:
            return None
        return list(map(self.array, rows.tolist()))


def as_tensor(value: Any) -> np.ndarray:
    """Return an eager call's input as an array.

    Raises:
        TypeError: it cannot be one of numbers or strings.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biufUS":
        raise TypeError(f"Invalid user input. Got {type(value)}: {value!r}, which cannot be a tensor.")
    return array


def strings_of(values: np.ndarray, name: str) -> list[str]:
    """Return the strings of a column's row.

    Raises:
        RuntimeError: it has none.
    """
    if values.dtype.kind != "U":
        raise RuntimeError(f"Invalid datatype, column {name!r} must hold strings, but got: {values.dtype}.")
    strings: list[str] = values.reshape(-1).tolist()
    return strings


def three_arrays(tokens: list[str], starts: Sequence[int], ends: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Return tokens and offsets as arrays; no token counts as an empty one."""
    if not tokens:
        tokens, starts, ends = [""], [0], [0]
    return np.array(tokens), np.array(starts, np.uint32), np.array(ends, np.uint32)


def locate_tokens(tokens: list[str], text: str) -> Spans:
    """Find tokens that are in `text` in this order, with nothing between them that could be mistaken for one."""
    starts, position = [], 0
    for token in tokens:
        position = text.index(token, position)
        starts.append(position)
        position += len(token)
    return in_bytes(tokens, starts, text)


def in_bytes(tokens: list[str], starts: list[int], text: str) -> Spans:
    """Turn starts counted in characters into starts and ends counted in bytes."""
    if text.isascii():
        return tokens, starts, [start + len(token) for start, token in zip(starts, tokens, strict=True)]
    place = list(chain((0,), accumulate(map(byte_length, text))))
    ends = [place[start + len(token)] for start, token in zip(starts, tokens, strict=True)]
    return tokens, [place[start] for start in starts], ends


def byte_length(text: str) -> int:
    """Count the bytes of `text` in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


class CharacterTable(dict[int, str]):
    """A table for `str.translate` whose entries are computed when a character first occurs."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, code: int) -> str:
        value = self[code] = self.function(chr(code))
        return value
