"""JSON in files: read strictly, written such that only complete files appear."""

import contextlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.atomic_write import replacing
from msbridge.converters.files.memory_budget import Allowance
from msbridge.converters.files.source import Source

COSTS = {b"{": 100, b"[": 90, b",": 65, b":": 50}  # bytes in memory


def parse_json(
    data: bytes, allowance: Allowance, record: Callable[[dict[str, Any]], Any] = lambda content: content
) -> Any:
    """Parse JSON in UTF-8.

    Args:
        data: the text.
        allowance: what the content may take in memory.
        record: is given each object, and returns what replaces it.

    Raises:
        ValueError: it is not one, or a name of an object occurs twice.
        RecursionError: it is nested too deeply.
        CheckpointError: the content takes more memory than it may.
    """
    # Two bytes make a list, and four a text: what the content takes follows from its punctuation, before it is parsed.
    allowance.spend(2 * len(data) + sum(cost * data.count(character) for character, cost in COSTS.items()))
    return json.loads(data.decode("utf-8"), object_pairs_hook=lambda pairs: record(_unique(pairs)))


def read_json(path: Path, most_bytes: int) -> Any:
    """Read a JSON file.

    Raises:
        CheckpointError: it cannot be opened, is too long, or is not JSON.
    """
    with contextlib.closing(Source(path)) as source:
        if source.size > most_bytes:
            raise CheckpointError(f"{path} is {source.size} bytes long; at most {most_bytes} are read.")
        try:
            return parse_json(source.read(0, source.size), Allowance(path, source.size))
        except CheckpointError:
            raise
        except (ValueError, RecursionError) as error:
            raise CheckpointError(f"{path} is not JSON: {error}.") from error


def write_json(path: Path, content: object) -> None:
    """Write a JSON file, as `replacing` does."""
    with replacing(path) as sink:
        sink.write(as_json(content).encode("utf-8"))


def as_json(content: object) -> str:
    """Return a value as JSON, in lines."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice!r:.200} occurs twice")
    return members
