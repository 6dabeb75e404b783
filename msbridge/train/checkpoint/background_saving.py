"""Files that are written in a thread, one at a time; what failed is kept until it is raised, or said at the end.

No channel leads to one long thread: scripts look for MindSpore's thread by its name and join it to know that a file is
there, and the interpreter has to wait for it at the end. So each file has a thread of its own, which is not a daemon.
"""

import atexit
import os
import sys
import threading
from collections.abc import Callable

from msbridge.core.runtime import standard_streams

WRITER = "asyn_save_ckpt"  # the name of MindSpore's thread, which scripts look for

# Held while the variables below are looked at and changed, never while something is waited for.
_turn = threading.Lock()
_running: "_Writer | None" = None  # the last one that was started
_failures: list[tuple["_Writer", BaseException]] = []  # not reported yet
_is_told_at_exit = False


class _Writer(threading.Thread):
    """Writes one file.

    Attributes:
        path: the file.
    """

    def __init__(self, path: str, write: Callable[[], None]):
        super().__init__(name=WRITER)
        self.path = path
        self._write = write

    def run(self) -> None:
        try:
            self._write()
        except BaseException as error:
            _keep(self, error)
        finally:
            del self._write  # and the values with it


def perform(path: str, write: Callable[[], None], in_thread: bool, then: Callable[[], None] | None = None) -> None:
    """Write a file, now or in a thread; of several writes of one file, the last one asked for stays.

    Args:
        path: the file.
        write: what writes it.
        in_thread: whether to return before it is written; a write that is under way is waited for first.
        then: is called when the file is there, by whoever wrote it.
    """

    def complete() -> None:
        write()
        if then:
            then()

    if in_thread:
        _start(_Writer(os.path.realpath(path), complete))
        return
    wait(path)
    complete()


def is_running() -> bool:
    """Whether a file is being written in a thread."""
    return _running is not None and _running.is_alive()


def wait(path: str | None = None) -> None:
    """Wait for what is being written in a thread: any file, or only this one."""
    running = _running
    if running and (path is None or running.path == os.path.realpath(path)):
        running.join()


def raise_failure(but_last: bool = False) -> None:
    """Raise what kept a thread from writing its file, once; further failures are raised by the next calls.

    Args:
        but_last: leave out the thread that was started last; whoever started it has yet to return.
    """
    with _turn:
        failed = next((each for each in _failures if not but_last or each[0] is not _running), None)
        if failed is None:
            return
        _failures.remove(failed)
    writer, error = failed
    error.add_note(f"This kept {writer.path} from being written, which was saved asynchronously before.")
    raise error


def _start(writer: _Writer) -> None:
    global _running
    while True:
        with _turn:
            before = _running
            if before is None or not before.is_alive():
                writer.start()
                _running = writer
                return
        before.join()


def _keep(writer: _Writer, error: BaseException) -> None:
    global _is_told_at_exit
    with _turn:
        _failures.append((writer, error))
        if not _is_told_at_exit:
            atexit.register(_tell)  # runs after all threads have ended
            _is_told_at_exit = True


def _tell() -> None:
    """Report the files that were not written and of which nobody was notified."""
    for writer, error in _failures:
        standard_streams.write(sys.stderr, f"{writer.path} was not written: {type(error).__name__}: {error}\n")


def _after_fork() -> None:
    """Forget in a child what the parent writes and reports."""
    global _turn, _running
    _turn, _running = threading.Lock(), None
    _failures.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
