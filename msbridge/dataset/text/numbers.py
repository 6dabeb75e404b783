"""ToNumber: strings to numbers."""

import re
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.types.dtype import NUMBERS, Type
from msbridge.dataset.text.base import TextTransform
from msbridge.dataset.transforms.base import Rows
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["ToNumber"]

# What is at the beginning of a string counts, as the C library reads it.
INTEGER = re.compile(r"[ \t-\r]*([+-]?\d+)", re.ASCII)
FLOAT = re.compile(
    r"[ \t-\r]*([+-]?)(?:(0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?)"
    r"|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(inf|nan))",
    re.ASCII | re.IGNORECASE,
)


class ToNumber(TextTransform):
    """Turn strings into numbers: of each string the number at its beginning.

    Args:
        data_type: a MindSpore dtype of integers or floats.

    Raises:
        TypeError: `data_type` is not a dtype of numbers.

    Follows: mindspore.dataset.text.ToNumber (2.10).
    """

    def __init__(self, data_type: Type) -> None:
        if require_type(data_type, "data_type", Type) not in NUMBERS:
            raise TypeError(f"data_type: {data_type} is not numeric data type.")
        self.data_type = as_numpy_dtype(data_type)

    def transform_value(self, value: Any) -> np.ndarray:
        if value.dtype.kind != "U":
            raise self.input_error("the input should be strings", value)
        read = self._float if self.data_type.kind == "f" else self._integer
        return np.array([read(text) for text in value.reshape(-1).tolist()], self.data_type).reshape(value.shape)

    def stack(self, rows: np.ndarray) -> Rows | None:
        return self.transform_value(rows) if rows.dtype.kind == "U" else None

    def _integer(self, text: str) -> int:
        match = INTEGER.match(text)
        if match is None:
            raise self._invalid(text)
        number, limits = int(match[1]), np.iinfo(self.data_type)
        if not limits.min <= number <= limits.max or (limits.min == 0 and "-" in text):
            raise self._out_of_bounds(text)
        return number

    def _float(self, text: str) -> float:
        number = leading_float(text)
        if number is None:
            raise self._invalid(text)
        single = np.finfo(np.float32 if self.data_type.itemsize < 8 else np.float64)
        if abs(number) > float(np.finfo(self.data_type).max) or 0 < abs(number) < single.tiny:
            raise self._out_of_bounds(text)
        return number

    def _invalid(self, text: str) -> RuntimeError:
        return RuntimeError(f"ToNumber: it is invalid to convert {text!r} to {self.data_type}.")

    def _out_of_bounds(self, text: str) -> RuntimeError:
        return RuntimeError(f"ToNumber: string input {text!r} will be out of bounds if cast to {self.data_type}.")


def leading_float(text: str) -> float | None:
    """Return the number at the beginning of a string; None where there is none."""
    match = FLOAT.match(text)
    if match is None:
        return None
    sign, base16, base10, named = match.groups()
    number = float.fromhex(base16) if base16 else float(base10 or named)
    return -number if sign == "-" else number
