"""The MindRecord files that the real MindSpore wrote: the answers of `dataset.mindrecord_files`."""

from functools import cache
from pathlib import Path

from tests.oracle.recorded import answers


@cache
def recorded_files() -> dict[str, bytes]:
    """Return the bytes of each file, by name."""
    return {name: data for files in answers("dataset.mindrecord_files").values() for name, data in files.items()}


def extract(folder: Path = Path()) -> None:
    """Write the files into a folder."""
    for name, data in recorded_files().items():
        (folder / name).write_bytes(data)
