"""`tf.train.Example`: many records at once, and each alone. Judge: protobuf's wire format."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msbridge.dataset.readers.streamed.example import (
    BYTES,
    FLOATS,
    INTEGERS,
    MISSING,
    UNSET,
    UnevenRecords,
    feature_kinds,
    parse_example,
    parse_examples,
)
from tests.dataset.tfrecords import example, feature, field

INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
ROWS = st.fixed_dictionaries(
    {
        "integers": st.lists(st.one_of(INT64, st.integers(0, 300)), min_size=1, max_size=9),
        "floats": st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=9),
        "bytes": st.lists(st.binary(max_size=200), min_size=1, max_size=4),
        "a rather long name " * 9: st.lists(st.integers(0, 1), min_size=1, max_size=200),
    }
)


@settings(max_examples=30, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_many_at_once_are_read_as_each_alone(rows: list[dict[str, list[object]]], random: object) -> None:
    names = ["integers", "floats", "bytes"]
    records = []
    for row in rows:
        keys = list(row)
        random.shuffle(keys)  # type: ignore[attr-defined]
        records.append(example({key: row[key] for key in keys}))
    together = parse_examples(records, names)
    alone = [parse_example(each, names) for each in records]
    for name in names:
        assert together[name].counts.tolist() == [len(row[name]) for row in rows]
        assert list(together[name].values) == [value for row in rows for value in row[name]]
        assert [list(each[name].values) for each in alone] == [row[name] for row in rows]


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for record in (data, field(1, data), field(1, field(1, data))):
        try:
            alone = parse_example(record, ["a"])
        except ValueError:
            alone = None
        try:
            together = parse_examples([record, example({"a": 1})], ["a"])
        except UnevenRecords:
            continue
        assert alone is not None
        assert together["a"].kind == INTEGERS


def test_kinds() -> None:
    record = example({"b": ["x"], "f": [1.5], "i": [1], "u": []})
    assert feature_kinds(record) == {"b": BYTES, "f": FLOATS, "i": INTEGERS, "u": UNSET}
    assert parse_example(record, ["v"])["v"].kind == MISSING


def test_what_is_unpacked_stands_apart_or_comes_twice_is_read_alone() -> None:
    values = feature([1, 2]) + feature([-3])
    entry = field(1, b"a") + field(2, values)
    record = field(1, field(1, field(1, b"a") + field(2, feature([9]))) + field(1, entry))
    with pytest.raises(UnevenRecords):
        parse_examples([record], ["a"])
    np.testing.assert_array_equal(parse_example(record, ["a"])["a"].values, [1, 2, -3])
    unpacked = example({"a": [1, 300, -1], "f": [1.5]}, packed=False)
    np.testing.assert_array_equal(parse_example(unpacked, ["a"])["a"].values, [1, 300, -1])
