"""0-d tensors of Python numbers, by torch's fast function where it holds them exactly."""

from typing import Any

import torch

__all__ = ["exact_scalar"]

_MAX = 1 << 62  # of a number that int64 and both floats hold: beyond, torch.tensor wraps, is infinite, or refuses
_OWN = {bool: torch.bool, int: torch.int64}
_OF_ANY = frozenset((torch.float32, torch.float64))


def exact_scalar(value: Any, dtype: torch.dtype) -> torch.Tensor | None:
    """Return a tensor of a number on the CPU, in a fifth of the time of torch.tensor; None where that may differ."""
    kind = type(value)
    if (dtype in _OF_ANY and (kind is float or kind in _OWN)) or _OWN.get(kind) is dtype:
        return torch.scalar_tensor(value, dtype=dtype) if -_MAX <= value <= _MAX else None
    return None
