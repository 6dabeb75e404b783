"""The zip archive that torch.save makes, written tensor by tensor: nothing but the piece being copied is in memory.

archive/data.pkl      the names, and for each tensor its storage's number, shape and strides
archive/byteorder     "little"
archive/data/N        the bytes of storage N, uncompressed, on a multiple of 64 bytes, so that torch can map them
archive/version       "3"
"""

import io
import os
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.converters.content import Entry
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import Progress, StreamSink, replacing_path

ALIGNMENT = 64
ZIP64_BYTES = 1 << 31  # members that may be larger get the long form of the header
STORAGES = {
    torch.float64: torch.DoubleStorage,
    torch.float32: torch.FloatStorage,
    torch.float16: torch.HalfStorage,
    torch.bfloat16: torch.BFloat16Storage,
    torch.int64: torch.LongStorage,
    torch.int32: torch.IntStorage,
    torch.int16: torch.ShortStorage,
    torch.int8: torch.CharStorage,
    torch.uint8: torch.ByteStorage,
    torch.bool: torch.BoolStorage,
    torch.complex64: torch.ComplexFloatStorage,
    torch.complex128: torch.ComplexDoubleStorage,
}


@dataclass(frozen=True, slots=True)
class _Storage:
    """Stands in the pickle for the bytes of a tensor."""

    number: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class _Tensor:
    """Stands in the pickle for a tensor."""

    storage: _Storage


class _Pickler(pickle.Pickler):
    """Writes the stand-ins as torch.save writes tensors and storages."""

    def reducer_override(self, thing: Any) -> Any:
        if not isinstance(thing, _Tensor):
            return NotImplemented
        one = thing.storage.entry
        strides: list[int] = []
        step = 1
        for length in reversed(one.shape):
            strides.insert(0, step)
            step *= max(length, 1)
        arguments: tuple[Any, ...] = (thing.storage, 0, one.shape, tuple(strides), False, OrderedDict())
        dtype = one.element.dtype
        if dtype in STORAGES:
            return torch._utils._rebuild_tensor_v2, arguments
        return torch._utils._rebuild_tensor_v3, (*arguments, dtype)

    def persistent_id(self, thing: Any) -> Any:
        if not isinstance(thing, _Storage):
            return None
        dtype, nbytes = thing.entry.element.dtype, thing.entry.nbytes
        kind = STORAGES.get(dtype, torch.UntypedStorage)
        count = nbytes // dtype.itemsize if dtype in STORAGES else nbytes
        return ("storage", kind, str(thing.number), "cpu", count)


def write(path: str | os.PathLike, entries: Iterable[Entry], *, progress: Progress | None = None) -> None:
    """Write entries as a state dict, which `torch.load` reads with `weights_only` and with `mmap`.

    Args:
        path: the target, replaced when all is written.
        entries: what to write, in this order; names, types and shapes are looked at before the first byte is written.
        progress: is told of written bytes.

    Raises:
        CheckpointError: a name stands twice.
        OSError: the target cannot be written.
    """
    given = list(entries)
    state: dict[str, _Tensor | str] = {}
    for number, one in enumerate(given):
        if one.name in state:
            raise CheckpointError(f"{path}: two entries are called {one.name!r}.")
        state[one.name] = one.text() if one.is_text else _Tensor(_Storage(number, one))
    pickled = io.BytesIO()
    _Pickler(pickled, protocol=2).dump(state)
    with replacing_path(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("archive/data.pkl"), pickled.getvalue())
        archive.writestr(zipfile.ZipInfo("archive/byteorder"), b"little")
        for number, one in enumerate(given):
            if not one.is_text:
                _write_storage(archive, f"archive/data/{number}", one, progress)
        archive.writestr(zipfile.ZipInfo("archive/version"), b"3\n")


def _write_storage(archive: zipfile.ZipFile, name: str, one: Entry, progress: Progress | None) -> None:
    member = zipfile.ZipInfo(name)
    is_long = one.nbytes >= ZIP64_BYTES
    # A local header of 30 bytes, the name, the long form's sizes, and the padding as an extra field of its own.
    start = archive.fp.tell() + 30 + len(name) + (20 if is_long else 0) + 4  # type: ignore[union-attr]
    padding = -start % ALIGNMENT
    member.extra = b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
    with archive.open(member, "w", force_zip64=is_long) as file:
        one.content.write(StreamSink(file, progress))
