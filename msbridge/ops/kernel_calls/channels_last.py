"""Inputs whose channels are the last axis (NHWC), for computations that have them on axis 1."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ChannelsLast:
    """A function of channels-last inputs and results, from one with the channels on axis 1."""

    fn: Callable[..., Any]  # takes and returns tensors, torch's or ours; a tuple is moved part by part
    moved: int = 1  # how many of the leading arguments are channels-last; the others are passed on as they are

    def __call__(self, *args: Any) -> Any:
        inputs = (value.movedim(-1, 1) for value in args[: self.moved])
        result = self.fn(*inputs, *args[self.moved :])
        if isinstance(result, tuple):
            return tuple(part.movedim(1, -1) for part in result)
        return result.movedim(1, -1)


def in_format(data_format: str, fn: Callable[..., Any], moved: int = 1) -> Callable[..., Any]:
    """Return `fn` for "NCHW", and its ChannelsLast for "NHWC"."""
    return ChannelsLast(fn, moved) if data_format == "NHWC" else fn
