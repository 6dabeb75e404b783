"""BasicTokenizer and BertTokenizer: the words that BERT's models take."""

import re
from itertools import chain
from unicodedata import category, normalize

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.text.base import CharacterTable, Spans, Tokenizer, locate_tokens
from msbridge.dataset.text.enums import NormalizeForm
from msbridge.dataset.text.normalize import casefold, check_form, fold_character, normalize_text
from msbridge.dataset.text.vocab import Vocab
from msbridge.dataset.text.wordpiece import Pieces

__all__ = ["BasicTokenizer", "BertTokenizer"]

# A Chinese character is a word; these are BERT's ranges of them.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ASCII_WORDS = re.compile(r"[^\x00- \x7f!-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]")
KEPT = re.compile(r"(\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\])")
SPECIAL = {b"[CLS]", b"[SEP]", b"[UNK]", b"[PAD]", b"[MASK]"}
EDGE = "\0"  # is around punctuation and ideographs; no text has it any more at that point


class BasicTokenizer(Tokenizer):
    """Split a string at white space and around punctuation and Chinese characters, after cleaning it.

    Args:
        lower_case: fold the case, decompose (NFD) and take accents away.
        keep_whitespace: runs of white space are tokens, too.
        normalization_form: the form to bring the string to, without `lower_case`.
        preserve_unused_token: keep [CLS], [SEP], [UNK], [PAD], [MASK] and [unused1] … as they are. With `lower_case`,
            what comes before one of the first five is repeated after it, as MindSpore does.
        with_offsets: also return where each token starts and ends in the cleaned string, in bytes: one column becomes
            three.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.dataset.text.BasicTokenizer (2.10).
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        super().__init__(with_offsets)
        self.lower_case = require_type(lower_case, "lower_case", bool)
        self.keep_whitespace = require_type(keep_whitespace, "keep_whitespace", bool)
        self.normalization_form = check_form(normalization_form)
        self.preserve_unused_token = require_type(preserve_unused_token, "preserve_unused_token", bool)

    def tokens(self, text: str) -> list[str]:
        if self.keep_whitespace or (self.preserve_unused_token and "[" in text):
            return self._split(self._clean(text))
        if text.isascii():
            return ASCII_WORDS.findall(text.lower() if self.lower_case else text)
        if self.lower_case:
            return text.translate(FOLDED_WORDS).split()
        return normalize_text(text, self.normalization_form).translate(WORDS).split()

    def spans(self, text: str) -> Spans:
        cleaned = self._clean(text)
        return locate_tokens(self._split(cleaned), cleaned)

    def _clean(self, text: str) -> str:
        if not self.lower_case:
            return normalize_text(text, self.normalization_form).translate(CONTROLS)
        folded_text = self._fold_unreserved(text) if self.preserve_unused_token else casefold(text)
        return normalize("NFD", folded_text).translate(ACCENTS).translate(CONTROLS)

    def _fold_unreserved(self, text: str) -> str:
        """Fold all but the special tokens; each time from the beginning of the text on."""
        parts: list[str] = []
        position = 0
        for start, end in _special_places(text.encode("utf-8", "surrogatepass")):
            before = text.encode("utf-8", "surrogatepass")[:start].decode("utf-8", "surrogatepass")
            parts += [casefold(before), text[len(before) : len(before) + end - start]]
            position = len(before) + end - start
        if position < len(text):
            parts.append(casefold(text))
        return "".join(parts)

    def _split(self, cleaned: str) -> list[str]:
        parts = KEPT.split(cleaned) if self.preserve_unused_token else [cleaned]
        if not self.keep_whitespace:
            return list(chain.from_iterable([p] if n % 2 else p.translate(SPREAD).split() for n, p in enumerate(parts)))
        tokens: list[str] = []
        for number, part in enumerate(parts):
            tokens += [part] if number % 2 else WITH_SPACES.findall(part.translate(EDGES))
        return tokens


class BertTokenizer(Tokenizer):
    """Split a string as `BasicTokenizer` does, and the words as `WordpieceTokenizer` does.

    Args:
        vocab: the pieces.
        suffix_indicator: what pieces begin with that are not the first one of a word.
        max_bytes_per_token: longer words are unknown.
        unknown_token: represents words that cannot be cut; an empty string leaves them as they are.
        lower_case: fold the case, decompose (NFD) and take accents away.
        keep_whitespace: runs of white space are tokens, too.
        normalization_form: the form to bring the string to, without `lower_case`.
        preserve_unused_token: keep [CLS], [SEP], [UNK], [PAD], [MASK] and [unused1] … as they are.
        with_offsets: also return where each piece starts and ends in the cleaned string, in bytes: one column becomes
            three.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `vocab` is None, or `max_bytes_per_token` is out of range.

    Follows: mindspore.dataset.text.BertTokenizer (2.10).
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        super().__init__(with_offsets)
        self.pieces = Pieces(vocab, suffix_indicator, max_bytes_per_token, unknown_token)
        self.words = BasicTokenizer(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token, self.with_offsets
        )

    def tokens(self, text: str) -> list[str]:
        return self.pieces.of(self.words.tokens(text))

    def spans(self, text: str) -> Spans:
        words, starts, _ = self.words.spans(text)
        return self.pieces.locate(words, list(starts))


def _special_places(text: bytes) -> list[tuple[int, int]]:
    """Find the special tokens as MindSpore does: from the last bracket that opened, as long as all since the first."""
    places, start, length = [], -1, 0
    for place, byte in enumerate(text):
        if byte == ord("["):
            start = place
            length += 1
        elif start >= 0:
            length += 1
            if byte == ord("]"):
                if text[start : start + length] in SPECIAL:
                    places.append((start, start + len(text[start : start + length])))
                start, length = -1, 0
    return places


def _is_word(character: str) -> bool:
    """Whether a character is a word of its own: punctuation, the symbols of ASCII, Chinese characters."""
    code = ord(character)
    if code < 128:
        return not character.isalnum() and 32 < code < 127
    return category(character)[0] == "P" or any(first <= code <= last for first, last in IDEOGRAPHS)


def _without_control(character: str) -> str:
    return " " if category(character) in ("Cc", "Cf") else character


def _without_accent(character: str) -> str:
    return "" if category(character) == "Mn" else character


def _spread(character: str) -> str:
    return f" {character} " if _is_word(character) else character


def _mark_edges(character: str) -> str:
    return f"{EDGE}{character}{EDGE}" if _is_word(character) else character


def _word(character: str) -> str:
    return _spread(_without_control(character))


def _fold_word(character: str) -> str:
    return "".join(_word(part) for part in normalize("NFD", fold_character(character)) if category(part) != "Mn")


CONTROLS, ACCENTS = CharacterTable(_without_control), CharacterTable(_without_accent)
SPREAD, EDGES = CharacterTable(_spread), CharacterTable(_mark_edges)
WORDS, FOLDED_WORDS = CharacterTable(_word), CharacterTable(_fold_word)
WITH_SPACES = re.compile(rf"\s+|[^\s{EDGE}]+")
