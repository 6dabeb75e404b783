"""All formats. A new one is a file beside this one that ends with its `FORMAT`, and a row here."""

import itertools

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import Source
from msbridge.converters.formats import ckpt, mindir, npz, pth, safetensors, zip_reading
from msbridge.converters.formats.format import Format

# In the order in which a folder of files without an index is looked through.
FORMATS = (safetensors.FORMAT, ckpt.FORMAT, pth.FORMAT, npz.FORMAT)
READ_ONLY = (mindir.FORMAT,)  # found by their content only
BY_NAME = {one.name: one for one in (*FORMATS, *READ_ONLY)}
BY_SUFFIX = {suffix: one for one in FORMATS for suffix in one.suffixes}
# Names that a single file of weights usually has: beside it a folder may hold an optimizer or arguments.
USUAL = tuple(one.shards[0] + one.shards[1] for one in (safetensors.FORMAT, pth.FORMAT))
TAR_OFFSET, TAR_MAGIC = 257, b"ustar"


def usual_files() -> tuple[str, ...]:
    """Return patterns of what checkpoints are called, the likely ones first."""
    return (*USUAL, *itertools.chain.from_iterable([f"*{suffix}" for suffix in one.suffixes] for one in FORMATS))


def recognize(source: Source) -> Format | None:
    """Return the format of an open file by its content, as names and suffixes lie; None for an index of shards.

    Raises:
        CheckpointError: it is of none that is known; says what it looks like.
    """
    start = source.read(0, 64)
    if not start:
        raise CheckpointError(f"{source.path} is empty (0 bytes): a download that failed?")
    for one in (*READ_ONLY, *FORMATS):
        if one.recognizes(source, start):
            return one
    if start.lstrip()[:1] == b"{":
        return None
    raise CheckpointError(f"{source.path} {_looks_like(source, start)}")


def _looks_like(source: Source, start: bytes) -> str:
    if start.startswith(b"version https://git-lfs"):
        return "is a Git LFS pointer, not the file it points to; run `git lfs pull`."
    if start.lstrip()[:1] == b"<":
        return "is a web page, not a checkpoint: a download that failed?"
    if start[0] == 0x80:
        return "is a bare pickle, not a torch file; it is not read, as reading could run code."
    if source.read(TAR_OFFSET, len(TAR_MAGIC)) == TAR_MAGIC or start.startswith((b"sys_info\0", b"storages\0")):
        return "is a tar archive: unpack it; if torch before 0.1.10 wrote it, load it with torch and save it again."
    if start.startswith(b"PK"):
        return f"is an archive of neither torch nor numpy (it holds {zip_reading.names(source, start)[:3]} …)."
    return (
        f"is not a checkpoint that is known (it begins with {start[:12].hex(' ')}): "
        "neither .ckpt, .mindir, safetensors, torch, nor .npz. Is it damaged?"
    )
