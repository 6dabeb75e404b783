"""Docstring sections that are shared: each is written once; a line names it in a docstring, and is expanded at import.

    num_samples, cache: as in every reader.     # under Args: a line for each argument
    Inputs, Outputs: as in every loss.          # whole sections

A family, such as "reader", is a table: argument → its text, or section → its lines. In sections, `{0}` and `{1}` are
the names of the first and second input.
"""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

__all__ = ["Families", "expand", "section", "sharing", "with_arguments"]

Families = Mapping[str, Mapping[str, str]]
F = TypeVar("F", bound=Callable[..., Any])
_SECTION = re.compile(r"^ *(?:Returns|Raises|Follows|Examples):", re.MULTILINE)
_LINE = re.compile(r"^( *)(\w+(?:, \w+)*): as in every (\w[\w -]*)\.$", re.MULTILINE)


def expand(doc: str, families: Families, inputs: Sequence[str] = ()) -> str:
    """Return a docstring in which what is shared stands in full.

    Args:
        doc: the docstring.
        families: family → argument or section → text.
        inputs: the names of the inputs.

    Raises:
        KeyError: it names a family, argument or section that is not there.
    """

    def describe(line: re.Match[str]) -> str:
        indent, names, family = line.groups()
        texts = families[family]
        if names[0].isupper():
            return "\n\n".join(section(name, texts[name].format(*inputs), indent) for name in names.split(", "))
        return "\n".join(_wrap(f"{name}: {texts[name]}", indent) for name in names.split(", "))

    return _LINE.sub(describe, doc)


def with_arguments(doc: str, text: str, indent: str) -> str:
    """Return a docstring with a section of arguments, in front of its other sections.

    Args:
        doc: the docstring, which has none.
        text: its lines.
        indent: that of the docstring.
    """
    found = _SECTION.search(doc)
    before, behind = (doc[: found.start()], doc[found.start() :]) if found else (doc, indent)
    return f"{before.rstrip()}\n\n{section('Args', text, indent)}\n{chr(10) if found else ''}{behind}"


def section(title: str, text: str, indent: str) -> str:
    """Return a section of a docstring."""
    return "\n".join([f"{indent}{title}:", *(_wrap(line, f"{indent}    ") for line in text.splitlines())])


def sharing(families: Families) -> Callable[[F], F]:
    """Return a decorator of functions whose docstrings share what is in `families`."""

    def share(function: F) -> F:
        function.__doc__ = expand(function.__doc__ or "", families)
        return function

    return share


def _wrap(line: str, indent: str) -> str:
    return textwrap.fill(line, 120, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False)
