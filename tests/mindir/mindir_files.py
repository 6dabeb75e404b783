"""The files that the real MindSpore wrote, and what it computed: see record.py."""

import io
import zipfile
from pathlib import Path

import numpy as np

ARCHIVE = Path(__file__).parent / "files.zip"


def cases() -> list[str]:
    """Return their names, such as "2.10/lenet"."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        return sorted(name.removesuffix(".mindir") for name in archive.namelist() if name.endswith(".mindir"))


def content(case: str) -> bytes:
    """Return the bytes of a file."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        return archive.read(f"{case}.mindir")


def file(case: str, folder: Path) -> Path:
    """Return a file in a folder."""
    path = folder / f"{case.replace('/', '_')}.mindir"
    path.write_bytes(content(case))
    return path


def arrays(case: str, start: str) -> list[np.ndarray]:
    """Return the inputs ("in") or the outputs ("out") of a case."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        found = np.load(io.BytesIO(archive.read(f"{case}.npz")))
        return [found[f"{start}{number}"] for number in range(sum(name.startswith(start) for name in found.files))]
