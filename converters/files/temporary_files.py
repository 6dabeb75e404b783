"""Unfinished files and folders: what a killed writer left is distinguished from what a living one writes.

The writer of an unfinished file holds a lock on it, which the system drops when the writer dies, however that happens.
A lock is believed only where it could be seen: on the machine of the writer, or on a host of its name, as some network
file systems keep locks to one machine. What cannot be judged stays.
"""

import contextlib
import functools
import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, which has no such locks
    fcntl = None  # type: ignore[assignment]

MARK = ".partial-"  # what the name of an unfinished file holds, behind the name of its target
MAX_PREFIX_BYTES = 200  # bytes of the target's name in it: file systems take 255
UNLOCKED = "-unlocked"  # how the name ends where the file system has no locks; that file is never removed
# Behind the mark: process, kernel and host, token. A name without a machine is judged by the lock only.
WRITER = re.compile(r"\d+-(?:(?P<kernel>[0-9a-f]{8})-(?P<host>[0-9a-f]{8})-)?[0-9a-f]+")


def beginning(name: str) -> str:
    """Return the beginning of the names of a target's unfinished files, before the mark."""
    return os.fsencode(name)[:MAX_PREFIX_BYTES].decode(errors="ignore")


def create(target: Path, mode: int) -> tuple[Path, int]:
    """Create an unfinished file beside its target.

    Args:
        target: what it is to become.
        mode: its permissions, of which the process's mask takes some.

    Returns:
        Its path and a descriptor to write with; the file is alive as long as that is open.

    Raises:
        OSError: it cannot be created; names the target.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return _create(target, lambda partial: os.open(partial, flags, mode))


@contextlib.contextmanager
def folder_for(target: Path) -> Iterator[Path]:
    """Create a folder beside a target for what is needed to make it; it is removed at the end.

    Raises:
        OSError: it cannot be created; names the target.
    """

    def make(partial: Path) -> int:
        partial.mkdir(0o700)
        return os.open(partial, os.O_RDONLY) if fcntl else -1  # Windows opens no folders

    partial, fd = _create(target, make)
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if fd >= 0:
            os.close(fd)


def _create(target: Path, make: Callable[[Path], int]) -> tuple[Path, int]:
    """Make something unfinished and lock it."""
    ending = "" if fcntl else UNLOCKED
    while True:
        writer = f"{os.getpid()}-{'-'.join(_machine())}-{secrets.token_hex(4)}"
        partial = target.with_name(f"{beginning(target.name)}{MARK}{writer}{ending}")
        try:
            fd = make(partial)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and target.parent.is_dir():
                continue  # a scan for leftovers was faster than the opening of the folder
            raise OSError(error.errno, error.strerror, str(target)) from error
        is_locked = None if ending else try_lock(fd)
        # A scan may have locked, or removed, the file before it was locked here.
        if ending or (is_locked and is_open_at(partial, fd)):
            return partial, fd
        os.close(fd)
        _remove(partial)
        if is_locked is None:
            ending = UNLOCKED


def lock_folder(folder: Path) -> int | None:
    """Create a folder, if it is missing, and lock it.

    Returns:
        A descriptor that holds the lock until it is closed; -1 where there are no locks, None where another has it.

    Raises:
        OSError: the folder cannot be created, or is something else.
    """
    while True:
        folder.mkdir(0o700, parents=True, exist_ok=True)  # what is in it has not yet got its permissions
        if not fcntl:
            return -1
        try:
            fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:  # its last user has just removed it
            continue
        is_locked = try_lock(fd)
        if is_locked is None or (is_locked and is_open_at(folder, fd)):
            return fd
        os.close(fd)
        if is_locked is False:
            return None


def remove_leftovers(folder: Path, is_wanted: Callable[[str], bool]) -> None:
    """Remove unfinished files whose writers are dead; a folder that cannot be read is left to whoever writes there.

    Args:
        folder: where to look.
        is_wanted: says of what comes before the mark whether the file is to go.
    """
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if MARK in entry.name]
    except OSError:
        return
    for name in names:
        target, _, writer = name.rpartition(MARK)
        if _lock_tells(writer) and is_wanted(target):
            _remove_if_dead(folder / name)


def try_lock(fd: int, shared: bool = False) -> bool | None:
    """Lock an open file until it is closed, without waiting.

    Returns:
        Whether it is locked now; False where another has locked it, None where there are no locks.
    """
    if not fcntl:
        return None
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def is_open_at(path: Path, fd: int) -> bool:
    """Whether an open file or folder still has its name."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(fd))
    except FileNotFoundError:
        return False


def _remove_if_dead(partial: Path) -> None:
    with contextlib.suppress(OSError):  # gone meanwhile, or another user's
        # A pipe that nobody writes to would not open without O_NONBLOCK; what a link points to is not ours.
        fd = os.open(partial, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        try:
            mode = os.fstat(fd).st_mode
            is_ours = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
            if is_ours and try_lock(fd, shared=True) and is_open_at(partial, fd):
                _remove(partial)
        finally:
            os.close(fd)


def _remove(partial: Path) -> None:
    with contextlib.suppress(OSError):
        if partial.is_dir():
            shutil.rmtree(partial)
        else:
            partial.unlink()


def _lock_tells(writer: str) -> bool:
    """Whether the lock of the file that this writer was writing could be seen from here."""
    parts = WRITER.fullmatch(writer)
    if not parts:
        return False
    kernel, host = _machine()
    return parts["kernel"] in (None, kernel) or parts["host"] == host


@functools.cache
def _machine() -> tuple[str, str]:
    """Return keys of the running kernel, which all containers on a machine share, and of the host, which lasts."""
    try:
        kernel = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except (OSError, ValueError):
        kernel = platform.node()
    return _digest(kernel), _digest(platform.node())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
