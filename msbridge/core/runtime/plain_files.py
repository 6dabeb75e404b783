"""Opening files: what is not a plain file is refused at once, where `open` would wait, and reading never end."""

import errno
import os
import stat
from typing import BinaryIO

from msbridge.core.runtime.path_mapping import StrPath

MAX_KEY_BYTES = 1024
KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))


def open_descriptor(path: StrPath) -> int:
    """Open a plain file for reading; a link is followed.

    Raises:
        OSError: there is none, it may not be read, or it is a folder, a pipe, a socket or a device.
    """
    try:
        # Without waiting: a pipe that nobody writes to would never open.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a zero byte in the name
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from error
    except OSError as error:
        if error.errno == errno.ENXIO:  # what the system says to whoever opens a socket
            raise _no_file(path, "a socket") from None
        raise
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    raise _no_file(path, next((kind for test, kind in KINDS if test(mode)), "a device"))


def open_file(path: StrPath) -> BinaryIO:
    """Open a plain file for reading, as `open_descriptor` does, as a binary file object."""
    return os.fdopen(open_descriptor(path), "rb")


def read_file(path: StrPath, most_bytes: int) -> bytes:
    """Read a whole plain file.

    Raises:
        OSError: as `open_descriptor`, or it is longer than `most_bytes`.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise OSError(errno.EFBIG, f"longer than {most_bytes} bytes", os.fspath(path))
        return file.read()


def read_key(path: StrPath) -> bytes:
    """Read the key of an encrypted file, from a pipe too: what a command prints need not lie on a disk.

    Raises:
        OSError: there is none, it may not be read, or it is longer than any key.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        if hasattr(os, "set_blocking"):
            os.set_blocking(file.fileno(), True)  # nobody at the other end of a pipe is an end of it, not a wait for it
        data = file.read(MAX_KEY_BYTES + 1)
    if len(data) > MAX_KEY_BYTES:
        raise OSError(errno.EFBIG, f"longer than {MAX_KEY_BYTES} bytes, which no key is", os.fspath(path))
    return data


def _no_file(path: StrPath, kind: str) -> OSError:
    if kind == "a folder":
        return IsADirectoryError(errno.EISDIR, "is a folder, not a file", os.fspath(path))
    return OSError(errno.ESPIPE, f"is {kind}, not a file", os.fspath(path))
