"""Handles of operations that are under way, and the handle that a script waits with."""

from collections.abc import Callable, Sequence

from msbridge.core.checks.arguments import boolean
from msbridge.distributed.groups.communicator import After, Work


class CommHandle:
    """The handle of an operation that may be under way.

    Args:
        handle: what to wait for, one or several, in order; None where nothing is under way.
        exec_sync: whether the device is to be waited for as well, which torch does when a result is read.

    Follows: mindspore.communication.comm_func.CommHandle (2.10).
    """

    def __init__(self, handle: Work | Sequence[Work] | None = None, exec_sync: bool = False) -> None:
        self.handle = handle
        self.exec_sync = exec_sync

    def wait(self) -> None:
        """Wait until the operation is done."""
        if self.handle is None:
            return
        for work in self.handle if isinstance(self.handle, Sequence) else (self.handle,):
            work.wait()

    def __repr__(self) -> str:
        return f"CommHandle(handle={self.handle})"


default_handle = CommHandle()


def works_if(async_op: bool) -> list[Work] | None:
    """Return the list that an operation puts into what is to be waited for; None for one that waits by itself.

    Raises:
        TypeError: `async_op` is not a bool.
    """
    boolean(async_op, "async_op", None)
    return [] if async_op else None


def handle_of(works: list[Work] | None, action: Callable[[], object] | None = None) -> CommHandle | None:
    """Return the handle of an operation, which does `action` at the end; where there is none to wait for, do it now."""
    if works is not None:
        return CommHandle([*works, After(action)] if action else works)
    if action is not None:
        action()
    return None
