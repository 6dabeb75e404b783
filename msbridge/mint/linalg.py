"""Linear algebra under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import Axis, Number
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.products_and_norms import functions as linalg

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]


def inv(input: Tensor) -> Tensor:
    """Return the inverse of square matrices.

    Follows: mindspore.mint.linalg.inv (2.10).
    """
    return decomposition.inverse(input)


def qr(A: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal columns and the upper triangular R.

    Follows: mindspore.mint.linalg.qr (2.10).
    """
    return decomposition.qr(A, mode)


norm = linalg.norm


def vector_norm(
    x: Tensor, ord: Number = 2, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None
) -> Tensor:
    """Return the p-norm of vectors along axes.

    Follows: mindspore.mint.linalg.vector_norm (2.10).
    """
    return linalg.vector_norm(x, ord, dim, keepdim, dtype=dtype)


def matrix_norm(
    A: Tensor,
    ord: Number | str = "fro",
    dim: tuple[int, int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Return the norm of matrices over two axes.

    Follows: mindspore.mint.linalg.matrix_norm (2.10).
    """
    return linalg.matrix_norm(A, ord, dim, keepdim, dtype=dtype)
