"""Permissions of a file that replaces another one: whoever could read and write before still can."""

import contextlib
import os
import stat
from pathlib import Path

PERMISSIONS = 0o777
GROUPS, OTHERS = 0o070, 0o007  # the permissions of a file's group, and of all others
PRIVATE, USUAL = 0o600, 0o666  # permissions to begin with; of the usual ones the process's mask takes some


def permissions_to_begin_with(target: Path, mode: int | None = None) -> int:
    """Return the permissions of an unfinished file: nobody else reads it before it has those that it is to have."""
    return USUAL if mode is None and not target.exists() else PRIVATE


def settle_access(fresh: Path, target: Path, mode: int | None = None) -> None:
    """Set the owner and the permissions of a finished file to those of the file that it replaces.

    Args:
        fresh: the file.
        target: what it is to become.
        mode: its permissions where nothing is there yet; None for those that it has.

    Raises:
        OSError: they cannot be set.
    """
    old = _state(target)
    if old is None:
        if mode is not None:
            fresh.chmod(mode)
        return
    fresh.chmod(_copy_owner(fresh, old))


def narrow_access(fresh: Path, like: Path) -> None:
    """Set the owner of a file to that of another one, and let nobody use it who may not use that: a shard like its set.

    Raises:
        OSError: the permissions cannot be set.
    """
    if (old := _state(like)) is not None:
        fresh.chmod(_copy_owner(fresh, old) & stat.S_IMODE(fresh.stat().st_mode))


def _state(path: Path) -> os.stat_result | None:
    """Return the file's stat result; None where there is no file, or no owners are known."""
    if os.name == "nt":
        return None
    try:
        return path.stat()
    except OSError:
        return None


def _copy_owner(fresh: Path, old: os.stat_result) -> int:
    """Set a file's owner and group to those of another one, as far as this process may; return permissions like its.

    In a group that it could not get, nobody gets more than all others.
    """
    mode = old.st_mode & PERMISSIONS
    for owner in (old.st_uid, -1):
        with contextlib.suppress(OSError):
            os.chown(fresh, owner, old.st_gid)
            break
    if fresh.stat().st_gid != old.st_gid:
        mode &= ~GROUPS | (mode & OTHERS) << 3
    return mode
