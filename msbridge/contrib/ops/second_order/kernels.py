"""Computations on torch tensors that THOR's operators, layers and optimizer share.

Matrices are taken apart into square blocks along their diagonal, of which the last is filled up with the identity.
"""

import math

import torch
from torch.nn.functional import pad, unfold

Pair = tuple[int, int]

CUBE = 16  # the size of a block in the chip's format of matrices


def patches(images: torch.Tensor, kernel: Pair, stride: Pair, pad_mode: str, padding: int, dilation: Pair) -> tuple:
    """Return the patches under a kernel as (N, C·kh·kw, Ho·Wo), and Ho and Wo.

    `pad_mode` is "same", "valid" or "pad", which pads all sides by `padding`.
    """
    spans = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    before, after = [padding] * 2, [padding] * 2
    if pad_mode == "same":
        sizes = [math.ceil(size / step) for size, step in zip(images.shape[2:], stride, strict=True)]
        rows = zip(sizes, stride, spans, images.shape[2:], strict=True)
        missing = [max(0, (count - 1) * step + span - size) for count, step, span, size in rows]
        before, after = [total // 2 for total in missing], [total - total // 2 for total in missing]
    if any(before) or any(after):
        images = pad(images, (before[1], after[1], before[0], after[0]))
    counts = [(n - span) // step + 1 for n, span, step in zip(images.shape[2:], spans, stride, strict=True)]
    return unfold(images, kernel, dilation, 0, stride), *counts


def block_count(size: int, block: int) -> Pair:
    """Return the number and the size of a matrix's blocks: at most `block`, and one if it is 0."""
    return (1, size) if not block or size <= block else (math.ceil(size / block), block)


def diagonal_blocks(matrix: torch.Tensor, block: int) -> torch.Tensor:
    """Return the blocks along the diagonal, (count, size, size)."""
    count, size = block_count(len(matrix), block)
    if missing := count * size - len(matrix):
        matrix = torch.block_diag(matrix, torch.eye(missing, dtype=matrix.dtype, device=matrix.device))
    return torch.stack([matrix[at : at + size, at : at + size] for at in range(0, count * size, size)])


def inverse_factors(blocks: torch.Tensor) -> torch.Tensor:
    """Return X of each positive definite block with Xᵀ·X its inverse: the inverse of the lower Cholesky factor."""
    lower = torch.linalg.cholesky_ex(blocks).L  # NaN where it is not positive definite, and no host read
    one = torch.eye(blocks.shape[-1], dtype=blocks.dtype, device=blocks.device)
    return torch.linalg.solve_triangular(lower, one.expand_as(lower), upper=False)


def block_inverses(matrix: torch.Tensor, block: int) -> torch.Tensor:
    """Return the inverses of the blocks along the diagonal."""
    factors = inverse_factors(diagonal_blocks(matrix, block))
    return factors.mT @ factors


def times_blocks(left: torch.Tensor, gradient: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return L·gradient·R, with L and R the matrices of which `left` and `right` are the blocks along the diagonal.

    `right` may have blocks of its own for each block of rows.
    """
    (rows, height), (columns, width) = left.shape[:2], right.shape[-3:-1]
    missing = rows * height - gradient.shape[0], columns * width - gradient.shape[1]
    whole = pad(gradient, (0, missing[1], 0, missing[0])) if any(missing) else gradient
    parts = whole.reshape(rows, height, columns, width).transpose(1, 2)
    product = left[:, None] @ parts @ right
    joined = product.transpose(1, 2).reshape(rows * height, columns * width)
    return joined[: gradient.shape[0], : gradient.shape[1]]


def from_cubes(matrix: torch.Tensor) -> torch.Tensor:
    """Return a matrix that lies in cubes, (columns / 16, rows / 16, 16, 16), as it is written."""
    return matrix.permute(1, 2, 0, 3).reshape(matrix.shape[1] * CUBE, matrix.shape[0] * CUBE)
