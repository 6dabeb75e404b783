"""Vectors of words: Vectors, GloVe, FastText, CharNGram, and ToVectors, which looks them up."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.text.base import TextTransform
from msbridge.dataset.text.numbers import leading_float

__all__ = ["CharNGram", "FastText", "GloVe", "ToVectors", "Vectors"]


class Vectors:
    """Vectors of words, read from a file.

    Follows: mindspore.dataset.text.Vectors (2.10).
    """

    file_pattern = ".*"

    def __init__(self) -> None:
        self._rows: dict[str, np.ndarray] = {}
        self.dimension = 0

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> "Vectors":
        """Read vectors: a word and its numbers on each line; a first line with two numbers is passed over.

        Args:
            file_path: a text file.
            max_vectors: how many at most; None or 0 reads all.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `max_vectors` is negative.
            RuntimeError: there is no such file, it has another name than files of this kind, or its lines are not as
                described.

        Follows: mindspore.dataset.text.Vectors.from_file (2.10).
        """
        require_type(file_path, "file_path", str)
        limit = 0 if max_vectors is None else int_within(max_vectors, "max_vectors", 0)
        vectors, name = cls(), cls.__name__
        if not Path(file_path).is_file():
            raise RuntimeError(f"{name}: there is no file {file_path}.")
        if not re.fullmatch(cls.file_pattern, Path(file_path).name):
            raise RuntimeError(f"{name}: the name of the file should be {cls.file_pattern!r}, but got: {file_path}.")
        with Path(file_path).open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                word, *values = line.removesuffix("\n").removesuffix(" ").split(" ")
                if number == 0 and len(values) == 1:
                    continue
                vectors._add(word, values, name)
                if limit and len(vectors._rows) >= limit:
                    break
        if not vectors._rows:
            raise RuntimeError(f"{name}: invalid file, it holds no vectors: {file_path}.")
        return vectors

    def _add(self, word: str, values: list[str], name: str) -> None:
        if len(values) < 2 or "" in values:
            raise RuntimeError(f"{name}: a token needs two numbers or more, single spaces between: {word!r} {values}.")
        self.dimension = self.dimension or len(values)
        if len(values) != self.dimension:
            raise RuntimeError(
                f"{name}: all vectors must have the same number of dimensions, but got {len(values)} while expecting "
                f"{self.dimension}."
            )
        if word not in self._rows:
            with np.errstate(over="ignore"):
                self._rows[word] = np.array([leading_float(value) or 0.0 for value in values]).astype(np.float32)

    def lookup(self, token: str) -> np.ndarray | None:
        """Return the vector of a token; None where there is none."""
        return self._rows.get(token)


class GloVe(Vectors):
    """Vectors of the GloVe project, read from a file `glove.6B.….txt`.

    Follows: mindspore.dataset.text.GloVe (2.10).
    """

    file_pattern = r"glove\.6B\..*\.txt"


class FastText(Vectors):
    """Vectors of the FastText project, read from a file `….vec`.

    Follows: mindspore.dataset.text.FastText (2.10).
    """

    file_pattern = r".*\.vec"


class CharNGram(Vectors):
    """Vectors of groups of characters (bytes in fact); the vector of a word is the mean of those of its groups.

    Follows: mindspore.dataset.text.CharNGram (2.10).
    """

    def lookup(self, token: str) -> np.ndarray | None:
        """Return the mean over the groups of 2, 3 and 4 bytes of a token that have a vector."""
        parts = [b"#BEGIN#", *(bytes((byte,)) for byte in token.encode()), b"#END#"]
        groups = (
            f"{size}gram-{b''.join(parts[start : start + size]).decode(errors='replace')}"
            for size in (2, 3, 4)
            for start in range(len(parts) - size + 1)
        )
        vectors = [self._rows[group] for group in groups if group in self._rows]
        if not vectors:
            return None
        total = np.zeros(self.dimension, np.float32)
        for vector in vectors:
            total += vector
        return total / np.float32(len(vectors))


class ToVectors(TextTransform):
    """Replace tokens by their vectors.

    Args:
        vectors: the vectors.
        unk_init: the vector of tokens that have none; None means zeros.
        lower_case_backup: look tokens up in lower case.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.text.ToVectors (2.10).
    """

    def __init__(
        self, vectors: Vectors, unk_init: list[float] | tuple[float, ...] | None = None, lower_case_backup: bool = False
    ) -> None:
        self.vectors = require_type(vectors, "vectors", Vectors)
        for position, number in enumerate(require_type(unk_init or [], "unk_init", (list, tuple))):
            require_type(number, f"unk_init[{position}]", (int, float))
        self.unk_init = list(unk_init or [])
        self.lower_case_backup = require_type(lower_case_backup, "lower_case_backup", bool)

    def transform_value(self, value: Any) -> np.ndarray:
        dimension = self.vectors.dimension
        if not dimension:
            raise RuntimeError("ToVectors: the vectors hold none; use a class method such as Vectors.from_file().")
        if self.unk_init and len(self.unk_init) != dimension:
            raise RuntimeError(
                f"ToVectors: unk_init must be as long as the vectors, but got {len(self.unk_init)} and {dimension}."
            )
        if value.dtype.kind != "U":
            raise self.input_error("the input should be strings", value)
        unknown = np.array(self.unk_init or [0] * dimension, np.float32)
        tokens = value.reshape(-1).tolist()
        if self.lower_case_backup:
            tokens = [token.translate(LOWER) for token in tokens]
        found = [self.vectors.lookup(token) for token in tokens]
        rows = np.array([unknown if vector is None else vector for vector in found], np.float32)
        return rows[0] if len(rows) == 1 else rows.reshape(-1, dimension)


LOWER = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
