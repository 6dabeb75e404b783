"""Bands of diagonals: into matrices, out of them, and written over them.

A band is packed: one row for each diagonal, from the highest to the lowest, as long as the longest. `align` says where
shorter ones are: "RIGHT_LEFT" puts those above the main diagonal to the right, and those below to the left.
"""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import index_of, rearrange, sizes_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, many, scalar_or_tensor, unary, unary_with

Diagonals = int | Sequence[int] | Tensor
_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def matrix_diag(
    x: Tensor,
    k: Diagonals = 0,
    num_rows: int | Tensor = -1,
    num_cols: int | Tensor = -1,
    padding_value: Number | Tensor = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Make matrices of packed diagonals.

    Args:
        x: shape (..., length), or (..., diagonals, length) for a band.
        k: which diagonal, or (lowest, highest); positive ones are above the main diagonal.
        num_rows: rows of the matrices; -1 means as few as fit (square, if neither is given).
        num_cols: columns of the matrices.
        padding_value: what is elsewhere.
        align: where shorter diagonals are in the band.

    Returns:
        A Tensor of shape (..., rows, columns) and the dtype of `x`.

    Raises:
        ValueError: the rows or columns are too few, or `align` is another.

    Follows: mindspore.ops.matrix_diag (2.10).
    """
    settings = (k, index_of(num_rows), index_of(num_cols), scalar_or_tensor(padding_value), align)
    return rearrange(_matrix_diag, "matrix_diag", x, *settings)


def matrix_diag_part(x: Tensor, k: Diagonals, padding_value: Number | Tensor, align: str = "RIGHT_LEFT") -> Tensor:
    """Take diagonals out of matrices, packed; `padding_value` fills up shorter ones.

    Args:
        x: shape (..., rows, columns).
        k: which diagonal, or (lowest, highest); positive ones are above the main diagonal.
        padding_value: what fills up shorter diagonals.
        align: where shorter diagonals are in the band: "RIGHT_LEFT" puts those above to the right.

    Returns:
        A Tensor of shape (..., length), or (..., diagonals, length) for a band; the dtype of `x`.

    Follows: mindspore.ops.matrix_diag_part (2.10).
    """
    return rearrange(_matrix_diag_part, "matrix_diag_part", x, k, scalar_or_tensor(padding_value), align)


def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Diagonals = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Return matrices with other diagonals.

    Args:
        x: shape (..., rows, columns).
        diagonal: shape (..., length), or (..., diagonals, length) for a band.
        k: which diagonal, or (lowest, highest); positive ones are above the main diagonal.
        align: where shorter diagonals are in the band: "RIGHT_LEFT" puts those above to the right.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.matrix_set_diag (2.10).
    """
    return rearrange(_matrix_set_diag, "matrix_set_diag", x, diagonal, k, align)


def matrix_band_part(x: Tensor, lower: int | Tensor, upper: int | Tensor) -> Tensor:
    """Keep `lower` diagonals below the main one and `upper` above; -1 keeps all. Zeros are elsewhere.

    Args:
        x: shape (..., rows, columns).
        lower: how many diagonals below the main one.
        upper: how many above.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.matrix_band_part (2.10).
    """
    return rearrange(_matrix_band_part, "matrix_band_part", x, index_of(lower), index_of(upper))


def _matrix_diag(
    data: torch.Tensor, k: Diagonals, rows: int, columns: int, padding: Number | torch.Tensor, align: str
) -> torch.Tensor:
    lower, upper = _band(k)
    length = data.size(-1)
    fewest_rows, fewest_columns = length - min(upper, 0), length + max(lower, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(fewest_rows, fewest_columns)
    rows = fewest_rows if rows == -1 else rows
    columns = fewest_columns if columns == -1 else columns
    if rows < fewest_rows or columns < fewest_columns or (rows != fewest_rows and columns != fewest_columns):
        raise ValueError(
            f"{rows} rows and {columns} columns do not fit k {(lower, upper)} and shape {tuple(data.shape)}."
        )
    packed = data.unsqueeze(-2) if lower == upper else data
    band, row, column = _places(data, rows, columns, lower, upper, align)
    padding = padding.item() if isinstance(padding, torch.Tensor) else padding
    result = data.new_full((*packed.shape[:-2], rows, columns), padding)
    result[..., row, column] = packed[..., band[0], band[1]]
    return result


def _matrix_diag_part(data: torch.Tensor, k: Diagonals, padding: Number | torch.Tensor, align: str) -> torch.Tensor:
    lower, upper = _band(k)
    rows, columns = data.shape[-2:]
    length = min(rows + min(upper, 0), columns - max(lower, 0))
    band, row, column = _places(data, rows, columns, lower, upper, align)
    padding = padding.item() if isinstance(padding, torch.Tensor) else padding
    result = data.new_full((*data.shape[:-2], upper - lower + 1, length), padding)
    result[..., band[0], band[1]] = data[..., row, column]
    return result.squeeze(-2) if lower == upper else result


def _matrix_set_diag(data: torch.Tensor, diagonal: Tensor, k: Diagonals, align: str) -> torch.Tensor:
    lower, upper = _band(k)
    packed = diagonal._data.unsqueeze(-2) if lower == upper else diagonal._data
    band, row, column = _places(data, data.size(-2), data.size(-1), lower, upper, align)
    result = data.clone()
    result[..., row, column] = packed[..., band[0], band[1]]
    return result


def _matrix_band_part(data: torch.Tensor, lower: int, upper: int) -> torch.Tensor:
    if lower >= 0:
        data = torch.triu(data, -lower)
    return torch.tril(data, upper) if upper >= 0 else data


def _band(k: Diagonals) -> tuple[int, int]:
    bounds = sizes_of(k)
    return bounds[0], bounds[-1]


def _places(
    data: torch.Tensor, rows: int, columns: int, lower: int, upper: int, align: str
) -> tuple[tuple[torch.Tensor, torch.Tensor], torch.Tensor, torch.Tensor]:
    """Return, for each element of the diagonals, its place in the band and its row and column in the matrix."""
    if align not in _ALIGNMENTS:
        raise ValueError(f"align must be one of {_ALIGNMENTS}, got {align!r}.")
    above, below = align.split("_")
    longest = min(rows + min(upper, 0), columns - max(lower, 0))
    places: list[tuple[int, int, int, int]] = []
    for diagonal in range(upper, lower - 1, -1):
        length = min(rows + min(diagonal, 0), columns - max(diagonal, 0))
        shift = longest - length if (above if diagonal > 0 else below) == "RIGHT" else 0
        places += [(upper - diagonal, i + shift, i - min(diagonal, 0), i + max(diagonal, 0)) for i in range(length)]
    band_row, band_column, row, column = torch.tensor(places, device=data.device).reshape(-1, 4).unbind(1)
    return (band_row, band_column), row, column


tril = define(
    unary_with,
    torch.tril,
    "Keep what is on and below a diagonal.",
    "input diagonal",
    types=(Tensor, int),
    diagonal=0,
    args=("input: shape (..., rows, columns).\ndiagonal: which diagonal; positive ones are above the main one."),
    returns="A Tensor of the shape and dtype of `input`.",
)
triu = define(unary_with, torch.triu, "Keep what is on and above a diagonal.", like=tril)


def diag(input: Tensor) -> Tensor:
    """Make a tensor of shape `input.shape * 2` with `input` on its diagonal.

    Args:
        input: at least one axis.

    Returns:
        A Tensor of twice as many axes and the dtype of `input`.

    Follows: mindspore.ops.diag (2.10).
    """
    return unary(lambda data: torch.diag(data.flatten()).reshape(data.shape * 2), "diag", input)


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return the diagonal over two axes, as the last axis.

    Args:
        input: at least two axes.
        offset: which diagonal; positive ones are above the main one.
        dim1: the axis of rows.
        dim2: the axis of columns.

    Returns:
        A view of the dtype of `input`, with one axis, the last, for the two.

    Follows: mindspore.ops.diagonal (2.10).
    """
    return unary_with(torch.diagonal, "diagonal", input, offset, dim1, dim2)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Make matrices whose diagonals are the last axis of `input`.

    Args:
        input: shape (..., n).
        offset: which diagonal; positive ones are above the main one.
        dim1: where the axis of rows goes.
        dim2: where that of columns goes.

    Returns:
        A Tensor of the dtype of `input`, with one axis more.

    Follows: mindspore.ops.diag_embed (2.10).
    """
    return unary_with(torch.diag_embed, "diag_embed", input, offset, dim1, dim2)


diagflat = define(
    unary_with,
    torch.diagflat,
    "Make a matrix with all elements of `input` on a diagonal.",
    "input offset",
    like=tril,
    args=(
        "input: any shape and dtype; it is flattened.\noffset: which diagonal; positive ones are above the main one."
    ),
    returns="A matrix of the dtype of `input`.",
)


def block_diag(*inputs: Tensor) -> Tensor:
    """Put matrices along a diagonal.

    Args:
        inputs: Tensors of at most two axes; different dtypes are promoted.

    Returns:
        A matrix of the promoted dtype.

    Follows: mindspore.ops.block_diag (2.10).
    """
    return many(lambda tensors: torch.block_diag(*tensors), "block_diag", inputs)
