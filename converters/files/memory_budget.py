"""The memory budget of a checkpoint's description: names, types, shapes and places, not the values."""

import os

from msbridge.converters.errors import CheckpointError

MORE_BYTES = 64 << 20  # what a file may take besides
# How often its own size a file may take: 100,000 tensors of a number each, 33 MB as torch writes them, take 120 MB.
TIMES = 4


class Allowance:
    """Counts down the memory that one file may take: four times its size, and 64 MiB.

    A few bytes of a file can ask for many: for a container each, or for one name again at the end of a thousand
    others. Whoever makes one says so first.
    """

    def __init__(self, path: str | os.PathLike[str], size: int):
        self.path = path
        self.whole = self.left = TIMES * size + MORE_BYTES

    def spend(self, count: int) -> None:
        """Count `count` bytes.

        Raises:
            CheckpointError: there are not as many left.
        """
        self.left -= count
        if self.left < 0:
            raise CheckpointError(
                f"{self.path}: what it describes takes more than the {self.whole} bytes of memory that a file of its "
                "size may take: refused.",
                path=self.path,
            )
