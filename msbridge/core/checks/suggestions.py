"""The existing name that a misspelt or foreign one was meant to be: of a module, an argument, or a text option.

Runs only after a name was refused. What torch calls otherwise is in mappings/synonyms.toml.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from msbridge.mappings import table

MIN_SIMILARITY = 0.7  # of difflib's ratio: what is less alike is another name rather than a misspelling
BEGINNING = 4  # letters that are taken for the beginning of a name


@dataclass(frozen=True, slots=True)
class Synonym:
    """A row of synonyms.toml."""

    name: str  # what is written elsewhere; for names of a module with the module before it, e.g. "nn.Linear".
    means: tuple[str, ...]  # what MindSpore calls it, the likeliest first; a full path for what lies in another module


def nearest(name: str, names: Iterable[str], within: str = "", limit: int = 3) -> list[str]:
    """Return the names that `name` was probably meant to be, the likeliest first.

    Args:
        name: what was refused.
        names: what exists; `name` itself and, unless it is private, private names are left out.
        within: the module in which `name` was looked for, without "mindspore.", e.g. "nn"; empty for arguments.
        limit: the most names to return.

    Returns:
        Names of `names`: first what the table of synonyms says, then those spelt alike.
    """
    found = sorted({other for other in names if other != name and (name[:1] == "_" or other[:1] != "_")})
    said = [other for other in synonyms(name, within) if other in found]
    likeness = _likenesses(name, [other for other in found if other not in said])
    for other in likeness:  # a class was probably meant to be a class
        likeness[other] -= 0.05 * (other[:1].isupper() != name[:1].isupper())
    close = sorted(likeness, key=lambda other: (-likeness[other], *_difference(name, other)))
    return [*said, *(other for other in close if likeness[other] > likeness[close[0]] - 0.15)][:limit]


def synonyms(name: str, within: str = "") -> tuple[str, ...]:
    """Return MindSpore's names for `name` from the table; full paths for those of other modules."""
    rows: Mapping[str, Synonym] = table("synonyms.toml", Synonym)
    row = rows.get(f"{within}.{name}" if within else name)
    return row.means if row else ()


def did_you_mean(name: object, names: Collection[object], within: str = "") -> str:
    """Return " Did you mean: 'axis'?" for the likeliest of `names`, or an empty text where none is alike."""
    texts = [other for other in names if isinstance(other, str)]
    near = nearest(name, texts, within, limit=1) if isinstance(name, str) and name else []
    return f" Did you mean: {near[0]!r}?" if near else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _likenesses(name: str, others: Iterable[str]) -> dict[str, float]:
    """Return the similarity of the others to `name`, from MIN_SIMILARITY to 1, of those that are similar."""
    plain = _plain(name)
    matcher = difflib.SequenceMatcher(None, "", plain, autojunk=False)  # it prepares the second text once
    strange = str.maketrans("", "", plain)
    likeness = {}
    for other in others:
        text = _plain(other)
        shared = len(text) - len(text.translate(strange))  # no more letters than these can agree
        matcher.set_seq1(text)
        if text == plain:
            likeness[other] = 1.0
        elif len(text) == len(plain) == shared and sorted(text) == sorted(plain):  # exchanged, the commonest slip
            likeness[other] = 0.95
        elif (
            _ratio(shared, text, plain) >= MIN_SIMILARITY
            and matcher.quick_ratio() >= MIN_SIMILARITY
            and matcher.ratio() >= MIN_SIMILARITY
        ):
            likeness[other] = matcher.ratio()
        elif len(plain) >= BEGINNING and text.startswith(plain):
            likeness[other] = MIN_SIMILARITY
    return likeness


def _ratio(shared: int, text: str, other: str) -> float:
    """Return difflib's ratio of two texts that share so many letters: at most its value, without an order of them."""
    return 2 * min(shared, len(other)) / (len(text) + len(other))


def _difference(name: str, other: str) -> tuple[int, int, str]:
    """Order names that are equally alike: by the letters' case, then by length."""
    return (
        sum(a.isupper() != b.isupper() for a, b in zip(name, other, strict=False)),
        abs(len(name) - len(other)),
        other,
    )
