"""The zip archive that torch.save makes, written tensor by tensor: nothing but the piece being copied is in memory.

archive/data.pkl      the names, and for each tensor its storage's number, shape and strides
archive/byteorder     "little"
archive/data/N        the bytes of storage N, uncompressed, on a multiple of 64 bytes, so that torch can map them
archive/version       "3"
"""

import os
import pickle
import struct
from collections.abc import Iterable, Sequence

from msbridge.converters.formats import pth_pickle
from msbridge.converters.formats.format import Writing
from msbridge.converters.formats.zip_writing import replacing_zip
from msbridge.converters.tensors.entry import Entry, unique_names

ALIGNMENT = 64
STORAGES = {  # the dtypes that have a storage of their own; the others lie in an untyped one
    dtype: name for name, dtype in pth_pickle.STORAGES.items() if name[0] != "Q" and name != "UntypedStorage"
}


def write(path: str | os.PathLike[str], entries: Iterable[Entry], writing: Writing | None = None) -> None:
    """Write entries as a state dict, which `torch.load` reads with `weights_only` and with `mmap`.

    Args:
        path: the target, replaced when all is written.
        entries: what to write, in this order; names, types and shapes are looked at before the first byte is written.
        writing: how; of it, only what counts written bytes.

    Raises:
        CheckpointError: a name occurs twice.
        OSError: the target cannot be written.
    """
    given = list(unique_names(entries, path))
    with replacing_zip(path, writing.progress if writing else None) as archive:
        archive.add("archive/data.pkl", _Pickle().dumps(given))
        archive.add("archive/byteorder", b"little")
        for number, one in enumerate(given):
            if not one.is_text:
                archive.add(f"archive/data/{number}", one.content, alignment=ALIGNMENT)
        archive.add("archive/version", b"3\n")


class _Pickle:
    """Writes the pickle of a state dict as torch.save does, without making its tensors; what recurs is written once."""

    def __init__(self) -> None:
        self._written: dict[bytes, bytes] = {}

    def dumps(self, entries: Iterable[Entry]) -> bytes:
        """Return the pickle of {name: tensor or text}; tensor number n lies in storage n."""
        parts = [pickle.PROTO, b"\x02", pickle.EMPTY_DICT, pickle.MARK]
        for number, one in enumerate(entries):
            parts += (_text(one.name), _text(one.text()) if one.is_text else self._tensor(number, one))
        return b"".join([*parts, pickle.SETITEMS, pickle.STOP])

    def _tensor(self, number: int, entry: Entry) -> bytes:
        """Call `_rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks)`, or v3 with a dtype."""
        dtype, once = entry.element.dtype, self._once
        storage = _class("torch", STORAGES[dtype]) if dtype in STORAGES else UNTYPED
        count = entry.nbytes // dtype.itemsize if dtype in STORAGES else entry.nbytes
        strides: list[int] = []
        step = 1
        for length in reversed(entry.shape):
            strides.insert(0, step)
            step *= max(length, 1)
        rebuild, more = "_rebuild_tensor_v2", b""
        if dtype not in STORAGES:
            rebuild, more = "_rebuild_tensor_v3", _class(*str(dtype).split("."))
        return b"".join(
            [
                *(once(_class("torch._utils", rebuild)), pickle.MARK),
                *(pickle.MARK, once(_text("storage")), once(storage), _text(str(number))),
                *(once(_text("cpu")), _number(count), pickle.TUPLE, pickle.BINPERSID),
                *(_number(0), once(_numbers(entry.shape)), once(_numbers(strides)), pickle.NEWFALSE),
                *(once(_class("collections", "OrderedDict")), pickle.EMPTY_TUPLE, pickle.REDUCE, more),
                *(pickle.TUPLE, pickle.REDUCE),
            ]
        )

    def _once(self, code: bytes) -> bytes:
        """Return the code that puts a thing on the stack; from the second time on, from the memo."""
        if known := self._written.get(code):
            return known
        index = len(self._written).to_bytes(4, "little")
        self._written[code] = pickle.LONG_BINGET + index
        return code + pickle.LONG_BINPUT + index


def _text(text: str) -> bytes:
    encoded = text.encode("utf-8")
    return pickle.BINUNICODE + len(encoded).to_bytes(4, "little") + encoded


def _class(module: str, name: str) -> bytes:
    return pickle.GLOBAL + f"{module}\n{name}\n".encode("ascii")


UNTYPED = _class("torch.storage", "UntypedStorage")


def _numbers(numbers: Sequence[int]) -> bytes:
    return pickle.MARK + b"".join(map(_number, numbers)) + pickle.TUPLE


def _number(number: int) -> bytes:
    if number < 1 << 8:
        return pickle.BININT1 + number.to_bytes(1, "little")
    if number < 1 << 31:
        return pickle.BININT + struct.pack("<i", number)
    return pickle.LONG1 + b"\x09" + number.to_bytes(9, "little")
