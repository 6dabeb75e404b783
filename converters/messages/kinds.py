"""The kinds of values that a field of a message may have: what they take, and how they stand in bytes and in text."""

import math
import operator
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msbridge.converters.messages.wire import EIGHT_BYTES, FOUR_BYTES, LENGTH, VARINT, DecodeError, read_varint, varint


@dataclass(frozen=True)
class Kind:
    """A kind of scalars.

    Attributes:
        name: protobuf's word.
        wire: the wire type.
        default: the value of a field that has none.
        check: returns what is stored of a value that a user gave, or raises TypeError or ValueError.
        encode: the bytes of a value.
        decode: a value from data, its beginning and its end.
        text: a value in the text form.
    """

    name: str
    wire: int
    default: Any
    check: Callable[[Any], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes | memoryview, int, int], Any]
    text: Callable[[Any], str]


class EnumType:
    """The values of an enumeration, by name and by number.

    Follows: google.protobuf.internal.enum_type_wrapper.EnumTypeWrapper (6.x).
    """

    def __init__(self, name: str, values: Mapping[str, int]):
        self.name = name
        self._numbers = dict(values)
        self._names = {number: name for name, number in reversed(list(values.items()))}

    def Name(self, number: int) -> str:
        """Return the name of a number; ValueError if it has none."""
        if number not in self._names:
            raise ValueError(f"{self.name} has no name for the value {number}")
        return self._names[number]

    def Value(self, name: str) -> int:
        """Return the number of a name; ValueError if it has none."""
        if name not in self._numbers:
            raise ValueError(f"{self.name} has no value {name!r}")
        return self._numbers[name]

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self._numbers)

    def values(self) -> list[int]:
        """Return the numbers."""
        return list(self._numbers.values())

    def items(self) -> list[tuple[str, int]]:
        """Return names and numbers."""
        return list(self._numbers.items())

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._names

    def __getattr__(self, name: str) -> int:
        numbers = self.__dict__.get("_numbers", {})
        if name not in numbers:
            raise AttributeError(f"{self.__dict__.get('name')} has no value {name!r}")
        return int(numbers[name])

    def kind(self) -> Kind:
        """Return the kind of fields that hold a value of it."""

        def check(value: Any) -> int:
            if isinstance(value, str):
                if value not in self._numbers:
                    raise TypeError(f"{value!r} is no value of {self.name}")
                return self._numbers[value]
            number = _whole(value)
            if number not in self._names:
                raise ValueError(f"Unknown enum value: {number}")
            return number

        def decode(data: bytes | memoryview, start: int, stop: int) -> int:
            return _signed(data, start, stop, 32)

        return Kind(self.name, VARINT, next(iter(self._numbers.values())), check, varint, decode, self.Name)


def _whole(value: Any) -> int:
    if isinstance(value, bool | float):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: (<class 'int'>,)")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: (<class 'int'>,)") from None


def _integer(name: str, bits: int, is_signed: bool) -> Kind:
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if is_signed else (0, 1 << bits)

    def check(value: Any) -> int:
        number = _whole(value)
        if not low <= number < high:
            raise ValueError(f"Value out of range: {number}")
        return number

    def decode(data: bytes | memoryview, start: int, stop: int) -> int:
        number = _signed(data, start, stop, bits)
        return number if is_signed else number & ((1 << bits) - 1)

    return Kind(name, VARINT, 0, check, varint, decode, str)


def _signed(data: bytes | memoryview, start: int, stop: int, bits: int) -> int:
    number = read_varint(data, start, stop)[0] & ((1 << bits) - 1)
    return number - (1 << bits) if number >> (bits - 1) else number


def _floating(name: str, code: str, wire: int) -> Kind:
    layout = struct.Struct(code)

    def check(value: Any) -> float:
        if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
            raise TypeError(f"{value!r} has type {type(value)}, but expected one of: int, float")
        number = float(value)
        return number if code == "<d" else _as_single(number)

    def decode(data: bytes | memoryview, start: int, stop: int) -> float:
        return float(layout.unpack_from(data, start)[0])

    return Kind(name, wire, 0.0, check, layout.pack, decode, repr if code == "<d" else _shortest)


def _as_single(number: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def _shortest(number: float) -> str:
    """Write a float32 with as few digits as tell it from its neighbours."""
    for digits in range(6, 10):
        short = float(f"{number:.{digits}g}")
        if _as_single(short) == number:
            return repr(short)
    return repr(number)


def _check_bool(value: Any) -> bool:
    return bool(value) if isinstance(value, bool) else bool(_whole(value))


def _check_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if not isinstance(value, str):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: (<class 'bytes'>, <class 'str'>)")
    value.encode("utf-8")
    return value


def _check_bytes(value: Any) -> bytes:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: (<class 'bytes'>,)")
    return bytes(value)


def _decode_text(data: bytes | memoryview, start: int, stop: int) -> str:
    try:
        return str(data[start:stop], "utf-8")
    except UnicodeDecodeError as error:
        raise DecodeError(f"a text at byte {start} is no UTF-8: {error.reason}") from error


def _decode_bool(data: bytes | memoryview, start: int, stop: int) -> bool:
    return read_varint(data, start, stop)[0] != 0


def _decode_bytes(data: bytes | memoryview, start: int, stop: int) -> bytes | memoryview:
    return data[start:stop]  # of memory a view: tensors stay where they are


_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPED.get(one) or (f"\\{ord(one):03o}" if _is_odd(one) else one) for one in text) + '"'


def _is_odd(character: str) -> bool:
    return ord(character) < 32 or ord(character) == 127


def _quoted_bytes(value: bytes) -> str:
    return '"' + "".join(_ESCAPED.get(chr(b)) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in value) + '"'


KINDS = {
    kind.name: kind
    for kind in (
        _integer("int32", 32, True),
        _integer("int64", 64, True),
        _integer("uint32", 32, False),
        _integer("uint64", 64, False),
        _floating("float", "<f", FOUR_BYTES),
        _floating("double", "<d", EIGHT_BYTES),
        Kind("bool", VARINT, False, _check_bool, varint, _decode_bool, lambda one: str(one).lower()),
        Kind("string", LENGTH, "", _check_text, lambda one: bytes(one, "utf-8"), _decode_text, _quoted),
        Kind("bytes", LENGTH, b"", _check_bytes, bytes, _decode_bytes, _quoted_bytes),
    )
}
