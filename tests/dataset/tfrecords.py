"""TFRecord files of `tf.train.Example`s, as TensorFlow writes them."""

import struct
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msbridge.converters.messages.wire import varint


@cache
def _table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [(crc >> 1) ^ (0x82F63B78 if crc & 1 else 0) for crc in table]
    return table


def checksum(data: bytes) -> bytes:
    """CRC-32C, rotated by 15 bits, plus a constant."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _table()[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def feature(values: Any, packed: bool = True) -> bytes:
    """Of a list of strings or bytes, floats, or ints; an empty list has no type."""
    values = values if isinstance(values, list) else [values]
    if not values:
        return b""
    if isinstance(values[0], (str, bytes)):
        parts = [each.encode() if isinstance(each, str) else each for each in values]
        return field(1, b"".join(field(1, each) for each in parts))
    if isinstance(values[0], float):
        floats = [struct.pack("<f", each) for each in values]
        return field(2, field(1, b"".join(floats)) if packed else b"".join(b"\x0d" + each for each in floats))
    integers = [varint(each) for each in values]
    return field(3, field(1, b"".join(integers)) if packed else b"".join(b"\x08" + each for each in integers))


def example(features: Mapping[str, Any], packed: bool = True) -> bytes:
    entries = (field(1, name.encode()) + field(2, feature(each, packed)) for name, each in features.items())
    return field(1, b"".join(field(1, entry) for entry in entries))


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    return head + checksum(head) + data + checksum(data)


def tfrecord(rows: Iterable[Mapping[str, Any] | bytes]) -> bytes:
    """A whole file; rows are features, or bytes as they are."""
    return b"".join(record(row if isinstance(row, bytes) else example(row)) for row in rows)
