"""One row in a file: a raw part with its numbers and strings, a blob part with its bytes and arrays.

Raw part: 8 bytes of length, a packed map. Blob part: 8 bytes of length, then its
fields, each led by 8 bytes of length (big-endian) unless there is only one.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.dataset.mindrecord.format.msgpack_rows import Scalar, pack, unpack
from msbridge.dataset.mindrecord.format.schema import INTEGERS, Schema

HEAD_BYTES = 8
NO_SCALARS: dict[str, Scalar] = {"id": 0}  # what is in the raw part of a row without numbers and strings
NO_BLOBS = bytes(4)


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row's two parts, and how many bytes compressing its integers saved."""

    raw: bytes
    blob: bytes
    saved_bytes: int


def encode_row(schema: Schema, row: Mapping[str, Any]) -> StoredRow:
    """Encode a row that fits the schema.

    Raises:
        RuntimeError: a number has more than 64 bits, a string has no UTF-8 form, or the only blob field is empty.
    """
    try:
        packed = pack(schema.scalars(row) or NO_SCALARS)
    except (OverflowError, UnicodeEncodeError) as error:
        raise RuntimeError(f"Unable to store the row with the fields {sorted(row)}: {error}.") from error
    blobs, saved = [], 0
    for name in schema.blob_fields:
        data = schema.encode(name, row[name])
        blobs.append(data)
        if schema.fields[name]["type"] in INTEGERS:
            saved += row[name].nbytes - len(data)
    only = row[schema.blob_fields[0]] if len(blobs) == 1 else None
    if only is not None and not (only.size if isinstance(only, np.ndarray) else len(only)):
        raise RuntimeError(
            f"The row's only blob field {schema.blob_fields[0]!r} is empty, which MindRecord cannot store: leave the "
            "row out, or add a second field of bytes or with a shape."
        )
    body = _join_blobs(blobs)
    raw = len(packed).to_bytes(8, "little") + packed
    return StoredRow(raw, len(body).to_bytes(8, "little") + body, saved)


def _join_blobs(blobs: list[bytes]) -> bytes:
    if len(blobs) == 1:
        return blobs[0]
    return b"".join(len(data).to_bytes(8, "big") + data for data in blobs) or NO_BLOBS


def decode_raw(data: bytes, names: Collection[str]) -> dict[str, Scalar]:
    """Read the fields `names` of a raw part.

    Raises:
        ValueError: the bytes are something else.
    """
    if int.from_bytes(data[:8], "little") != len(data) - HEAD_BYTES:
        raise ValueError(f"a row of {len(data)} bytes says it has {int.from_bytes(data[:8], 'little')}")
    return unpack(data[HEAD_BYTES:], names)


def decode_blob(schema: Schema, data: bytes, names: Collection[str]) -> dict[str, bytes | np.ndarray]:
    """Read the fields `names` of a blob part.

    Raises:
        ValueError: the bytes are something else.
    """
    if int.from_bytes(data[:8], "little") != len(data) - HEAD_BYTES:
        raise ValueError(f"a row of {len(data)} bytes says it has {int.from_bytes(data[:8], 'little')}")
    fields: dict[str, bytes | np.ndarray] = {}
    for name, start, end in _places(schema, data):
        if name in names:
            try:
                fields[name] = schema.decode(name, data[start:end])
            except ValueError as error:
                raise ValueError(f"field {name!r}: {error}") from error
    return fields


def _places(schema: Schema, data: bytes) -> Iterator[tuple[str, int, int]]:
    if len(schema.blob_fields) == 1:
        yield schema.blob_fields[0], HEAD_BYTES, len(data)
        return
    place = HEAD_BYTES
    for name in schema.blob_fields:
        start = place + 8
        place = start + int.from_bytes(data[place:start], "big")
        if place > len(data):
            raise ValueError(f"field {name!r} ends at byte {place} of {len(data)}")
        yield name, start, place
