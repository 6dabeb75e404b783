"""Tokenizers that split where the kind of character changes, and the one that calls a Python function."""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate, chain, groupby
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.text.base import Spans, Tokenizer, in_bytes
from msbridge.dataset.text.byte_strings import to_str
from msbridge.dataset.text.optional_packages import package

__all__ = ["PythonTokenizer", "UnicodeCharTokenizer", "UnicodeScriptTokenizer", "WhitespaceTokenizer"]

# str.split also splits at these, which Unicode does not count as white space.
SEPARATORS = re.compile("[\x1c-\x1f]")
WORDS = re.compile(r"(?:\S|[\x1c-\x1f])+")


class WhitespaceTokenizer(Tokenizer):
    """Split a string at white space.

    Args:
        with_offsets: also return where each token starts and ends, in bytes: one column becomes three.

    Raises:
        TypeError: `with_offsets` is not a bool.

    Follows: mindspore.dataset.text.WhitespaceTokenizer (2.10).
    """

    def tokens(self, text: str) -> list[str]:
        return WORDS.findall(text) if SEPARATORS.search(text) else text.split()


class UnicodeCharTokenizer(Tokenizer):
    """Split a string into its characters.

    Args:
        with_offsets: also return where each token starts and ends, in bytes: one column becomes three.

    Raises:
        TypeError: `with_offsets` is not a bool.

    Follows: mindspore.dataset.text.UnicodeCharTokenizer (2.10).
    """

    def array(self, text: str) -> np.ndarray:
        return np.array([text]).view("U1")

    def spans(self, text: str) -> Spans:
        return in_bytes(list(text), list(range(len(text))), text)


class UnicodeScriptTokenizer(Tokenizer):
    """Split a string where the script changes, and around white space.

    Args:
        keep_whitespace: runs of white space are tokens, too.
        with_offsets: also return where each token starts and ends, in bytes: one column becomes three.

    Raises:
        TypeError: an argument is not a bool.
        ImportError: the package regex is missing (at the first call).

    Follows: mindspore.dataset.text.UnicodeScriptTokenizer (2.10).
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False) -> None:
        self.keep_whitespace = require_type(keep_whitespace, "keep_whitespace", bool)
        super().__init__(with_offsets)

    def tokens(self, text: str) -> list[str]:
        runs = self._runs(text)
        return list(runs) if self.keep_whitespace else [run for run in runs if not is_space(run[0])]

    def spans(self, text: str) -> Spans:
        runs = list(self._runs(text))
        starts = list(chain((0,), accumulate(map(len, runs))))
        kept = [index for index, run in enumerate(runs) if self.keep_whitespace or not is_space(run[0])]
        return in_bytes([runs[index] for index in kept], [starts[index] for index in kept], text)

    def _runs(self, text: str) -> Iterable[str]:
        return ("".join(run) for _, run in groupby(text, key=_kinds().__getitem__))


def is_space(character: str) -> bool:
    """Whether Unicode counts a character as white space."""
    return character.isspace() and not "\x1c" <= character <= "\x1f"


class _Kinds(dict[str, tuple[int, bool]]):
    """The script of each character that occurred, as a number, and whether it is white space."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = package("regex", "UnicodeScriptTokenizer").compile(
            "|".join(rf"(\p{{Script={name}}})" for name in SCRIPTS.split())
        )

    def __missing__(self, character: str) -> tuple[int, bool]:
        match = self.scripts.match(character)
        kind = self[character] = match.lastindex if match else 0, is_space(character)
        return kind


@cache
def _kinds() -> _Kinds:
    return _Kinds()


# The scripts of Unicode 15.1, which MindSpore knows, frequent ones first; what is in none counts as one more.
SCRIPTS = """
Zyyy Latn Hani Zinh Cyrl Hira Kana Hang Arab Grek Hebr Deva Thai Adlm Aghb Ahom Armi Armn Avst Bali Bamu Bass Batk
Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher Chrs Copt Cpmn Cprt Diak Dogr Dsrt Dupl Egyp Elba Elym
Ethi Geor Glag Gong Gonm Goth Gran Gujr Guru Hano Hatr Hluw Hmng Hmnp Hrkt Hung Ital Java Kali Kawi Khar Khmr Khoj
Kits Knda Kthi Lana Laoo Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Miao Mlym
Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Orya Osge Osma Ougr Palm Pauc Perm
Phag Phli Phlp Phnx Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sylo
Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Tibt Tirh Tnsa Toto Ugar Vaii Vith Wara Wcho Xpeo Xsux
Yezi Yiii Zanb
"""


class PythonTokenizer:
    """Split strings by a Python function.

    Args:
        tokenizer: takes a string and returns its tokens.

    Raises:
        TypeError: `tokenizer` is not callable.

    Follows: mindspore.dataset.text.PythonTokenizer (2.10).
    """

    def __init__(self, tokenizer: Callable[[str], Any]) -> None:
        if not callable(tokenizer):
            raise TypeError(f"tokenizer is not a callable Python function: {tokenizer!r}.")
        self.pyfunc = tokenizer
        self.random = False
        self._split = np.vectorize(lambda text: np.array(tokenizer(text), "U"), signature="()->(n)")

    def __call__(self, in_array: np.ndarray) -> np.ndarray:
        """Split each string of an array; the tokens of one are a row of the result.

        Args:
            in_array: strings, or bytes in UTF-8.

        Returns:
            An array with one more axis.

        Raises:
            TypeError: `in_array` is not an ndarray.
            RuntimeError: the function failed, or returned no list of tokens.
        """
        if not isinstance(in_array, np.ndarray):
            raise TypeError(f"input should be a NumPy array. Got {type(in_array)}.")
        try:
            tokens: np.ndarray = self._split(to_str(in_array) if in_array.dtype.kind == "S" else in_array)
        except Exception as error:
            raise RuntimeError(f"Error occurred in Pyfunc [{self._name}], error message: {error}") from error
        return tokens

    def to_json(self) -> str:
        """Return the name and the module of the operation as JSON."""
        return json.dumps({"tensor_op_name": self._name, "python_module": "mindspore.dataset.text.transforms"})

    @property
    def _name(self) -> str:
        return getattr(self.pyfunc, "__name__", type(self.pyfunc).__name__)
