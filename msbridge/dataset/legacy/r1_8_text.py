"""Texts as 1.8 has them: bytes in UTF-8, which end at the first zero."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.text import base, sentence_piece, vocab
from msbridge.dataset.text.token_sequences import TruncateSequencePair


def _decode(array: np.ndarray) -> np.ndarray:
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def _as_tensor(value: Any) -> np.ndarray:
    """Return an eager call's input as an array; bytes are strings, which end at the first zero."""
    array = _decode(_today_as_tensor(value))
    if array.dtype.kind != "U":
        return array
    return np.array([text.partition("\0")[0] for text in array.reshape(-1).tolist()], "U").reshape(array.shape)


def _strings_of(values: np.ndarray, name: str) -> list[str]:
    """Return the strings of a column's row, which a pipeline has as bytes."""
    return _today_strings_of(_decode(values), name)


def _call(today: Callable[..., Any]) -> Callable[..., Any]:
    """Call a transform eagerly; an array of no strings is one of no numbers."""

    def call(self: Any, *inputs: Any) -> Any:
        results = today(self, *inputs)
        return tuple(map(_plain, results)) if isinstance(results, tuple) else _plain(results)

    return call


def _plain(result: Any) -> Any:
    return np.array([]) if isinstance(result, np.ndarray) and result.dtype.kind == "U" and not result.size else result


_today_as_tensor, _today_strings_of = base.as_tensor, base.strings_of
OVERRIDES = {
    "dataset.text.Vocab.from_dataset": [
        Part(base, "as_tensor", _as_tensor),
        Part(base.TextTransform, "__call__", _call(base.TextTransform.__call__)),
        Part(TruncateSequencePair, "__call__", _call(TruncateSequencePair.__call__)),
        Part(sentence_piece, "strings_of", _strings_of),
        Part(vocab, "strings_of", _strings_of),
    ],
}
