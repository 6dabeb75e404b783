"""torch's `.pth`, `.pt`, `.bin`: see pth_reading.py and pth_writing.py."""

from collections.abc import Iterable
from pathlib import Path

from msbridge.converters.files.source import Source
from msbridge.converters.formats import pth_reading, pth_writing, zip_reading
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.tensors.entry import Entry


def _recognizes(source: Source, start: bytes) -> bool:
    if start.startswith(pth_reading.LEGACY_MAGIC):
        return True
    return any(name.endswith("data.pkl") for name in zip_reading.names(source, start))


def _read(source: Source) -> Contents:
    skipped: dict[str, str] = {}
    return Contents(pth_reading.read(source, skipped), skipped=skipped)


def _write(path: Path, entries: Iterable[Entry], writing: Writing) -> None:
    pth_writing.write(path, entries, progress=writing.progress)


FORMAT = Format(
    name="pth",
    suffixes=(".bin", ".pth", ".pt"),
    naming="torch",
    has_both_namings=False,
    recognizes=_recognizes,
    read=_read,
    write=_write,
    check_sums=zip_reading.check_sums,
    shards=("pytorch_model", ".bin"),
)
