"""Messages between two processes that share memory: values are pickled, large arrays lie in the shared memory.

The memory has no name, so nothing is left behind, whoever is killed.
"""

import mmap
import pickle
import struct
from io import BytesIO
from typing import Any

SIZE_BYTES = 64 * 2**20  # of address space; the system allocates memory for what was ever used of it
SMALL_BYTES = 4096  # arrays below go with the message
ALIGNED_BYTES = 64
_HEAD = struct.Struct("<I")
_SIZE = struct.Struct("<Q")


class SharedMemory:
    """Memory for the arrays of one message at a time.

    Args:
        size: its size in bytes; what does not fit goes with the message. 0 is not one.
    """

    def __init__(self, size: int = SIZE_BYTES) -> None:
        self._memory = memoryview(mmap.mmap(-1, size)) if size else memoryview(b"")

    def pack(self, value: Any) -> bytes:
        """Return the message for a value, with its large arrays put into the memory."""
        sizes: list[int] = []
        place = 0

        def put(buffer: pickle.PickleBuffer) -> bool:
            nonlocal place
            raw = buffer.raw()
            if raw.nbytes < SMALL_BYTES or place + raw.nbytes > len(self._memory):
                return True  # as part of the message
            self._memory[place : place + raw.nbytes] = raw
            sizes.append(raw.nbytes)
            place += -(-raw.nbytes // ALIGNED_BYTES) * ALIGNED_BYTES
            return False

        body = BytesIO()
        _Pickler(body, 5, buffer_callback=put).dump(value)
        return _HEAD.pack(len(sizes)) + b"".join(map(_SIZE.pack, sizes)) + body.getbuffer()

    def unpack(self, message: bytes | bytearray) -> Any:
        """Return the value of a message that the other process packed; its arrays have memory of their own."""
        (count,) = _HEAD.unpack_from(message)
        buffers, place = [], 0
        for number in range(count):
            (size,) = _SIZE.unpack_from(message, _HEAD.size + number * _SIZE.size)
            buffers.append(bytearray(self._memory[place : place + size]))
            place += -(-size // ALIGNED_BYTES) * ALIGNED_BYTES
        body = memoryview(message)[_HEAD.size + count * _SIZE.size :]
        return pickle.loads(body, buffers=buffers)


class _Pickler(pickle.Pickler):
    """A pickler whose exceptions keep their cause, and become a RuntimeError where they cannot be pickled."""

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, BaseException):
            return NotImplemented
        return _restore, (_portable(value), value.__cause__)


def _portable(error: BaseException) -> bytes:
    try:
        data = pickle.dumps(error)
        pickle.loads(data)  # many take other arguments than they hand to Exception
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return data


def _restore(data: bytes, cause: BaseException | None) -> BaseException:
    error: BaseException = pickle.loads(data)
    error.__cause__ = cause
    return error
