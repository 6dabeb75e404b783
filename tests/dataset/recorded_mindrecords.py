"""The MindRecord files that the real MindSpore wrote, from the record of `dataset.mindrecord_files`."""

import gzip
import json
from functools import cache
from pathlib import Path

RECORD = Path(__file__).parents[1] / "oracle" / "records" / "dataset.mindrecord_files.json.gz"


@cache
def recorded_files() -> dict[str, bytes]:
    """Return the bytes of each file, by name."""
    cases = json.loads(gzip.decompress(RECORD.read_bytes()))["cases"]
    return {name: bytes.fromhex(data["bytes"]) for case in cases.values() for name, data in case["dict"]}


def extract(folder: Path = Path()) -> None:
    """Write the files into a folder."""
    for name, data in recorded_files().items():
        (folder / name).write_bytes(data)
