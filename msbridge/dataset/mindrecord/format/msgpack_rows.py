"""The values of a row that are not arrays: a MessagePack map of numbers and strings, as MindSpore writes it.

A number takes the smallest form that holds it exactly; a float is written in four bytes where that changes nothing.
"""

import struct
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

Scalar = int | float | str

_UNSIGNED = ((1 << 7, b"", ">B"), (1 << 8, b"\xcc", ">B"), (1 << 16, b"\xcd", ">H"), (1 << 32, b"\xce", ">I"))
_SIGNED = ((-32, b"", ">b"), (-(1 << 7), b"\xd0", ">b"), (-(1 << 15), b"\xd1", ">h"), (-(1 << 31), b"\xd2", ">i"))
# type byte → struct format of the value
_NUMBERS = {
    0xCA: ">f", 0xCB: ">d",
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
# type byte → struct format of the length
_STRINGS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}


def pack(values: Mapping[str, Scalar]) -> bytes:
    """Encode a map of names to numbers and strings, its names in alphabetical order.

    Raises:
        OverflowError: an integer has more than 64 bits.
        UnicodeEncodeError: a string has no UTF-8 form.
    """
    count = len(values)
    parts = [bytes([0x80 | count]) if count < 16 else b"\xde" + struct.pack(">H", count)]
    for name in sorted(values):
        parts.append(_string(name))
        parts.append(_PACKERS[type(values[name])](values[name]))
    return b"".join(parts)


def _integer(value: int) -> bytes:
    if value >= 0:
        for limit, head, form in _UNSIGNED:
            if value < limit:
                return head + struct.pack(form, value)
    else:
        for limit, head, form in _SIGNED:
            if value >= limit:
                return head + struct.pack(form, value)
    if not -(1 << 63) <= value < 1 << 63:
        raise OverflowError(f"{value} has more than 64 bits")
    return b"\xcf" + struct.pack(">Q", value) if value >= 0 else b"\xd3" + struct.pack(">q", value)


def _float(value: float) -> bytes:
    try:
        short = struct.pack(">f", value)
    except OverflowError:
        short = b""
    if short and struct.unpack(">f", short)[0] == value and value not in (np.inf, -np.inf):
        return b"\xca" + short
    return b"\xcb" + struct.pack(">d", value)


def _string(value: str) -> bytes:
    data = value.encode()
    size = len(data)
    if size < 32:
        return bytes([0xA0 | size]) + data
    for limit, head, form in ((1 << 8, b"\xd9", ">B"), (1 << 16, b"\xda", ">H"), (1 << 32, b"\xdb", ">I")):
        if size < limit:
            return head + struct.pack(form, size) + data
    raise OverflowError(f"a string of {size} bytes is too long")


_PACKERS: dict[type, Callable[[Any], bytes]] = {int: _integer, float: _float, str: _string}


def unpack(data: bytes, names: Collection[str]) -> dict[str, Scalar]:
    """Read what a map of names to numbers and strings says of some names.

    Raises:
        ValueError: the bytes are something else.
    """
    try:
        count, place = _count(data)
        values: dict[str, Scalar] = {}
        for _ in range(count):
            name, place = _value(data, place)
            value, place = _value(data, place)
            if not isinstance(name, str):
                raise ValueError(f"a name is {name!r}")
            if name in names:
                values[name] = value
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise ValueError(f"the map ends too early or is not a map ({error})") from error
    if place != len(data):
        raise ValueError(f"{len(data) - place} bytes follow the map")
    return values


def _count(data: bytes) -> tuple[int, int]:
    kind = data[0]
    if 0x80 <= kind < 0x90:
        return kind & 0x0F, 1
    if kind in _MAPS:
        form = _MAPS[kind]
        return struct.unpack_from(form, data, 1)[0], 1 + struct.calcsize(form)
    raise ValueError(f"byte {kind:#x} begins no map")


def _value(data: bytes, place: int) -> tuple[Scalar, int]:
    kind = data[place]
    place += 1
    if kind < 0x80:
        return kind, place
    if kind >= 0xE0:
        return kind - 256, place
    if 0xA0 <= kind < 0xC0:
        return _text(data, place, kind & 0x1F)
    if kind in _NUMBERS:
        form = _NUMBERS[kind]
        return struct.unpack_from(form, data, place)[0], place + struct.calcsize(form)
    if kind in _STRINGS:
        form = _STRINGS[kind]
        return _text(data, place + struct.calcsize(form), struct.unpack_from(form, data, place)[0])
    raise ValueError(f"byte {kind:#x} begins no number and no string")


def _text(data: bytes, place: int, size: int) -> tuple[str, int]:
    if place + size > len(data):
        raise ValueError(f"a string of {size} bytes does not fit into {len(data) - place}")
    return data[place : place + size].decode(), place + size
