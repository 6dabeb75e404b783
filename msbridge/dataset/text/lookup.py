"""Lookup: tokens to numbers."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.types.dtype import Type, int32
from msbridge.core.types.dtype import string as string_type
from msbridge.dataset.text.base import TextTransform
from msbridge.dataset.text.vocab import Vocab
from msbridge.dataset.transforms.base import Rows
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["Lookup"]


class Lookup(TextTransform):
    """Replace tokens by their numbers in a vocabulary.

    Args:
        vocab: the vocabulary.
        unknown_token: the token whose number represents all that are not in the vocabulary; None refuses those.
        data_type: of the result.

    Raises:
        TypeError: an argument is of another type, or `vocab` is empty of everything, made by no class method.

    Follows: mindspore.dataset.text.Lookup (2.10).
    """

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Type = int32) -> None:
        if unknown_token is not None:
            require_type(unknown_token, "unknown_token", str)
        if not require_type(vocab, "vocab", Vocab).is_built:
            raise TypeError("vocab has not been built yet; use one of its class methods, such as Vocab.from_list().")
        self.vocab, self.unknown_token = vocab, unknown_token
        self.data_type = require_type(data_type, "data_type", Type)
        self._ids = vocab.ids()
        if unknown_token in self._ids:
            self._ids = _WithUnknown(self._ids)
            self._ids.unknown = self._ids[unknown_token]

    def transform_value(self, value: Any) -> np.ndarray:
        if value.dtype.kind != "U":
            raise self.input_error("the input should be strings", value)
        return self._numbers(value.reshape(-1).tolist()).reshape(value.shape)

    def stack(self, rows: np.ndarray) -> Rows | None:
        return self.transform_value(rows) if rows.dtype.kind == "U" else None

    def _numbers(self, words: list[str]) -> np.ndarray:
        if self.data_type == string_type:
            raise RuntimeError("Lookup: data_type must be numeric, including bool.")
        if self.unknown_token is not None and self.unknown_token not in self._ids:
            raise RuntimeError(f"Lookup: the unknown token {self.unknown_token!r} does not exist in the vocab.")
        try:
            numbers = np.fromiter(map(self._ids.__getitem__, words), np.int32, len(words))
        except KeyError as error:
            raise RuntimeError(
                f"Lookup: invalid data, token: {error} doesn't exist in vocab and no unknown token is specified."
            ) from error
        return numbers if self.data_type is int32 else numbers.astype(as_numpy_dtype(self.data_type))


class _WithUnknown(dict[str, int]):
    unknown = 0

    def __missing__(self, token: str) -> int:
        return self.unknown
