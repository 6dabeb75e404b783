"""numpy's `.npz`: a zip archive with one `.npy` for each tensor.

bfloat16, which numpy does not have, is a two-byte void, as the ml_dtypes package writes it. No pickled objects.
"""

import ast
import functools
import math
import os
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import Source
from msbridge.converters.formats import zip_reading
from msbridge.converters.formats.format import Contents, Format, Writing
from msbridge.converters.formats.zip_writing import replacing_zip
from msbridge.converters.tensors.content import InFile
from msbridge.converters.tensors.elements import BY_NAME, ELEMENTS
from msbridge.converters.tensors.entry import Entry, computed, entry, unique_names

MAGIC = b"\x93NUMPY"
MOST_HEADER_BYTES = 1 << 16
USUAL_HEADER_BYTES = 128
MOST_EXPANSION = 1 << 30  # bytes: a compressed member may be larger than this only when it expands less than 100-fold
BY_DESCRIPTOR = {element.numpy[1:]: element for element in ELEMENTS if element.numpy}


def read(source: Source) -> Iterator[Entry]:
    """Yield the arrays of a `.npz`; stored ones are read when they are used, compressed ones as well.

    Raises:
        CheckpointError: the archive or a header is damaged, or an array is of a type that no tensor has.
    """
    with zip_reading.opened(source) as archive:
        for member in zip_reading.members(source, archive):
            if member.name.endswith(".npy"):
                yield _entry(source, archive, member)


def write(path: str | os.PathLike[str], entries: Iterable[Entry], writing: Writing | None = None) -> None:
    """Write entries as an uncompressed `.npz`.

    Raises:
        CheckpointError: a name stands twice, or an element type has no place in the format.
        OSError: the target cannot be written.
    """
    with replacing_zip(path, writing.progress if writing else None) as archive:
        for one in unique_names(entries, path):
            if "\0" in one.name:
                raise CheckpointError(f"{path}: no zip archive can hold the name {one.name!r}.")
            archive.add(one.name + ".npy", one.content, _header(one, path))


def _header(one: Entry, path: str | os.PathLike[str]) -> bytes:
    if one.is_text:
        descriptor: str | None = f"<U{one.nbytes // 4}"
    else:
        descriptor = one.element.numpy if one.type != "Int4" else "|i1"
    if descriptor is None:
        raise CheckpointError(f"{path}: {one.name!r} is {one.type}, for which numpy has no type; write .ckpt instead.")
    text = f"{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {one.shape!r}, }}".encode("ascii")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text


def _entry(source: Source, archive: zipfile.ZipFile, member: zip_reading.Member) -> Entry:
    name, claimed = member.name.removesuffix(".npy"), member.info.file_size
    where = zip_reading.describe(source, member.info)
    if member.is_stored:
        head = source.read(member.offset, min(claimed, USUAL_HEADER_BYTES))
        if len(head) < _header_end(head) <= claimed:
            head = source.read(member.offset, _header_end(head))
    else:
        with archive.open(member.info) as file:
            head = file.read(USUAL_HEADER_BYTES)
            head += file.read(max(0, min(_header_end(head), 16 + MOST_HEADER_BYTES) - len(head)))
    start = _header_end(head)
    try:
        descriptor, fortran_order, shape = _parse_header(head[:start])
    except ValueError as error:
        raise CheckpointError(f"{where}: {error}.") from error
    if claimed > max(MOST_EXPANSION, 100 * member.info.compress_size):
        raise CheckpointError(f"{where}: {member.info.compress_size} bytes claim to become {claimed}: refused.")
    code = descriptor.lstrip("<>|=")
    text = re.fullmatch(r"U(\d{1,9})", code)
    if not text and code not in BY_DESCRIPTOR:
        reason = (
            "pickled objects, which are not read"
            if "O" in code
            else f"of numpy type {descriptor!r:.80}, which no tensor has"
        )
        raise CheckpointError(f"{where}: {reason}.")
    size = 4 * int(text[1]) if text else BY_DESCRIPTOR[code].size
    nbytes = math.prod(shape) * size
    if start + nbytes != claimed:
        raise CheckpointError(f"{where}: {descriptor} of shape {shape} takes {nbytes} bytes, it has {claimed - start}.")
    if text:
        if shape != ():
            raise CheckpointError(f"{where}: an array of texts of shape {shape}; only a single text can be kept.")
        return entry(name, _text(archive.read(member.info)[start:], descriptor, where))
    kind = BY_DESCRIPTOR[code].name
    if member.is_stored and descriptor[0] != ">" and not fortran_order:
        offset = member.offset + start
        return Entry(name, kind, shape, InFile(source, ((offset, nbytes),)), offset)

    def make() -> torch.Tensor:
        with zip_reading.opened(source) as again:
            data = np.frombuffer(again.read(member.info), np.uint8, offset=start)
        return _tensor(data, descriptor, shape, fortran_order, kind)

    return replace(computed(name, kind, shape, make), offset=member.info.header_offset)


def _text(data: bytes, descriptor: str, where: str) -> str:
    try:
        return data.decode("utf-32-be" if descriptor[0] == ">" else "utf-32-le").rstrip("\0")
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{where}: the text is damaged: {error.reason}.") from error


def _tensor(data: np.ndarray, descriptor: str, shape: tuple[int, ...], fortran_order: bool, kind: str) -> torch.Tensor:
    element = BY_NAME[kind]
    if descriptor[0] == ">" and element.size > 1:
        part = element.size // 2 if kind.startswith("Complex") else element.size
        data = data.reshape(-1, part)[:, ::-1].reshape(-1)
    flat = torch.from_numpy(np.array(data)).view(element.dtype)
    return flat.reshape(shape[::-1]).permute(*range(len(shape))[::-1]) if fortran_order else flat.reshape(shape)


def _header_end(head: bytes) -> int:
    """Return where the elements of a `.npy` begin, by its first bytes."""
    width = 2 if head[6:7] == b"\x01" else 4
    return 8 + width + int.from_bytes(head[8 : 8 + width], "little")


@functools.lru_cache(1024)  # the arrays of an archive have few shapes
def _parse_header(head: bytes) -> tuple[str, bool, tuple[int, ...]]:
    """Read the header of a `.npy`; return descriptor, order and shape.

    Raises:
        ValueError: it is damaged, or the array is a structured one.
    """
    if head[:6] != MAGIC or len(head) < _header_end(head) or len(head) > MOST_HEADER_BYTES:
        raise ValueError(f"no .npy array, or one with a header of {_header_end(head)} bytes")
    try:
        row = ast.literal_eval(head[10 if head[6] == 1 else 12 :].decode("utf-8"))
        descriptor, fortran_order, shape = row["descr"], row["fortran_order"], row["shape"]
        sound = isinstance(descriptor, str) and descriptor and isinstance(shape, tuple) and len(shape) <= 64
        sound = sound and all(type(dim) is int and dim >= 0 for dim in shape)
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        sound = False
    if not sound:
        raise ValueError("the .npy header is damaged, or the array is a structured one")
    return descriptor, bool(fortran_order), shape


def _recognizes(source: Source, start: bytes) -> bool:
    names = zip_reading.names(source, start)
    return any(name.endswith(".npy") for name in names) or (not names and start.startswith(zip_reading.EMPTY_MAGIC))


FORMAT = Format(
    name="npz",
    suffixes=(".npz",),
    naming="torch",
    has_both_namings=True,
    recognizes=_recognizes,
    read=lambda source: Contents(read(source)),
    write=write,
    check_sums=zip_reading.check_sums,
    shards=("model", ".npz"),
)
