"""Ranges and marks with a script's own names, as they are seen in a trace."""

import itertools
from typing import Any

from torch.autograd.profiler import record_function

from msbridge.core import torch_private
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.device.streams import Stream

__all__ = ["mstx"]

_numbers = itertools.count(1)
_open: dict[tuple[str, int], Any] = {}


class mstx:
    """Ranges and marks; without a profiler that records they cost a microsecond or two, and are seen nowhere.

    Follows: mindspore.profiler.mstx (2.10).
    """

    @staticmethod
    def mark(message: str, stream: Stream | None = None, domain: str = "default") -> None:
        """Mark a moment.

        Args:
            message: its name in the trace; with a `domain` other than "default", "domain: message".
            stream: without effect, which is said once: the trace shows when the host was there.
            domain: a group of names.
        """
        mstx.range_end(mstx.range_start(message, stream, domain), domain)

    @staticmethod
    def range_start(message: str, stream: Stream | None = None, domain: str = "default") -> int:
        """Begin a range.

        Args:
            message: its name in the trace; with a `domain` other than "default", "domain: message".
            stream: without effect, which is said once: the trace shows when the host was there.
            domain: a group of names.

        Returns:
            The number by which `range_end` ends it; 0, which ends nothing, where `message` is not a str.
        """
        if stream is not None:
            without_effect("mindspore.profiler.mstx.range_start.stream")
        if not isinstance(message, str):
            return 0
        number = next(_numbers)
        if not torch_private.profiler_enabled():
            return number
        _open[domain, number] = opened = record_function(message if domain == "default" else f"{domain}: {message}")
        opened.__enter__()
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """End a range that `range_start` began in this domain; another number changes nothing."""
        opened = _open.pop((domain, range_id), None)
        if opened is not None:
            opened.__exit__(None, None, None)
