"""The existing name that a misspelt or foreign one was meant to be: of a module, an argument, or a text option.

Runs only after a name was refused. What torch calls otherwise is in mappings/synonyms.toml.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from msbridge.mappings import table

LEAST = 0.7  # of difflib's ratio: what is less alike is another name rather than a misspelling


@dataclass(frozen=True, slots=True)
class Synonym:
    """A row of synonyms.toml.

    Attributes:
        name: what is written elsewhere; for names of a module with the module before it, e.g. "nn.Linear".
        means: what MindSpore calls it, the likeliest first.
    """

    name: str
    means: tuple[str, ...]


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
    synonyms: Mapping[str, Synonym] = table("synonyms.toml", Synonym)
    row = synonyms.get(f"{within}.{name}" if within else name)
    meant = [other for other in row.means if other in found] if row else []
    plain = _plain(name)
    alike = {other: _likeness(plain, _plain(other)) for other in found if other not in meant}
    close = sorted(
        (other for other in alike if alike[other] >= LEAST), key=lambda o: (-alike[o], *_difference(name, o))
    )
    best = [other for other in close if alike[other] > alike[close[0]] - 0.15]
    return [*meant, *best][:limit]


def did_you_mean(name: object, names: Collection[object], within: str = "") -> str:
    """Return " Did you mean: 'axis'?" for the likeliest of `names`, or an empty text where none is alike."""
    texts = [other for other in names if isinstance(other, str)]
    near = nearest(name, texts, within, limit=1) if isinstance(name, str) and name else []
    return f" Did you mean: {near[0]!r}?" if near else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _likeness(plain: str, other: str) -> float:
    if plain == other:
        return 1.0
    matcher = difflib.SequenceMatcher(None, plain, other, autojunk=False)
    if matcher.real_quick_ratio() < LEAST or matcher.quick_ratio() < LEAST:
        return 0.0
    likeness = matcher.ratio()
    if sorted(plain) == sorted(other):  # letters exchanged, the commonest slip
        return max(likeness, 0.95)
    return likeness


def _difference(name: str, other: str) -> tuple[int, int, str]:
    """Order names that are equally alike: by the letters' case, then by length."""
    return (
        sum(a.isupper() != b.isupper() for a, b in zip(name, other, strict=False)),
        abs(len(name) - len(other)),
        other,
    )
