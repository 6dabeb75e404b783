"""`tf.train.Example`: named features of a record, each a list of byte strings, floats or 64-bit integers.

    Example { Features features = 1 }            Features { map<string, Feature> feature = 1 }
    Feature { BytesList = 1 | FloatList = 2 | Int64List = 3 }      each of them { repeated value = 1 }

This is protobuf's wire format. Records of one file nearly always look alike, so `parse_examples` reads many at once,
in steps that numpy takes for all of them. What does not look alike `parse_example` reads one by one, by all rules.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.converters.messages.wire import VARINT, read_field, read_varint

MISSING, UNSET, BYTES, FLOATS, INTEGERS = -1, 0, 1, 2, 3
KINDS = {MISSING: "missing", UNSET: "no type", BYTES: "string", FLOATS: "float32", INTEGERS: "int64"}
TAGS = {BYTES: 0x0A, FLOATS: 0x12, INTEGERS: 0x1A}  # of fields 1, 2 and 3 with a length
SIZE_BYTES, INTEGER_BYTES = 5, 10  # the longest varints: of a length, and of 64 bits
PADDING = bytes(64)  # behind the last record: looking ahead needs no checks
SHORT = 4096  # bytes, up to which numpy copies stretches of one length faster than Python
WORD_MASKS = np.array([(1 << 8 * min(size, 8)) - 1 for size in range(1, INTEGER_BYTES + 1)], np.uint64)


class UnevenRecords(Exception):
    """Records do not look alike, or one is damaged: each has to be read by itself."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature of some records.

    Attributes:
        kind: what it holds in all of them.
        counts: int64 (records,), how many values each record has.
        values: those of all records: float32 or int64 (n,), or a list of stretches of the
            records, which are not copied.
    """

    kind: int
    counts: np.ndarray
    values: Any


def parse_examples(records: Sequence[bytes], names: Collection[str]) -> dict[str, Feature]:
    """Read some features of records that look alike.

    Raises:
        UnevenRecords: they do not.
    """
    data = b"".join([*records, PADDING])
    buffer = np.frombuffer(data, np.uint8)
    ends = np.cumsum(np.fromiter(map(len, records), np.int64, len(records)))
    places, stops = _spans(buffer, np.concatenate([[0], ends[:-1]]), TAGS[BYTES], ends)
    _check(stops == ends)
    by_name = {name: (np.full(len(records), MISSING), np.zeros((2, len(records)), np.int64)) for name in names}
    active = np.arange(len(records))
    while len(active := active[places[active] < ends[active]]):
        entries, places[active] = _spans(buffer, places[active], TAGS[BYTES], ends[active])
        stops = places[active]
        keys, key_ends = _spans(buffer, entries, TAGS[BYTES], stops)
        values, value_ends = _spans(buffer, key_ends, TAGS[FLOATS], stops)  # field 2 of the map's entry
        _check((value_ends == stops) & (values < stops))
        kinds = buffer[values] >> 3  # the number of the field
        lists, list_ends = _spans(buffer, values, None, stops)
        _check((list_ends == stops) & (kinds >= BYTES) & (kinds <= INTEGERS) & (buffer[values] & 7 == 2))
        for name, rows in _by_key(data, keys, key_ends):
            if name in by_name:
                by_name[name][0][active[rows]] = kinds[rows]
                by_name[name][1][:, active[rows]] = lists[rows], list_ends[rows]
    return {name: _feature(data, buffer, *each) for name, each in by_name.items()}


def _check(is_so: np.ndarray) -> None:
    if not is_so.all():
        raise UnevenRecords


def _spans(buffer: np.ndarray, at: np.ndarray, tag: int | None, limits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return begin and end of the fields with a length that are at some places and end before the limits."""
    if tag is not None:
        _check(buffer[at] == tag)
    size = buffer[at + 1].astype(np.int64)
    at = at + 2
    if size.max(initial=0) >= 128:
        more, size = size >= 128, size & 127
        for shift in range(7, 7 * SIZE_BYTES, 7):
            byte = np.where(more, buffer[at], 0).astype(np.int64)
            size += (byte & 127) << shift
            at += more
            more = byte >= 128
            if not more.any():
                break
        _check(~more)
    stops = at + size
    _check(stops <= limits)
    return at, stops


def _windows(data: Any, size: int) -> np.ndarray:
    """Return all stretches of `size` bytes as uint8 (n, size), without copying them."""
    return np.ndarray((len(data) - size + 1, size), np.uint8, data, strides=(1, 1))


def _by_key(data: bytes, starts: np.ndarray, stops: np.ndarray) -> Iterator[tuple[str, np.ndarray | slice]]:
    """Group rows by the bytes of their keys; a key comes once."""
    left = np.arange(len(starts))
    while len(left):
        key = data[starts[left[0]] : stops[left[0]]]
        same = left[stops[left] - starts[left] == len(key)]
        same = same[(_windows(data, len(key))[starts[same]] == np.frombuffer(key, np.uint8)).all(1)]
        if len(same) == len(starts):
            yield _text(key), slice(None)
            return
        yield _text(key), same
        left = np.setdiff1d(left, same, assume_unique=True)


def _join_stretches(data: bytes, starts: np.ndarray, stops: np.ndarray) -> Any:
    """Return some stretches in sequence, in memory of its own."""
    sizes = stops - starts
    if len(sizes) and sizes[0] <= SHORT and (sizes == sizes[0]).all():
        return _windows(data, int(sizes[0]))[starts].reshape(-1)
    return bytearray().join([data[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)])


def _feature(data: bytes, buffer: np.ndarray, kinds: np.ndarray, lists: np.ndarray) -> Feature:
    kind = int(kinds[0]) if len(kinds) else MISSING
    _check(kinds == kind)
    if kind in (MISSING, UNSET):
        return Feature(kind, np.zeros(len(kinds), np.int64), [])
    if kind == BYTES:
        return _strings(data, buffer, *lists)
    starts, stops = lists
    sizes = np.zeros(len(starts), np.int64)
    filled = np.flatnonzero(starts < stops)
    places, ends = _spans(buffer, starts[filled], TAGS[BYTES], stops[filled])
    _check(ends == stops[filled])
    packed = _join_stretches(data, places, ends)
    sizes[filled] = ends - places
    if kind == FLOATS:
        _check(sizes % 4 == 0)
        return Feature(kind, sizes // 4, np.frombuffer(packed, "<f4"))
    return Feature(kind, *_integers(np.frombuffer(packed, np.uint8), sizes))


def _strings(data: bytes, buffer: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> Feature:
    counts = np.zeros(len(starts), np.int64)
    owners, parts, view = [], [], memoryview(data)
    places, active = starts.copy(), np.arange(len(starts))
    while len(active := active[places[active] < stops[active]]):
        begins, ends = _spans(buffer, places[active], TAGS[BYTES], stops[active])
        places[active] = ends
        counts[active] += 1
        owners.append(active)
        parts.append([view[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)])
    values = [value for part in parts for value in part]
    if len(parts) > 1:  # those of one record are together
        values = [values[place] for place in np.argsort(np.concatenate(owners), kind="stable").tolist()]
    return Feature(BYTES, counts, values)


def _integers(packed: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Read varints; return how many each record has, and all of them."""
    last = packed < 128
    if last.all():
        return sizes, packed.astype(np.int64)
    ends = np.flatnonzero(last)
    record_ends = np.cumsum(sizes)
    _check(last[record_ends[sizes > 0] - 1])
    totals = np.searchsorted(ends, record_ends)
    counts = totals.copy()
    counts[1:] -= totals[:-1]
    starts = np.zeros(len(ends), np.int64)
    np.add(ends[:-1], 1, out=starts[1:])
    widths = ends - starts
    longest = int(widths.max()) + 1
    if longest > INTEGER_BYTES:
        raise UnevenRecords
    # All bytes of a number at once, as one integer of 4 or 8, whose groups of 7 bits are then moved together.
    word = np.dtype("<u4" if longest <= 4 else "<u8")
    padded = np.concatenate([packed, np.zeros(word.itemsize, np.uint8)])
    words = np.ndarray(len(packed), word, padded, strides=(1,))[starts]
    words &= WORD_MASKS[:longest].astype(word)[widths]
    values = words & word.type(0x7F)
    for place in range(1, min(longest, word.itemsize)):
        values |= (words >> word.type(place)) & word.type(0x7F << (7 * place))
    for place in range(word.itemsize, longest):
        longer = np.flatnonzero(widths >= place)
        values[longer] |= (packed[starts[longer] + place] & 127).astype(np.uint64) << np.uint64(7 * place)
    return counts, values.astype(np.int64)


def parse_example(record: bytes, names: Collection[str]) -> dict[str, Feature]:
    """Read some features of one record.

    Raises:
        ValueError: it is no `tf.train.Example`.
    """
    found = {name: _single(feature) for name, feature in _features(record) if name in names}
    result = {}
    for name in names:
        kind, values = found.get(name, (MISSING, []))
        dtype = {FLOATS: np.float32, INTEGERS: np.int64}.get(kind)
        result[name] = Feature(kind, np.array([len(values)]), values if dtype is None else np.array(values, dtype))
    return result


def feature_kinds(record: bytes) -> dict[str, int]:
    """Return the names of a record's features in alphabetical order, and what they hold.

    Raises:
        ValueError: it is no `tf.train.Example`.
    """
    return dict(sorted((name, _single(feature)[0]) for name, feature in _features(record)))


def _features(record: bytes) -> Iterator[tuple[str, memoryview]]:
    for features in _iterate_nested(memoryview(record), 1):
        for entry in _iterate_nested(features, 1):
            key, feature = memoryview(b""), memoryview(b"")
            for number, wire, value in _wire(entry):
                if wire == 2 and number == 1:
                    key = value
                elif wire == 2 and number == 2:  # parts of a message that are apart are one message
                    feature = memoryview(b"".join([feature, value])) if feature else value
            yield _text(bytes(key)), feature


def _single(feature: memoryview) -> tuple[int, list[Any]]:
    """Read a Feature: the last of its lists counts, whose parts may be apart."""
    kind, values = UNSET, list[Any]()
    for number, wire, value in _wire(feature):
        if number not in TAGS or wire != 2:
            continue
        values = values if number == kind else []
        kind = number
        values += _LISTS[kind](value)
    return kind, values


def _byte_strings(data: memoryview) -> list[Any]:
    return list(_iterate_nested(data, 1))


def _floats(data: memoryview) -> list[Any]:
    packed = [value for number, wire, value in _wire(data) if number == 1 and wire in (2, 5)]
    if any(len(part) % 4 for part in packed):
        raise ValueError("a list of floats has a part of one")
    return np.frombuffer(b"".join(packed), "<f4").tolist()


def _whole_numbers(data: memoryview) -> list[Any]:
    values: list[int] = []
    for number, wire, value in _wire(data):
        if number == 1 and wire == 0:
            values.append(value)
        elif number == 1 and wire == 2:
            values += _unpack_varints(value)
    return [value - (1 << 64) if value >> 63 else value for value in values]


def _unpack_varints(data: memoryview) -> Iterator[int]:
    place = 0
    while place < len(data):
        integer, place = read_varint(data, place, len(data))
        yield integer


_LISTS = {BYTES: _byte_strings, FLOATS: _floats, INTEGERS: _whole_numbers}


def _iterate_nested(data: memoryview, wanted: int) -> Iterator[memoryview]:
    return (value for number, wire, value in _wire(data) if number == wanted and wire == 2)


def _wire(data: memoryview) -> Iterator[tuple[int, int, Any]]:
    """Yield number, wire type and value of each field of a message."""
    place = 0
    while place < len(data):
        number, wire, start, place = read_field(data, place, len(data))
        yield number, wire, read_varint(data, start, place)[0] if wire == VARINT else data[start:place]


def _text(key: bytes) -> str:
    return key.decode("utf-8", "surrogateescape")
