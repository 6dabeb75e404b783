"""JSON in files: read strictly, written such that only complete files appear."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from msbridge.converters.files.replacing import replacing


def parse_json(data: bytes) -> Any:
    """Parse JSON in UTF-8.

    Raises:
        ValueError: it is none, or a name of an object stands twice.
        RecursionError: it is nested too deeply.
    """
    return json.loads(data.decode("utf-8"), object_pairs_hook=_unique)


def write_json(path: Path, content: object) -> None:
    """Write a JSON file."""
    with replacing(path) as sink:
        sink.write(json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8") + b"\n")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice!r:.200} stands twice")
    return found
