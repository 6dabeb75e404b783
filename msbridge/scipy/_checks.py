"""Argument checks of the functions of linear algebra, in one place."""

from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.errors.explain import dtype_name
from msbridge.core.tensor.tensor import Tensor

__all__ = ["flags", "matrix_of", "square_of", "system_of"]

_REAL = (torch.int32, torch.int64, torch.float32, torch.float64)


def flags(op: str, **values: Any) -> None:
    """Check that all are bools.

    Raises:
        TypeError: one is not.
    """
    for name, value in values.items():
        boolean(value, name, op)


def matrix_of(op: str, value: Any, name: str = "a", has_complex: bool = False) -> torch.Tensor:
    """Return the torch tensor of a matrix, of float32 or float64; integers become float64.

    Raises:
        TypeError: it is not a Tensor, or of another dtype.
        ValueError: it has not two axes.
    """
    data = _data_of(op, value, name, has_complex)
    if data.dim() != 2:
        raise ValueError(f"For '{op}', {name} must have 2 axes, got shape {tuple(data.shape)}.")
    return data


def square_of(op: str, value: Any, name: str = "a", has_complex: bool = False) -> torch.Tensor:
    """Return the torch tensor of a square matrix; raises as `matrix_of`, and ValueError if it is not square."""
    data = matrix_of(op, value, name, has_complex)
    if data.shape[0] != data.shape[1]:
        raise ValueError(f"For '{op}', {name} must be a square matrix, got shape {tuple(data.shape)}.")
    return data


def system_of(op: str, a: Any, b: Any, names: tuple[str, str] = ("a", "b")) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the torch tensors of a square matrix and a right side of one or two axes.

    Raises:
        TypeError: one is not a Tensor, or of another dtype than the other.
        ValueError: the shapes do not fit.
    """
    matrix, right = square_of(op, a, names[0]), _data_of(op, b, names[1])
    if right.dim() not in (1, 2) or len(right) != len(matrix):
        raise ValueError(
            f"For '{op}', {names[1]} must have {len(matrix)} rows, and 1 or 2 axes, got shape {tuple(right.shape)}."
        )
    if a._data.dtype is not b._data.dtype:
        raise TypeError(f"For '{op}', the dtypes of {names[0]} and {names[1]} must be the same.")
    return matrix, right


def _data_of(op: str, value: Any, name: str, has_complex: bool = False) -> torch.Tensor:
    data: torch.Tensor = instance(value, name, op, Tensor)._data
    if data.dtype not in _REAL and not (has_complex and data.is_complex()):
        kinds = "int32, int64, float32 or float64"
        raise TypeError(f"For '{op}', the dtype of {name} must be {kinds}, got {dtype_name(data.dtype)}.")
    return data.double() if data.dtype in (torch.int32, torch.int64) else data
