"""Primitives of linear algebra."""

from msbridge.core.tensor import Tensor
from msbridge.ops.decomposition import functions as decomposition
from msbridge.ops.linalg import functions
from msbridge.ops.primitive import derive


def _cross(input: Tensor, other: Tensor, dim: int = -65530) -> Tensor:
    """Give the cross product along an axis; -65530 stands for the first of length 3."""
    return functions.cross(input, other, None if dim == -65530 else dim)


def _einsum(operands: tuple[Tensor, ...], equation: str) -> Tensor:
    """Sum products as the equation of indices says."""
    return functions.einsum(equation, *operands)


def _eig(A: Tensor, compute_v: bool = False) -> tuple[Tensor, Tensor]:
    """Give eigenvalues and eigenvectors; without `compute_v` the vectors are not asked for."""
    return decomposition.eig(A)


def _inverse(x: Tensor, adjoint: bool = False) -> Tensor:
    """Give the inverse of square matrices, or of their conjugate transpose."""
    return decomposition.inverse(functions.adjoint(x) if adjoint else x)


def _nuclear_norm(x: Tensor, dim: tuple[int, int] | None = None, keepdim: bool = False) -> Tensor:
    """Add up the singular values of matrices over two axes."""
    return functions.norm(x, "nuc", (0, 1) if dim is None else tuple(dim), keepdim)


def _qr(x: Tensor, full_matrices: bool = False) -> tuple[Tensor, Tensor]:
    """Give Q with orthonormal columns and the upper triangular R."""
    return decomposition.qr(x, "complete" if full_matrices else "reduced")


def _lstsq(matrix: Tensor, rhs: Tensor, fast: bool = True, l2_regularizer: float = 0.0) -> Tensor:
    """Give the x that makes the norm of `matrix @ x - rhs` least.

    Raises:
        ValueError: a regulariser is asked for.
    """
    if l2_regularizer:
        raise ValueError(f"For 'Lstsq', l2_regularizer must be 0.0, got {l2_regularizer!r}.")
    return decomposition.lstsq(matrix, rhs)


DERIVED = (
    derive("BatchMatMul", functions.matmul_transposed, "transpose_a transpose_b"),
    derive("Cdist", functions.cdist, "p"),
    derive("Cholesky", decomposition.cholesky, "upper"),
    derive("CholeskyInverse", decomposition.cholesky_inverse, "upper"),
    derive("CholeskySolve", decomposition.cholesky_solve, "upper"),
    derive("Cross", _cross, "dim"),
    derive("Eig", _eig, "compute_v"),
    derive("Einsum", _einsum, "equation"),
    derive("Geqrf", decomposition.geqrf),
    derive("Ger", functions.ger),
    derive("LogMatrixDeterminant", decomposition.slogdet),
    derive("Lstsq", _lstsq, "fast l2_regularizer"),
    derive("LuSolve", decomposition.lu_solve),
    derive("LuUnpack", decomposition.lu_unpack, "unpack_data unpack_pivots"),
    derive("MatMul", functions.matmul_transposed, "transpose_a transpose_b"),
    derive("MatrixDeterminant", decomposition.det),
    derive("MatrixExp", decomposition.matrix_exp),
    derive("MatrixInverse", _inverse, "adjoint"),
    derive("MatrixPower", functions.matrix_power, "n"),
    derive("MatrixSolve", decomposition.matrix_solve, "adjoint"),
    derive("MatrixTriangularSolve", decomposition.solve_triangular, "lower adjoint"),
    derive("NuclearNorm", _nuclear_norm, "dim keepdim"),
    derive("Orgqr", decomposition.orgqr),
    derive("Ormqr", decomposition.ormqr, "left transpose"),
    derive("Pdist", functions.pdist, "p"),
    derive("Qr", _qr, "full_matrices"),
    derive("Renorm", functions.renorm, "p dim maxnorm", renamed={"dim": "axis"}),
    derive("Svd", decomposition.svd, "full_matrices compute_uv"),
    derive("Trace", functions.trace),
)
