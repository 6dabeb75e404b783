"""A process group that ends with this process, however it ends: by SIGKILL and a crash, too.

A shell of a few hundred kilobytes leads the group and reads from a pipe whose other end only this process has. When
the kernel closes that end, the shell kills its group: the ranks, and what they have started.

    msbridge run ──pipe──▶ sh            sh, rank 0, rank 1, their children: one group
         │                               (Ctrl-C of a terminal reaches only `msbridge run`,
         └──starts──▶ rank 0, rank 1      which passes it on once)

PR_SET_PDEATHSIG would be Linux's own way, but it is sent when the *thread* that started a process ends, needs code
between fork and exec beside threads, and does not reach the children of the ranks.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["kill", "process_group"]

_GUARD = "trap '' HUP INT QUIT TERM USR1 USR2 TSTP; echo; read _; kill -KILL 0"


@contextmanager
def process_group() -> Iterator[int | None]:
    """Yield the number of a process group that lives no longer than this process; None on Windows, without groups."""
    if os.name == "nt":
        yield None
        return
    with subprocess.Popen(
        ["/bin/sh", "-c", _GUARD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0
    ) as guard:
        try:
            assert guard.stdout is not None
            guard.stdout.readline()  # from here on it ignores signals that are passed on to its group
            yield guard.pid
        finally:
            guard.kill()


def kill(group: int) -> None:
    """Kill all processes of a group at once."""
    with suppress(
        ProcessLookupError, PermissionError
    ):  # all have ended (macOS refuses for those that have not been waited for)
        os.killpg(group, signal.SIGKILL)
