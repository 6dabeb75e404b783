"""How a Tensor prints: `str` as numpy does, `repr` in MindSpore's own form."""

import numpy as np
import torch

from msbridge.core import host
from msbridge.core.dtype import from_torch

_DIGITS = {"float16": 4, "float32": 8, "float64": 8}


def to_str(data: torch.Tensor) -> str:
    """Print the values only; more than 1000 elements are summarised."""
    if data.dtype == torch.bfloat16:
        return np.array2string(host.to_numpy(data.float()), formatter={"float_kind": "{:.6f}".format})
    return str(host.to_numpy(data))


def to_repr(data: torch.Tensor) -> str:
    """Print shape, dtype and values; two and more axes begin on a line of their own."""
    shape = list(data.shape)
    gap = "\n" if len(shape) > 1 else " "
    return f"Tensor(shape={shape}, dtype={from_torch(data.dtype)}, value={gap}{_values(data)})"


def _values(data: torch.Tensor) -> str:
    if data.numel() == 0:
        return ""
    is_bfloat16 = data.dtype == torch.bfloat16
    array = host.to_numpy(data.float() if is_bfloat16 else data)
    if array.ndim == 0:
        return f"{array.item():g}" if array.dtype.kind == "f" else _complex(array.item()) if array.dtype.kind == "c" else str(array)
    formatter = {"complex_kind": _complex}
    if array.dtype.kind == "f" and not is_bfloat16:
        digits = _DIGITS[array.dtype.name]
        formatter["float_kind"] = lambda value: _scientific(value, digits)
    elif is_bfloat16:
        formatter["float_kind"] = "{:g}".format
    text = np.array2string(array, separator=", ", formatter=formatter, max_line_width=2**31 - 1)
    return text.replace(", ..., ", " ... ").replace("...,\n", "...\n")


def _scientific(value: float, digits: int) -> str:
    text = f"{value: .{digits}e}" if np.isfinite(value) else f"{value:g}"
    return text.rjust(digits + 7)


def _complex(value: complex) -> str:
    return f"{value.real:g}{value.imag:+g}j"
