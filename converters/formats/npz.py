"""numpy's `.npz`: a zip archive with one `.npy` for each tensor.

bfloat16, which numpy does not have, is a two-byte void, as the ml_dtypes package writes it. No pickled objects.
"""

import ast
import math
import os
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np
import torch

from msbridge.converters.content import Entry, InFile, computed, entry
from msbridge.converters.elements import BY_NAME, ELEMENTS
from msbridge.converters.errors import CheckpointError
from msbridge.converters.files import Progress, Source, StreamSink, replacing_path

MAGIC = b"\x93NUMPY"
MOST_HEADER_BYTES = 1 << 16
MOST_EXPANSION = 1 << 30  # bytes: a compressed member may be larger than this only when it expands less than 100-fold
BY_DESCRIPTOR = {element.numpy[1:]: element for element in ELEMENTS if element.numpy}


def read(source: Source) -> Iterator[Entry]:
    """Give the arrays of a `.npz`; stored ones are read when they are used, compressed ones as well.

    Raises:
        CheckpointError: the archive or a header is damaged, or an array is of a type that no tensor has.
    """
    try:
        with zipfile.ZipFile(source.path) as archive:
            for member in archive.infolist():
                if member.filename.endswith(".npy"):
                    yield _entry(source, archive, member)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise CheckpointError(f"{source.path}: the archive is cut short or damaged: {error}.") from error


def write(path: str | os.PathLike, entries: Iterable[Entry], *, progress: Progress | None = None) -> None:
    """Write entries as an uncompressed `.npz`.

    Raises:
        CheckpointError: a name stands twice, or an element type has no place in the format.
        OSError: the target cannot be written.
    """
    seen: set[str] = set()
    with replacing_path(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for one in entries:
            member = zipfile.ZipInfo(one.name + ".npy")
            if one.name in seen or member.filename != one.name + ".npy":
                reason = "two entries are called" if one.name in seen else "no zip archive can hold the name"
                raise CheckpointError(f"{path}: {reason} {one.name!r}.")
            seen.add(one.name)
            with archive.open(member, "w", force_zip64=one.nbytes >= 1 << 31) as file:
                file.write(_header(one, path))
                one.content.write(StreamSink(file, progress))


def _header(one: Entry, path: str | os.PathLike) -> bytes:
    if one.is_text:
        descriptor: str | None = f"<U{one.nbytes // 4}"
    else:
        descriptor = one.element.numpy if one.type != "Int4" else "|i1"
    if descriptor is None:
        raise CheckpointError(f"{path}: {one.name!r} is {one.type}, for which numpy has no type; write .ckpt instead.")
    text = f"{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {one.shape!r}, }}".encode("ascii")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text


def _entry(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Entry:
    name = member.filename.removesuffix(".npy")
    where = f"{source.path}: {name!r} at offset {member.header_offset}"
    with archive.open(member) as file:
        descriptor, fortran_order, shape, start = _parse_header(file, where)
    stored = member.compress_type == zipfile.ZIP_STORED
    if not stored and member.file_size > max(MOST_EXPANSION, 100 * member.compress_size):
        raise CheckpointError(f"{where}: {member.compress_size} bytes claim to become {member.file_size}: refused.")
    code = descriptor.lstrip("<>|=")
    text = re.fullmatch(r"U(\d+)", code)
    if not text and code not in BY_DESCRIPTOR:
        reason = (
            "pickled objects, which are not read"
            if "O" in code
            else f"of numpy type {descriptor!r}, which no tensor has"
        )
        raise CheckpointError(f"{where}: {reason}.")
    size = 4 * int(text[1]) if text else BY_DESCRIPTOR[code].size
    nbytes = math.prod(shape) * size
    if start + nbytes != member.file_size:
        raise CheckpointError(
            f"{where}: {descriptor} of shape {shape} takes {nbytes} bytes, it has {member.file_size - start}."
        )
    if text:
        if shape != ():
            raise CheckpointError(f"{where}: an array of texts of shape {shape}; only a single text can be kept.")
        return entry(name, str(np.frombuffer(archive.read(member)[start:], descriptor)[0]))
    kind = BY_DESCRIPTOR[code].name
    if stored and descriptor[0] != ">" and not fortran_order:
        offset = _data_offset(source, member, where) + start
        return Entry(name, kind, shape, InFile(source, ((offset, nbytes),)), offset)

    def make() -> torch.Tensor:
        with zipfile.ZipFile(source.path) as again:
            data = np.frombuffer(again.read(member), np.uint8, offset=start)
        return _tensor(data, descriptor, shape, fortran_order, kind)

    return computed(name, kind, shape, make)


def _tensor(data: np.ndarray, descriptor: str, shape: tuple[int, ...], fortran_order: bool, kind: str) -> torch.Tensor:
    element = BY_NAME[kind]
    if descriptor[0] == ">" and element.size > 1:
        part = element.size // 2 if kind.startswith("Complex") else element.size
        data = data.reshape(-1, part)[:, ::-1].reshape(-1)
    flat = torch.from_numpy(np.array(data)).view(element.dtype)
    return flat.reshape(shape[::-1]).permute(*range(len(shape))[::-1]) if fortran_order else flat.reshape(shape)


def _parse_header(file: IO[bytes], where: str) -> tuple[str, bool, tuple[int, ...], int]:
    """Read the header of a `.npy`; give descriptor, order, shape and where the elements begin."""
    start = file.read(8)
    width = 2 if start[6:7] == b"\x01" else 4
    length = int.from_bytes(file.read(width), "little")
    if start[:6] != MAGIC or length > MOST_HEADER_BYTES:
        raise CheckpointError(f"{where}: no .npy array, or one with a header of {length} bytes.")
    try:
        row = ast.literal_eval(file.read(length).decode("utf-8"))
        descriptor, fortran_order, shape = row["descr"], row["fortran_order"], row["shape"]
        sound = isinstance(descriptor, str) and descriptor and isinstance(shape, tuple) and len(shape) <= 64
        sound = sound and all(type(dim) is int and dim >= 0 for dim in shape)
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        sound = False
    if not sound:
        raise CheckpointError(f"{where}: the .npy header is damaged, or the array is a structured one.")
    return descriptor, bool(fortran_order), shape, 8 + width + length


def _data_offset(source: Source, member: zipfile.ZipInfo, where: str) -> int:
    """Find where the bytes of a stored member begin."""
    local = source.read(member.header_offset, 30)
    if len(local) < 30 or local[:4] != b"PK\x03\x04":
        raise CheckpointError(f"{where}: no local header there; the archive is damaged.")
    offset = member.header_offset + 30 + sum(struct.unpack("<HH", local[26:30]))
    if offset + member.file_size > source.size:
        raise CheckpointError(f"{where}: claims {member.file_size} bytes, the file ends at {source.size}.")
    return offset
