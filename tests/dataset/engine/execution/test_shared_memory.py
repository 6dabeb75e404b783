"""Messages between processes: arrays through shared memory, errors with their cause."""

import numpy as np
import pytest

from msbridge.dataset.engine.execution.shared_memory import SMALL_BYTES, SharedMemory

MIXED = {
    "large": np.arange(5000),
    "small": np.arange(3),
    "views": [np.ones((100, 90))[:, ::2], np.zeros(0)],
    "text": "é",
}


@pytest.mark.parametrize("size", [0, 20000, 2**20], ids=["no memory", "room for one array", "room for all"])
def test_what_was_packed_is_unpacked(size: int) -> None:
    memory = SharedMemory(size)
    found = memory.unpack(memory.pack(MIXED))
    np.testing.assert_equal(found, MIXED)
    found["large"][:] = 0  # memory of its own
    np.testing.assert_equal(memory.unpack(memory.pack(MIXED)), MIXED)


def test_large_arrays_are_not_in_the_message() -> None:
    large = np.zeros(SMALL_BYTES * 100, np.uint8)
    assert len(SharedMemory(2**20).pack([large, large])) < SMALL_BYTES
    assert len(SharedMemory(0).pack([large, large])) > large.nbytes


class Strange(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def test_errors_keep_their_cause() -> None:
    error = KeyError("k")
    error.__cause__ = Strange(1, 2)
    error.__cause__.__cause__ = ZeroDivisionError("z")
    memory = SharedMemory(0)
    found = memory.unpack(memory.pack(error))
    assert isinstance(found, KeyError)
    assert found.args == ("k",)
    assert repr(found.__cause__) == "RuntimeError('Strange: 1 and 2')"
    assert isinstance(found.__cause__.__cause__, ZeroDivisionError)
