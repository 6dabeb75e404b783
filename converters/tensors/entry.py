"""Entries: the named tensors and texts of a checkpoint."""

import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.converters.files.source import CHUNK
from msbridge.converters.tensors import dtypes
from msbridge.converters.tensors.lazy_bytes import Computed, Content, InMemory, as_bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One named thing of a checkpoint: a tensor, or a text.

    Attributes:
        name: its name.
        type: MindSpore's word for its element type ("Float32"), or "str".
        shape: its shape; a text has ().
        content: its bytes.
        offset: where it begins in its file, for messages.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    content: Content = field(repr=False, compare=False)
    offset: int | None = field(default=None, compare=False)

    @property
    def element(self) -> dtypes.Element:
        return dtypes.BY_NAME[self.type]

    @property
    def is_text(self) -> bool:
        return self.type == dtypes.TEXT

    @property
    def nbytes(self) -> int:
        return self.content.nbytes

    def tensor(self, copy: bool = False) -> torch.Tensor:
        """Return the tensor; without `copy` it may share memory with the file's mapping or the original."""
        if self.is_text:
            raise CheckpointError(f"{self.name!r} is a string, not a tensor.")
        return self.content.tensor(self.element.dtype, copy).reshape(self.shape)

    def copy_to(self, target: torch.Tensor) -> None:
        """Copy the elements into a tensor that is there; of those in a file, a few MiB at a time are in memory."""
        is_plain = target.is_contiguous() and not target.is_conj() and not target.is_neg()
        if not is_plain or target.shape != self.shape:
            target.copy_(self.tensor())
            return
        dtype, flat = self.element.dtype, target.detach().view(-1)
        if flat.device.type == "cpu" and flat.dtype is dtype:
            self.content.fill(as_bytes(flat))
            return
        count = CHUNK // dtype.itemsize
        for first in range(0, len(flat), count):
            part = flat[first : first + count]
            raw = self.content.part_in_memory(first * dtype.itemsize, (first + len(part)) * dtype.itemsize)
            part.copy_(torch.frombuffer(raw, dtype=dtype))

    def text(self) -> str:
        """Return the text.

        Raises:
            CheckpointError: its bytes are not code points.
        """
        data = as_bytes(self.content.tensor(torch.uint8, copy=True))
        try:
            return str(data, "utf-32-le").rstrip("\0")
        except UnicodeDecodeError as error:
            raise CheckpointError(
                f"the text {self.name!r} at offset {self.offset} is damaged: {error.reason}."
            ) from error

    def value(self, copy: bool = False) -> torch.Tensor | str:
        """Return the tensor or the text."""
        return self.text() if self.is_text else self.tensor(copy)

    def rename(self, name: str) -> "Entry":
        """Return the same under another name."""
        return self if name == self.name else Entry(name, self.type, self.shape, self.content, self.offset)


def entry(name: str, value: torch.Tensor | str, type: str | None = None) -> Entry:
    """Make an entry of a tensor or a text.

    Args:
        name: its name.
        value: the tensor (of any device and strides) or the text.
        type: MindSpore's word for the element type where the torch dtype does not determine it ("Int4").

    Raises:
        CheckpointError: no format has the tensor's dtype.
    """
    if isinstance(value, str):
        # numpy, which MindSpore keeps texts with, turns the empty one into a single zero character.
        return Entry(name, dtypes.TEXT, (), InMemory((value or "\0").encode("utf-32-le")))
    element = dtypes.BY_NAME[type] if type else dtypes.of_dtype(value.dtype, name)
    return Entry(name, element.name, tuple(value.shape), InMemory(value))


def unique_names(entries: Iterable[Entry], path: str | os.PathLike[str]) -> Iterator[Entry]:
    """Yield the entries that go into the file at `path`, in sequence.

    Raises:
        CheckpointError: a name occurs twice.
    """
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen:
            raise CheckpointError(f"{path}: two entries are called {entry.name!r}.")
        seen.add(entry.name)
        yield entry


def make_lazy_entry(name: str, type: str, shape: tuple[int, ...], make: Callable[[], torch.Tensor]) -> Entry:
    """Make an entry whose tensor is computed when it is written."""
    return Entry(name, type, shape, Computed(make, math.prod(shape) * dtypes.BY_NAME[type].size))
