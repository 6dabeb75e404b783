"""Enumerations of the text transforms: modes, forms, kinds of models."""

from enum import IntEnum

__all__ = ["JiebaMode", "NormalizeForm", "SPieceTokenizerLoadType", "SPieceTokenizerOutType", "SentencePieceModel"]


class JiebaMode(IntEnum):
    """The methods by which `JiebaTokenizer` finds words: its dictionary, its model of characters, or both.

    Follows: mindspore.dataset.text.JiebaMode (2.10).
    """

    MIX = 0
    MP = 1
    HMM = 2


class NormalizeForm(IntEnum):
    """Normalization forms of Unicode.

    Follows: mindspore.dataset.text.NormalizeForm (2.10).
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class SentencePieceModel(IntEnum):
    """Kinds of SentencePiece models.

    Follows: mindspore.dataset.text.SentencePieceModel (2.10).
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerLoadType(IntEnum):
    """The source of a SentencePiece model: a file, or memory.

    Follows: mindspore.dataset.text.SPieceTokenizerLoadType (2.10).
    """

    FILE = 0
    MODEL = 1


class SPieceTokenizerOutType(IntEnum):
    """The output of `SentencePieceTokenizer`: pieces, or their numbers.

    Follows: mindspore.dataset.text.SPieceTokenizerOutType (2.10).
    """

    STRING = 0
    INT = 1
