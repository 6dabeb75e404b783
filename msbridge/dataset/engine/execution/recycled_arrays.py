"""RecycledArrays: the memory of large batches, used again when nobody refers to the batch before.

A batch of 32 images of 224 × 224 in float32 has 19 MB. The system clears fresh memory page by page before a process may
write to it, which takes a tenth of the time of decoding, resizing and normalizing (JPEG evaluation: 1.20 ms an image
with fresh memory, 1.09 without). So a pipeline keeps the memory of its batches.

    kept: [memory] ◄── ndarray of the batch ◄── torch tensor ◄── Tensor of the script, a slice of it, …

Everything that lies in a batch refers to its memory, in any number of steps: numpy's views do, and torch's tensors of
them. Memory to which only `kept` refers is therefore free. There is no lock: a thread takes a piece out of `kept`
before it looks at it, so no two threads look at the same one.
"""

import math
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

MIN_BYTES = 2**20  # of a batch: smaller ones come from memory that the process has
MAX_KEPT_BYTES = 2**27  # of a pipeline; what is more comes from the system and goes back to it


class RecycledArrays:
    """Arrays of one pipeline, in memory that is used again."""

    def __init__(self) -> None:
        self._kept: deque[np.ndarray] = deque()

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
        """Return an array whose elements are not set."""
        size = math.prod(shape) * dtype.itemsize
        if size < MIN_BYTES or dtype.hasobject:
            return np.empty(shape, dtype)
        memory = self._take(size)
        if memory is None:
            memory = np.empty(size, np.uint8)
            if sum(each.nbytes for each in tuple(self._kept)) + size > MAX_KEPT_BYTES:
                return memory.view(dtype).reshape(shape)
        array = memory.view(dtype).reshape(shape)
        self._kept.append(memory)
        return array

    def _take(self, size: int) -> np.ndarray | None:
        """Take a free piece of that size out of `kept`, and free ones of other sizes, which nobody needs any longer."""
        _, references_of_free = _take_and_count(_make_piece)
        for _ in range(len(self._kept)):
            try:
                memory, references = _take_and_count(self._kept.popleft)
            except IndexError:  # other threads have the rest
                return None
            if references > references_of_free:
                self._kept.append(memory)
            elif memory.nbytes == size:
                return memory
        return None


def _take_and_count(take: Callable[[], np.ndarray]) -> tuple[np.ndarray, int]:
    """Take an array, and count the references to it, those of this function as well.

    How many the function has depends on the release of Python, and on who evaluates its frames: Dynamo may.
    """
    memory = take()
    return memory, sys.getrefcount(memory)


def _make_piece() -> np.ndarray:
    return np.empty(1, np.uint8)
