"""Whether a network is running divided over processes, in this thread."""

import threading

__all__ = ["running"]


class _Running(threading.local):
    """The depth of running calls of divided networks and gradient functions, one inside the other."""

    depth = 0


running = _Running()
