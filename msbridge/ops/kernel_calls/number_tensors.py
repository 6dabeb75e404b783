"""0-d tensors of Python's numbers. On a device they are filled there: for a copy from the host it would wait."""

import torch

from msbridge.core.tensor.construction import exact_scalar

__all__ = ["number_tensor"]

_WIDE = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}


def number_tensor(value: complex, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Return a tensor of a number on a device; an integer that the dtype does not hold wraps, a float is infinite."""
    if device.type == "cpu" and (exact := exact_scalar(value, dtype)) is not None:
        return exact
    wide = _WIDE.get(type(value))
    if wide is None or device.type == "cpu":
        return torch.tensor(value).to(dtype) if type(value) is int else torch.tensor(value, dtype=dtype, device=device)
    return torch.full((), value, dtype=wide, device=device).to(dtype)
