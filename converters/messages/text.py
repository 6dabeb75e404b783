"""The text form of messages, as `print` shows them.

Follows: google.protobuf.text_format.MessageToString (6.x), with texts as they are.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msbridge.converters.messages.fields import Field


def lines(fields: Iterable[tuple[Field, Any]]) -> Iterator[str]:
    """Yield the lines that show some fields."""
    for field, value in fields:
        for one in value if field.is_repeated else (value,):
            if field.message:
                yield f"{field.name} {{"
                yield from (f"  {line}" for line in lines(one.ListFields()))
                yield "}"
            else:
                yield f"{field.name}: {field.kind.text(one)}"
