"""Methods of Tensor: the functions themselves where the arguments are the same."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, bool_
from msbridge.ops.faces import face, same
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.linalg.decomposition import kernels as decomposition_kernels
from msbridge.ops.linalg.distances import functions as distances
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.linalg.products_and_norms import functions as products_and_norms
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.reduce.reduction.methods import _cast


def qr(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal columns and the upper triangular R.

    Args:
        self: shape (..., m, n); floats or complex numbers.
        some: whether Q has k = min(m, n) columns, else m.

    Returns:
        (Q, R), of shapes (..., m, k) and (..., k, n) and the same dtype.

    Follows: mindspore.Tensor.qr (2.10).
    """
    return decomposition.qr(self, "reduced" if some else "complete")


def matmul(self: Tensor, other: Any = None, *, tensor2: Tensor | None = None) -> Tensor:
    """Return the matrix product; `tensor2` is another name of `other`.

    Args:
        self: at least one axis.
        other: at least one axis, of the same dtype.
        tensor2: another name of `other`.

    Returns:
        A Tensor of the product's shape and the same dtype.

    Follows: mindspore.Tensor.matmul (2.10).
    """
    return products_and_norms.matmul(self, other if tensor2 is None else tensor2)


def trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Type | None = None) -> Tensor:
    """Add up a diagonal over two axes; integers yield Int64, bools whether one is true.

    Args:
        self: at least two axes.
        offset: which diagonal; positive ones are above the main one.
        axis1: the axis of rows.
        axis2: the axis of columns.
        dtype: what to cast to first.

    Returns:
        A Tensor without the two axes.

    Follows: mindspore.Tensor.trace (2.10).
    """
    diagonal = _cast(self.diagonal(offset, axis1, axis2), dtype)
    return (reduction.any if diagonal.dtype == bool_ else reduction.sum)(diagonal, -1)


FACES = (
    face("ormqr", decomposition.ormqr, "self input2 input3 left transpose"),
    face("triangular_solve", decomposition_kernels.triangular_solve, "self A upper transpose unitriangular"),
    face("addmv", products_and_norms.addmv, "self mat vec beta alpha"),
    face("addr", products_and_norms.addr, "self vec1 vec2 beta alpha"),
)
SAME = (
    same(
        decomposition,
        "cholesky cholesky_inverse cholesky_solve det eigvals geqrf inverse log_matrix_determinant logdet "
        "lstsq lu_solve matrix_determinant matrix_power orgqr slogdet svd",
    )
    | same(
        products_and_norms,
        "addbmm addmm adjoint baddbmm bmm cross dot ger inner mm outer",
    )
    | same(norms, "norm")
    | same(distances, "renorm")
)
