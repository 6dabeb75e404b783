"""Functions of matrices below linear algebra that scripts import."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.sparse.matrices import CSRTensor
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.shape.diagonals import functions as diagonals
from msbridge.ops.sparse.sparse_tensors import functions as sparse

__all__ = ["matrix_set_diag", "sparse_dot"]


def matrix_set_diag(
    input_x: Tensor, diagonal: Tensor, k: int | Sequence[int] = 0, alignment: str = "RIGHT_LEFT"
) -> Tensor:
    """Return matrices with other diagonals.

    Args:
        input_x: shape (..., m, n).
        diagonal: the diagonals.
        k: which one, or the first and the last.
        alignment: how shorter ones lie in their rows.

    Raises:
        ValueError: `k` is neither int nor two of them.

    Follows: mindspore.scipy.ops_wrapper.matrix_set_diag (2.10).
    """
    if not isinstance(k, int | list | tuple):
        raise ValueError(f"For 'matrix_set_diag', k must be an int, or two of them, got {k!r}.")
    return diagonals.matrix_set_diag(input_x, diagonal, k if isinstance(k, int) else tuple(k), alignment)


def sparse_dot(a: CSRTensor, b: Any) -> Tensor:
    """Return the product of a sparse matrix and a vector, of shape (n,) or (n, 1).

    Follows: mindspore.scipy.utils.sparse_dot (2.10), whose kernel its wheel for CPUs lacks.
    """
    product = sparse.csr_mv(a, b.reshape((b.shape[0], -1)))
    return product.reshape(tuple(a.shape[:-1]) + tuple(b.shape[1:]))
