"""Names from files, as a terminal may show them: a control character in one could move the cursor, or worse."""

import json
from typing import Any

__all__ = ["escape_markup", "json_text", "printable"]


def printable(text: str) -> str:
    """Return a text with its control characters, and what is not a character, as Python writes them."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)


def escape_markup(text: str) -> str:
    """Return text that rich prints as it is."""
    from rich.markup import escape

    return escape(printable(text))


def json_text(values: Any, indent: int | None = None) -> str:
    """Return values as JSON that a terminal may show: only what is printable is in it as it is."""
    text = json.dumps(values, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)
