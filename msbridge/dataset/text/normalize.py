"""Normalization of strings: CaseFold, NormalizeUTF8."""

from functools import cache
from unicodedata import normalize

from msbridge.dataset.text.base import CharacterTable, StringTransform
from msbridge.dataset.text.enums import NormalizeForm

__all__ = ["CaseFold", "NormalizeUTF8"]

# Default_Ignorable_Code_Point (Unicode 15.1): case folding drops these.
IGNORABLE = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


class CaseFold(StringTransform):
    """Fold the case of strings: NFKC_Casefold of Unicode, which also takes compatible characters for the same.

    Follows: mindspore.dataset.text.CaseFold (2.10).
    """

    def change(self, text: str) -> str:
        return casefold(text)


class NormalizeUTF8(StringTransform):
    """Bring strings to a normalization form of Unicode.

    Args:
        normalize_form: which one; NONE changes nothing.

    Raises:
        TypeError: `normalize_form` is not a NormalizeForm.

    Follows: mindspore.dataset.text.NormalizeUTF8 (2.10).
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC) -> None:
        self.normalize_form = check_form(normalize_form)

    def change(self, text: str) -> str:
        return normalize_text(text, self.normalize_form)


def check_form(form: NormalizeForm) -> NormalizeForm:
    """Return `form`, a NormalizeForm."""
    if not isinstance(form, NormalizeForm):
        raise TypeError(f"Wrong input type for normalization_form, should be enum of 'NormalizeForm', got {form!r}.")
    return form


def normalize_text(text: str, form: NormalizeForm) -> str:
    """Return `text` in a normalization form."""
    return text if form == NormalizeForm.NONE else normalize(form.name, text)  # type: ignore[arg-type]


def casefold(text: str) -> str:
    """Return NFKC_Casefold of `text`."""
    return text.lower() if text.isascii() else normalize("NFC", text.translate(_folds()))


@cache
def _folds() -> CharacterTable:
    return CharacterTable(fold_character)


def fold_character(character: str) -> str:
    """Return NFKC_Casefold of a character: what stays the same when it is folded and normalized once more."""
    before, text = None, character
    while text != before:
        before = text
        text = normalize("NFKC", "".join(part for part in normalize("NFD", text).casefold() if not _ignorable(part)))
    return text


def _ignorable(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in IGNORABLE)
