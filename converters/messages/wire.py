"""The bytes of protobuf messages: keys, numbers and lengths (protobuf.dev/programming-guides/encoding)."""

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5  # wire types
MAX_VARINT_BYTES = 10
FIXED = {EIGHT_BYTES: 8, FOUR_BYTES: 4}


class DecodeError(ValueError):
    """Bytes that are not a message of the kind that was asked for; protobuf's own DecodeError is not a ValueError."""


def varint(number: int) -> bytes:
    """Write a number; a negative one takes ten bytes."""
    if 0 <= number < 128:
        return bytes((number,))
    number &= (1 << 64) - 1
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def read_varint(data: bytes | memoryview, position: int, end: int) -> tuple[int, int]:
    """Read a number of at most 64 bits; return it and where it ends.

    Raises:
        DecodeError: it runs over the end, or over ten bytes.
    """
    if position < end and (byte := data[position]) < 128:
        return byte, position + 1
    result = shift = 0
    while position < end:
        byte = data[position]
        position += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result & ((1 << 64) - 1), position
        shift += 7
        if shift >= 7 * MAX_VARINT_BYTES:
            raise DecodeError("a number of more than ten bytes")
    raise DecodeError("the message ends inside a number")


def read_field(data: bytes | memoryview, position: int, end: int) -> tuple[int, int, int, int]:
    """Read a key and find its value; return the field's number, its wire type, and where the value begins and ends.

    Raises:
        DecodeError: there is no such field, or it runs over the end.
    """
    key, start = read_varint(data, position, end)
    number, wire = key >> 3, key & 7
    if not 0 < number < 1 << 29:
        raise DecodeError(f"{number} is not a number of a field")
    if wire == VARINT:
        return number, wire, start, read_varint(data, start, end)[1]
    if wire == LENGTH:
        length, start = read_varint(data, start, end)
        stop = start + length
    elif wire in FIXED:
        stop = start + FIXED[wire]
    else:
        raise DecodeError(f"wire type {wire} at byte {position}")
    if stop > end:
        raise DecodeError(f"field {number} at byte {position} runs over the end of its message")
    return number, wire, start, stop
