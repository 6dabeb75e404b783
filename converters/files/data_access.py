"""The bytes of a file of tensors or of a stream, behind one interface."""

import io
import mmap
from abc import ABC, abstractmethod
from pathlib import Path
from typing import IO, Any

__all__ = ["DataAccessAdapter", "FileDataAccessAdapter", "IODataAccessAdapter", "create_data_access_adapter"]


class DataAccessAdapter(ABC):
    """Base of both; `data_source` is what slices are taken of.

    Args:
        file_source: the open file or stream.

    Follows: mindspore.parallel.data_access_adapter.DataAccessAdapter (2.10).
    """

    def __init__(self, file_source: IO[bytes]) -> None:
        self.buffer = file_source

    def close(self) -> None:
        """Close what this opened; of a stream nothing."""
        return

    @property
    @abstractmethod
    def data_source(self) -> Any:
        """The bytes."""


class FileDataAccessAdapter(DataAccessAdapter):
    """A file, mapped into memory: what is written to a slice stays in the process.

    Args:
        filename: the file.

    Raises:
        FileNotFoundError: there is none.

    Follows: mindspore.parallel.data_access_adapter.FileDataAccessAdapter (2.10).
    """

    def __init__(self, filename: str) -> None:
        super().__init__(Path(filename).open("rb"))  # noqa: SIM115  it stays open until `close`
        self._mapped = mmap.mmap(self.buffer.fileno(), 0, access=mmap.ACCESS_COPY)

    def close(self) -> None:
        """Close the file."""
        self.buffer.close()

    @property
    def data_source(self) -> mmap.mmap:
        return self._mapped


class IODataAccessAdapter(DataAccessAdapter):
    """The rest of a stream from its position on, read at once; the position stays.

    Args:
        io_object: the stream.

    Follows: mindspore.parallel.data_access_adapter.IODataAccessAdapter (2.10).
    """

    def __init__(self, io_object: IO[bytes]) -> None:
        super().__init__(io_object)
        position = io_object.tell()
        self._bytes = io_object.read()
        io_object.seek(position)

    @property
    def data_source(self) -> bytes:
        return self._bytes


def create_data_access_adapter(source: str | io.BytesIO) -> DataAccessAdapter:
    """Return the adapter for a file's name, or for a stream in memory.

    Raises:
        TypeError: `source` is neither.
        FileNotFoundError: there is no such file.

    Follows: mindspore.parallel.data_access_adapter.create_data_access_adapter (2.10).
    """
    if isinstance(source, str):
        return FileDataAccessAdapter(source)
    if isinstance(source, io.BytesIO):
        return IODataAccessAdapter(source)
    raise TypeError(f"The source must be a file's name or io.BytesIO, but got {type(source)}.")
