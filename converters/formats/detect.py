"""Tell the format of a checkpoint from its content; names and suffixes lie."""

from typing import Literal

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import Source
from msbridge.converters.formats import encryption, pth_reading, zip_reading

Format = Literal["ckpt", "encrypted", "safetensors", "pth", "npz", "index"]
SUFFIXES: dict[str, Format] = {
    ".ckpt": "ckpt",
    ".safetensors": "safetensors",
    ".pth": "pth",
    ".pt": "pth",
    ".bin": "pth",
    ".npz": "npz",
}

TAR_OFFSET, TAR_MAGIC = 257, b"ustar"


def detect(source: Source) -> Format:
    """Give the format of an open file.

    Raises:
        CheckpointError: it is of none that is known; says what it looks like.
    """
    start = source.read(0, 64)
    if not start:
        raise CheckpointError(f"{source.path} is empty (0 bytes): a download that failed?")
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_format(source)
    if start.startswith(pth_reading.LEGACY_MAGIC):
        return "pth"
    if int.from_bytes(start[:4], "little") in encryption.MODES:
        return "encrypted"
    if len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 40:
        return "safetensors"
    if start[0] == 0x0A:
        return "ckpt"
    if start.lstrip()[:1] == b"{":
        return "index"
    if start.startswith(b"version https://git-lfs"):
        raise CheckpointError(f"{source.path} is a Git LFS pointer, not the file it points to; run `git lfs pull`.")
    if start.lstrip()[:1] == b"<":
        raise CheckpointError(f"{source.path} is a web page, not a checkpoint: a download that failed?")
    if start[0] == 0x80:
        raise CheckpointError(
            f"{source.path} is a bare pickle, not a torch file; it is not read, as reading could run code."
        )
    if source.read(TAR_OFFSET, len(TAR_MAGIC)) == TAR_MAGIC or start.startswith((b"sys_info\0", b"storages\0")):
        raise CheckpointError(
            f"{source.path} is a tar archive: unpack it; if torch before 0.1.10 wrote it, load it with torch and save "
            "it again."
        )
    raise CheckpointError(
        f"{source.path} is no checkpoint that is known (it begins with {start[:12].hex(' ')}): "
        "neither .ckpt, safetensors, torch, nor .npz. Is it damaged?"
    )


def _zip_format(source: Source) -> Format:
    with zip_reading.opened(source) as archive:
        names = archive.namelist()
    if any(name.endswith("data.pkl") for name in names):
        return "pth"
    if any(name.endswith(".npy") for name in names) or not names:
        return "npz"
    raise CheckpointError(f"{source.path} is an archive of neither torch nor numpy (it holds {names[:3]} …).")
