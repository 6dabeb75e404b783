"""JSON as MindSpore's parser reads it: a byte order mark may come in front, NaN and Infinity are not numbers."""

import json
from typing import Any, NoReturn

MARK = "\ufeff"


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON text.

    Raises:
        ValueError: it is not JSON, or no UTF-8.
        RecursionError: it is nested too deep.
    """
    text = text.decode() if isinstance(text, bytes) else text
    return json.loads(text.removeprefix(MARK), parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
