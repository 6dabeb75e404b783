"""Matrices given by their diagonals."""

from typing import Any

import torch

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops._families import scalar_or_tensor, unary_with

__all__ = ["matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag"]

_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def matrix_band_part(x: Tensor, lower: int | Tensor, upper: int | Tensor) -> Tensor:
    """Keep `lower` diagonals below and `upper` above the main one; a negative number keeps all.

    Follows: mindspore.ops.matrix_band_part (2.10).
    """
    return unary_with(_band, "matrix_band_part", x, int(lower), int(upper))


def matrix_diag(
    x: Tensor,
    k: Any = 0,
    num_rows: int | Tensor = -1,
    num_cols: int | Tensor = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Make matrices of diagonals.

    Args:
        x: the diagonals, the last axis; several of them, from the highest on, make the last but one.
        k: which diagonal, or the lowest and highest of several.
        num_rows: rows of the result; -1 takes as few as are needed.
        num_cols: columns of the result; -1 takes as few as are needed.
        padding_value: what stands elsewhere.
        align: where short diagonals stand in their row: "RIGHT_LEFT" says right for upper, left for lower ones.

    Follows: mindspore.ops.matrix_diag (2.10).
    """
    low, high = _range(k)
    try:
        data = x._data if high > low else x._data.unsqueeze(-2)
        longest = data.shape[-1]
        rows, columns = int(num_rows), int(num_cols)
        if rows == -1 and columns == -1:
            rows = columns = longest + max(min(abs(low), abs(high)) if low * high > 0 else 0, 0)
        elif rows == -1:
            rows = longest - min(high, 0)
        elif columns == -1:
            columns = longest + max(low, 0)
        result = data.new_full((*data.shape[:-2], rows, columns), scalar_or_tensor(padding_value))
        return wrap(_put(result, data, low, high, align))
    except Exception as error:
        raise explain(error, "matrix_diag", x=x, k=k) from error


def matrix_diag_part(x: Tensor, k: Any, padding_value: Any, align: str = "RIGHT_LEFT") -> Tensor:
    """Give diagonals of matrices, from the highest on; short ones are filled up with `padding_value`.

    Follows: mindspore.ops.matrix_diag_part (2.10).
    """
    low, high = _range(k)
    try:
        data = x._data
        diagonals = [data.diagonal(which, -2, -1) for which in range(high, low - 1, -1)]
        longest = max(diagonal.shape[-1] for diagonal in diagonals)
        result = data.new_full((*data.shape[:-2], len(diagonals), longest), scalar_or_tensor(padding_value))
        for row, diagonal in enumerate(diagonals):
            start = _start(high - row, longest - diagonal.shape[-1], align)
            result[..., row, start : start + diagonal.shape[-1]] = diagonal
        return wrap(result if high > low else result.squeeze(-2))
    except Exception as error:
        raise explain(error, "matrix_diag_part", x=x, k=k) from error


def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Replace diagonals of matrices.

    Follows: mindspore.ops.matrix_set_diag (2.10).
    """
    low, high = _range(k)
    try:
        data = diagonal._data if high > low else diagonal._data.unsqueeze(-2)
        return wrap(_put(x._data.clone(), data, low, high, align))
    except Exception as error:
        raise explain(error, "matrix_set_diag", x=x, diagonal=diagonal, k=k) from error


def _range(k: Any) -> tuple[int, int]:
    bounds = k.tolist() if isinstance(k, Tensor) else k
    if isinstance(bounds, int):
        return bounds, bounds
    low, high = (bounds[0], bounds[-1])
    return int(low), int(high)


def _start(which: int, spare: int, align: str) -> int:
    if align not in _ALIGNMENTS:
        raise ValueError(f"align must be one of {_ALIGNMENTS}, got {align!r}.")
    upper, lower = align.split("_")
    return spare if (upper if which >= 0 else lower) == "RIGHT" else 0


def _put(result: torch.Tensor, data: torch.Tensor, low: int, high: int, align: str) -> torch.Tensor:
    for row, which in enumerate(range(high, low - 1, -1)):
        target = result.diagonal(which, -2, -1)
        start = _start(which, data.shape[-1] - target.shape[-1], align)
        target.copy_(data[..., row, start : start + target.shape[-1]])
    return result


def _band(data: torch.Tensor, lower: int, upper: int) -> torch.Tensor:
    data = data if lower < 0 else data.triu(-lower)
    return data if upper < 0 else data.tril(upper)
