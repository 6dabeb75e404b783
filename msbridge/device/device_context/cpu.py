"""Settings and queries of the CPU."""

import torch

from msbridge.core.checks.arguments import positive_int

__all__ = ["device_count", "is_available", "threads_num"]


def is_available() -> bool:
    """Return True.

    Follows: mindspore.device_context.cpu.is_available (2.10).
    """
    return True


def device_count() -> int:
    """Return 1.

    Follows: mindspore.device_context.cpu.device_count (2.10).
    """
    return 1


def threads_num(num: int) -> None:
    """Set how many threads an operator on the CPU may use.

    Raises:
        TypeError: `num` is not an int.
        ValueError: it is not positive.

    Follows: mindspore.device_context.cpu.op_tuning.threads_num (2.10).
    """
    torch.set_num_threads(positive_int(num, "num", "threads_num"))
