"""Docstrings as sections: what a row or a primitive takes over from the function that it is made of."""

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Docstring", "entries", "parse", "rename_words"]

_TITLE = re.compile(r"(Args|Attributes|Inputs|Returns|Outputs|Raises|Examples):\n(?=    )")
_ENTRY = re.compile(r"\*{0,2}(\w+): ?")
_SHAPES = re.compile(r"\b\w+(?=\.(?:shape|ndim|size)\b)")  # "(*input.shape, n)"


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring in Google's form."""

    head: str  # the summary, and what is explained below it
    sections: Mapping[str, str]  # their texts by title, in order, without the indentation
    tail: str  # what comes after them: "Follows: …"

    def text(self, sections: Mapping[str, str]) -> str:
        """Return the docstring with other sections, without indentation; those without a text are left out."""
        shown = [f"{title}:\n{textwrap.indent(body, '    ')}" for title, body in sections.items() if body]
        return "\n\n".join(part for part in (self.head, *shown, self.tail) if part)


def parse(docstring: str) -> Docstring:
    """Return the parts of a docstring."""
    head: list[str] = []
    tail: list[str] = []
    sections: dict[str, str] = {}
    for block in re.split(r"\n[ ]*\n", inspect.cleandoc(docstring)):
        if found := _TITLE.match(block):
            sections[found[1]] = textwrap.dedent(block[found.end() :])
        elif sections or block.startswith("Follows:"):
            tail.append(block)
        else:
            head.append(block)
    return Docstring("\n\n".join(head), sections, "\n\n".join(tail))


def entries(section: str) -> dict[str, str]:
    """Return the lines of a section by the name that each entry begins with."""
    by_name: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in section.splitlines():
        if (named := _ENTRY.match(line)) and not line.startswith(" "):
            lines = by_name[named[1]] = []
        lines.append(line)
    return {name: "\n".join(lines) for name, lines in by_name.items()}


def rename_words(text: str | None, names: Mapping[str, str]) -> str:
    """Return a docstring with parameters' other names, where it names them: in backticks, as an entry, in a shape."""
    words = {old: new for old, new in names.items() if old != new}
    if not words or not text:
        return text or ""
    if len(words) == 1:  # as of most methods; plain replacement takes a tenth of the time
        ((old, new),) = words.items()
        renamed = text.replace(f"`{old}`", f"`{new}`").replace(f"    {old}: ", f"    {new}: ")
        return (
            renamed if f"{old}." not in renamed else _SHAPES.sub(lambda found: words.get(found[0], found[0]), renamed)
        )
    any_word = f"({'|'.join(words)})"
    pattern = re.compile(rf"(?<=`){any_word}(?=`)|(?<=    ){any_word}(?=: )|\b{any_word}(?=\.(?:shape|ndim|size)\b)")
    return pattern.sub(lambda found: words[found[0]], text)
