"""torch's `.pth`, `.pt`, `.bin`: see pth_reading.py and pth_writing.py."""

from msbridge.converters.files.source import Source
from msbridge.converters.formats import pth_reading, pth_writing, zip_reading
from msbridge.converters.formats.format import Format


def _recognizes(source: Source, start: bytes) -> bool:
    if pth_reading.LEGACY_MAGIC.match(start):
        return True
    return any(name.endswith("data.pkl") for name in zip_reading.names(source, start))


FORMAT = Format(
    name="pth",
    suffixes=(".bin", ".pth", ".pt"),
    naming="torch",
    has_both_namings=False,
    recognizes=_recognizes,
    read=pth_reading.read,
    write=pth_writing.write,
    check_sums=zip_reading.check_sums,
    shards=("pytorch_model", ".bin"),
)
