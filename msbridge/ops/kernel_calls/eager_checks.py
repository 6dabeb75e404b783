"""Eager checks before computations of our own in place of torch's: ordinary tensors, and nobody who looks on."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.autograd import forward_ad

from msbridge.core import torch_private

__all__ = ["as_torch", "is_compared", "is_plain", "is_watched"]

_blocks = 0  # of `as_torch` that are open


@contextmanager
def as_torch() -> Iterator[None]:
    """Compute as torch does within this block, to the bit, with the random numbers that torch draws from a seed."""
    global _blocks
    _blocks += 1
    try:
        yield
    finally:
        _blocks -= 1


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether this is float32 in the CPU's memory, without anything of a subclass."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.dtype is torch.float32
        and tensor.device.type == "cpu"
        and tensor.layout is torch.strided
    )


def is_compared() -> bool:
    """Whether what is computed here is compiled, or compared with torch's own."""
    return bool(_blocks) or torch.compiler.is_compiling()


def is_watched() -> bool:
    """Whether calls of torch's operators are looked at, transformed, compiled or compared here."""
    return bool(
        is_compared()
        or torch_private.len_torch_function_stack()
        or torch_private.len_torch_dispatch_stack()
        or torch_private.peek_interpreter_stack()
        or forward_ad._current_level >= 0
    )
