"""What is waited for: the handle of an operation that may still be under way."""

from collections.abc import Sequence

from msbridge.distributed.communicator import Work


class CommHandle:
    """The handle of an operation; most operations are done when they return, transfers may be under way.

    Args:
        handle: the transfers to wait for, one or several; None where nothing is under way.
        exec_sync: whether the device is to be waited for as well, which torch does when a result is read.

    Follows: mindspore.communication.comm_func.CommHandle (2.10).
    """

    def __init__(self, handle: Work | Sequence[Work] | None = None, exec_sync: bool = False) -> None:
        self.handle = handle
        self.exec_sync = exec_sync

    def wait(self) -> None:
        """Return when the operation is done."""
        if self.handle is None:
            return
        for work in self.handle if isinstance(self.handle, Sequence) else (self.handle,):
            work.wait()

    def __repr__(self) -> str:
        return f"CommHandle(handle={self.handle})"


default_handle = CommHandle()
