"""Integer arrays: the count (4 bytes, big-endian), two bits per element for its width, then the elements.

The width bits are four to a byte, the first element in the highest two: 0, 1, 2, 3 for elements of 1, 2, 4, 8 bytes,
which are signed and little-endian. Each element takes the smallest width that holds it.
"""

import numpy as np

_DTYPES = tuple(np.dtype(f"<i{1 << code}") for code in range(4))
_SHIFTS = np.array([6, 4, 2, 0], np.uint8)
_CODES = np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS & 3  # the four widths that a byte represents
ELEMENTS_AT_ONCE = 1 << 16  # places and widths take many times the space of the elements
_WIDTHS = np.array([1, 2, 4, 8])
_UNUSED_BITS = 64 - 8 * _WIDTHS  # of eight bytes that begin with an element


def compress(values: np.ndarray) -> bytes:
    """Encode a flat integer array."""
    count = len(values)
    codes = np.zeros(count, np.uint8)
    for dtype in _DTYPES[:3]:
        limits = np.iinfo(dtype)
        codes += (values < limits.min) | (values > limits.max)
    padded = np.zeros(-(-count // 4) * 4, np.uint8)
    padded[:count] = codes
    packed = np.bitwise_or.reduce(padded.reshape(-1, 4) << _SHIFTS, axis=1)
    return count.to_bytes(4, "big") + packed.astype(np.uint8).tobytes() + _elements(values, codes)


def _elements(values: np.ndarray, codes: np.ndarray) -> bytes:
    present = np.flatnonzero(np.bincount(codes, minlength=4)).tolist()
    if len(present) <= 1:
        return values.astype(_DTYPES[present[0] if present else 0]).tobytes()
    ends = np.cumsum(_WIDTHS[codes])
    data = np.empty(ends[-1], np.uint8)
    for code in present:
        chosen, width = codes == code, 1 << code
        elements = values[chosen].astype(_DTYPES[code])
        places = ends[chosen][:, None] - width + np.arange(width)
        data[places] = elements.view(np.uint8).reshape(-1, width)
    return data.tobytes()


def expand(data: bytes, dtype: np.dtype) -> np.ndarray:
    """Read a stored integer array as a flat array of `dtype`.

    Raises:
        ValueError: the bytes are not a packed array.
    """
    count = int.from_bytes(data[:4], "big")
    start = 4 + -(-count // 4)
    if len(data) < 4 or len(data) < start + count:
        raise ValueError(f"{len(data)} bytes cannot hold {count} integers")
    if len(data) == start + count and data.count(0, 4, start) == start - 4:  # all elements of one byte
        return np.frombuffer(data, np.int8, count, start).astype(dtype)
    values = np.empty(count, dtype)
    place = start
    for first in range(0, count, ELEMENTS_AT_ONCE):
        part = values[first : first + ELEMENTS_AT_ONCE]
        codes = _CODES[np.frombuffer(data, np.uint8, -(-len(part) // 4), 4 + first // 4)].reshape(-1)[: len(part)]
        amounts = np.bincount(codes, minlength=4).tolist()
        size = sum(amount << code for code, amount in enumerate(amounts))
        if place + size > len(data) or (amounts[3] and dtype.itemsize < 8):
            raise ValueError(f"{count} integers of {dtype} take more than the {len(data)} bytes that there are")
        _expand(np.frombuffer(data, np.uint8, size, place), codes, amounts, part)
        place += size
    if place != len(data):
        raise ValueError(f"{count} integers take {place} bytes, there are {len(data)}")
    return values


def _expand(body: np.ndarray, codes: np.ndarray, amounts: list[int], values: np.ndarray) -> None:
    present = [code for code in range(4) if amounts[code]]
    if len(present) == 1:
        values[:] = body.view(_DTYPES[present[0]])
        return
    padded = np.zeros(len(body) + 8, np.uint8)
    padded[: len(body)] = body
    widths, unused = _WIDTHS[codes], _UNUSED_BITS[codes]
    # Eight bytes from where each element begins; what follows it is shifted out, and the sign comes back.
    words = np.ndarray(len(body) + 1, "<i8", padded, strides=(1,))[np.cumsum(widths) - widths]
    values[:] = (words << unused) >> unused
