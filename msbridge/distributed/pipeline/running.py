"""Which stage of a pipeline a Cell that is running belongs to, in this thread."""

import threading

__all__ = ["running"]


class _Running(threading.local):
    """The stage of the innermost Cell that has one, and how many calls are running, one inside the other."""

    stage: int | None = None
    depth = 0


running = _Running()
