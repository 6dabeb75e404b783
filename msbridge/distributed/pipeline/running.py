"""The stage of a pipeline that a running Cell belongs to, in this thread."""

import threading

__all__ = ["running"]


class _Running(threading.local):
    """The running stage.

    Attributes:
        stage: that of the innermost Cell that has one.
        depth: how many calls are running, one inside the other.
        has_own_gradients: whether the gradients that were computed last are those of this process's stage only, as
            in MindSpore where an optimizer has the Parameters of its stage.
    """

    stage: int | None = None
    depth = 0
    has_own_gradients = False


running = _Running()
