"""Primitives of decomposition."""

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.linalg.decomposition import functions
from msbridge.ops.linalg.decomposition.kernels import solve_triangular
from msbridge.ops.primitive.primitive import derive


def _eig(A: Tensor, compute_v: bool = False) -> tuple[Tensor, Tensor]:
    """Return eigenvalues and eigenvectors; without `compute_v` the vectors are not asked for.

    Args:
        A: shape (..., n, n); floats or complex numbers.
        compute_v: whether the vectors are asked for.

    Returns:
        (values, vectors), of shapes (..., n) and (..., n, n); Complex64 or Complex128.
    """
    return functions.eig(A)


def _qr(x: Tensor, full_matrices: bool = False) -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal columns and the upper triangular R.

    Args:
        x: shape (..., m, n); floats or complex numbers.
        full_matrices: whether Q is square, else of k = min(m, n) columns.

    Returns:
        (Q, R), of shapes (..., m, k) and (..., k, n) and the dtype of `x`.
    """
    return functions.qr(x, "complete" if full_matrices else "reduced")


def _lstsq(matrix: Tensor, rhs: Tensor, fast: bool = True, l2_regularizer: float = 0.0) -> Tensor:
    """Return the x that makes the norm of `matrix @ x - rhs` least.

    Args:
        matrix: shape (m, n); floats.
        rhs: shape (m,) or (m, k).
        fast: without effect.
        l2_regularizer: 0.

    Returns:
        A Tensor of shape (n, 1) or (n, k) and the dtype of `matrix`.

    Raises:
        ValueError: a regulariser is asked for.
    """
    if l2_regularizer:
        raise ValueError(f"For 'Lstsq', l2_regularizer must be 0.0, got {l2_regularizer!r}.")
    return functions.lstsq(matrix, rhs)


def _svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> tuple[Tensor, ...]:
    """Return (values, U, V); without `compute_uv` U and V are [0].

    Args:
        input: shape (..., m, n); floats or complex numbers.
        full_matrices: whether U and V are square.
        compute_uv: whether U and V are computed.

    Returns:
        (values, U, V), of shapes (..., k), (..., m, k) and (..., n, k), k = min(m, n).
    """
    result = functions.svd(input, full_matrices, compute_uv)
    return result if compute_uv else (result, *(wrap(result._data.new_zeros(1)) for _ in "UV"))


DERIVED = (
    derive("Cholesky", functions.cholesky, "upper"),
    derive("CholeskyInverse", functions.cholesky_inverse, "upper"),
    derive("CholeskySolve", functions.cholesky_solve, "upper"),
    derive("Eig", _eig, "compute_v"),
    derive("Geqrf", functions.geqrf),
    derive("LogMatrixDeterminant", functions.slogdet),
    derive("Lstsq", _lstsq, "fast l2_regularizer"),
    derive("LuSolve", functions.lu_solve),
    derive("LuUnpack", functions.lu_unpack, "unpack_data unpack_pivots"),
    derive("MatrixDeterminant", functions.det),
    derive("MatrixExp", functions.matrix_exp),
    derive("MatrixSolve", functions.matrix_solve, "adjoint"),
    derive("MatrixTriangularSolve", solve_triangular, "lower adjoint"),
    derive("Orgqr", functions.orgqr),
    derive("Ormqr", functions.ormqr, "left transpose"),
    derive("Qr", _qr, "full_matrices"),
    derive("Svd", _svd, "full_matrices compute_uv"),
)
