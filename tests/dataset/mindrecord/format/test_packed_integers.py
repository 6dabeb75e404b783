"""Compressed integer arrays come back; damaged ones are refused."""

import tracemalloc

import numpy as np
import pytest

from msbridge.dataset.mindrecord.format.packed_integers import compress, expand


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integer_arrays_come_back(dtype: type) -> None:
    random = np.random.RandomState(0)
    for count in (0, 1, 3, 4, 5, 200):
        for bits in range(0, np.iinfo(dtype).bits, 8):
            values = random.randint(np.iinfo(dtype).min, np.iinfo(dtype).max, count, dtype) >> random.randint(
                0, bits + 1
            )
            np.testing.assert_array_equal(expand(compress(values), np.dtype(dtype)), values)


@pytest.mark.parametrize(
    "data", [b"", b"\0\0\0", b"\0\0\0\1", b"\0\0\0\1\x40\1", b"\xff\xff\xff\xff\0", b"\0\0\0\1\0\1\1"]
)
def test_a_damaged_integer_array_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="integers"):
        expand(data, np.dtype(np.int32))


def test_an_integer_that_is_too_wide_for_its_type_is_refused() -> None:
    with pytest.raises(ValueError, match="integers of int32"):
        expand(compress(np.array([1, 1 << 40])), np.dtype(np.int32))


def test_a_long_array_takes_little_more_memory_than_its_elements() -> None:
    values = np.arange(1_000_000) % 300
    data = compress(values)
    tracemalloc.start()
    found = expand(data, np.dtype(np.int64))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(found, values)
    assert peak < values.nbytes + 16 * 1024**2
