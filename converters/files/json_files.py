"""JSON in files: read strictly, written such that only complete files appear."""

import contextlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.replacing import replacing
from msbridge.converters.files.source import Source


def parse_json(data: bytes) -> Any:
    """Parse JSON in UTF-8.

    Raises:
        ValueError: it is none, or a name of an object stands twice.
        RecursionError: it is nested too deeply.
    """
    return json.loads(data.decode("utf-8"), object_pairs_hook=_unique)


def read_json(path: Path, most_bytes: int) -> Any:
    """Read a JSON file.

    Raises:
        CheckpointError: it cannot be opened, is too long, or is no JSON.
    """
    with contextlib.closing(Source(path)) as source:
        if source.size > most_bytes:
            raise CheckpointError(f"{path} is {source.size} bytes long; at most {most_bytes} are read.")
        try:
            return parse_json(source.read(0, source.size))
        except (ValueError, RecursionError) as error:
            raise CheckpointError(f"{path} is no JSON: {error}.") from error


def write_json(path: Path, content: object) -> None:
    """Write a JSON file, as `replacing` does."""
    with replacing(path) as sink:
        sink.write(as_json(content).encode("utf-8"))


def as_json(content: object) -> str:
    """Return a value as JSON, in lines."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice!r:.200} stands twice")
    return found
