"""Docstrings of primitives that are made of functions: those of the functions, in the primitives' words."""

import functools
import inspect
from typing import Any

from msbridge.core.runtime import docstrings
from msbridge.core.runtime.defining_modules import defining_module

__all__ = ["Documentation"]


class Documentation:
    """The docstring of a derived primitive, made when it is asked for: attributes are arguments, the rest inputs."""

    def __get__(self, primitive: Any, owner: type[Any]) -> str:
        return _docstring_of(owner)


@functools.cache
def _docstring_of(primitive: type[Any]) -> str:
    function = inspect.unwrap(primitive.function)
    whole = docstrings.parse(function.__doc__ or "")
    entries = docstrings.entries(whole.sections.get("Args", ""))
    inputs = {word: name for word, name in primitive._words().items() if name in entries}
    attributes = {key: primitive.renamed.get(key, key) for key in primitive.defaults}
    theirs = {name: word for word, name in (attributes | inputs).items() if name != word}
    sections = {
        "Args": "\n".join(entries[name] for name in attributes.values() if name in entries),
        "Inputs": "\n".join(entries[name] for name in inputs.values()),
        "Outputs": whole.sections.get("Returns", ""),
        **{title: text for title, text in whole.sections.items() if title not in ("Args", "Returns")},
    }
    text = docstrings.rename_words(whole.text(sections), theirs)
    *_, file = defining_module(primitive.function).split(".")
    return f"{text}\n\nThe primitive of `ops.{function.__name__}`." if file == "functions" else text
