"""Printing of Tensors: `str` as numpy does, `repr` in MindSpore's own form."""

import numpy as np
import torch

from msbridge.core.runtime import device_to_host
from msbridge.core.types.dtype import from_torch
from msbridge.core.types.strings import Strings

_DIGITS = {"float16": 4, "float32": 8, "float64": 8}
_EDGE = 3  # elements that are shown at either end of a summarised axis
_MAX_ELEMENTS = 1000  # elements of a 1-d tensor that are all shown; of other tensors, twice the edge on each axis


def to_str(data: torch.Tensor) -> str:
    """Print the values only; more than 1000 elements are summarised."""
    if data.is_meta:
        return to_repr(data).replace("= <meta>", "=<meta>")
    if isinstance(data, Strings) and data.dim() == 0:
        return str(data.array.item())
    if data.dtype == torch.bfloat16:
        return np.array2string(device_to_host.to_numpy(data.float()), formatter={"float_kind": "{:.6f}".format})
    return str(device_to_host.to_numpy(data))


def to_repr(data: torch.Tensor, is_numpys: bool = False) -> str:
    """Print shape, dtype and values; two and more axes begin on a line of their own.

    Args:
        data: what is printed.
        is_numpys: whether it is memory of numpy, whose values are printed as numpy does.
    """
    shape = list(data.shape)
    gap = "\n" if len(shape) > 1 else " "
    values = (
        np.array2string(device_to_host.to_numpy(data), separator=", ")
        if is_numpys or isinstance(data, Strings)
        else _values(data)
    )
    return f"Tensor(shape={shape}, dtype={from_torch(data.dtype)}, value={gap}{values})"


def _values(data: torch.Tensor) -> str:
    if data.is_meta:
        return "<meta>"
    if data.numel() == 0:
        return ""
    is_short = data.dtype == torch.bfloat16
    array = device_to_host.to_numpy(data.float() if is_short else data)
    if array.ndim == 0:
        return _short(array.item()) if array.dtype.kind in "fc" else str(array)
    shown = _edges(array) if array.ndim > 1 or array.size > _MAX_ELEMENTS else array
    if array.dtype.kind == "f" and not is_short:
        digits = _DIGITS[array.dtype.name]
        cells = [_scientific(value, digits) for value in shown.flat]
        per_line = 12
    else:
        cells = [_short(value) if array.dtype.kind in "fc" else str(value) for value in shown.flat]
        per_line = 12 if array.dtype.kind == "b" else 24
    width = 5 if array.dtype.kind == "b" else max(map(len, cells))  # that of False
    if array.dtype.kind != "c":
        cells = [cell.rjust(width) for cell in cells]
    if array.ndim == 1:
        return f"[{_row(cells, array.size, per_line)}]"
    return _format_nested(np.array(cells, dtype=object).reshape(shown.shape), array.shape, 0)


def _edges(array: np.ndarray) -> np.ndarray:
    """Keep both ends of every long axis."""
    for axis, size in enumerate(array.shape):
        if size > 2 * _EDGE:
            array = array.take([*range(_EDGE), *range(size - _EDGE, size)], axis)
    return array


def _format_nested(cells: np.ndarray, shape: tuple[int, ...], depth: int) -> str:
    if cells.ndim == 1:
        return f"[{_row(list(cells), shape[depth], None)}]"
    parts = [_format_nested(part, shape, depth + 1) for part in cells]
    indent = "\n" + " " * (depth + 1)
    if shape[depth] > len(parts):
        head, tail = f",{indent}".join(parts[:_EDGE]), f",{indent}".join(parts[_EDGE:])
        return f"[{head},{indent}...{indent}{tail}]"
    return f"[{f',{indent}'.join(parts)}]"


def _row(cells: list[str], size: int, per_line: int | None) -> str:
    if size > len(cells):
        return f"{', '.join(cells[:_EDGE])} ... {', '.join(cells[_EDGE:])}"
    if per_line is None:
        return ", ".join(cells)
    lines = [cells[start : start + per_line] for start in range(0, len(cells), per_line)]
    return ", \n ".join(map(", ".join, lines)) + ("\n " if len(cells) % per_line == 0 else "")  # a full line ends


def _scientific(value: float, digits: int) -> str:
    text = f"{value: .{digits}e}" if np.isfinite(value) else f"{value:g}"
    return text.rjust(digits + 7)


def _short(value: float | complex) -> str:
    return f"{value:g}" if isinstance(value, float | np.floating) else f"{value.real:g}{value.imag:+g}j"
