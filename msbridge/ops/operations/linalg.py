"""Primitives of linear algebra."""

from msbridge.core.tensor import Tensor
from msbridge.ops import decomposition, elementwise, linalg, reshaping
from msbridge.ops.primitive import REQUIRED, derive

__all__ = [
    "BatchMatMul",
    "Cdist",
    "Cholesky",
    "CholeskyInverse",
    "CholeskySolve",
    "ConjugateTranspose",
    "Cross",
    "Eig",
    "Einsum",
    "Geqrf",
    "Ger",
    "LogMatrixDeterminant",
    "Lstsq",
    "LuSolve",
    "LuUnpack",
    "MatMul",
    "MatrixDeterminant",
    "MatrixExp",
    "MatrixInverse",
    "MatrixPower",
    "MatrixSolve",
    "MatrixTriangularSolve",
    "NuclearNorm",
    "Orgqr",
    "Ormqr",
    "Pdist",
    "Qr",
    "Renorm",
    "Svd",
    "Trace",
]


def _conjugate_transpose(x: Tensor, perm: tuple[int, ...]) -> Tensor:
    """Exchange axes and take the complex conjugate."""
    return elementwise.conj(reshaping.transpose(x, perm))


def _cross(input: Tensor, other: Tensor, dim: int = -65530) -> Tensor:
    """Give the cross product along an axis; -65530 stands for the first of length 3."""
    return linalg.cross(input, other, None if dim == -65530 else dim)


def _einsum(operands: tuple[Tensor, ...], equation: str) -> Tensor:
    """Sum products as the equation of indices says."""
    return linalg.einsum(equation, *operands)


def _eig(A: Tensor, compute_v: bool = False) -> tuple[Tensor, Tensor]:
    """Give eigenvalues and eigenvectors; without `compute_v` the vectors are not asked for."""
    return decomposition.eig(A)


def _inverse(x: Tensor, adjoint: bool = False) -> Tensor:
    """Give the inverse of square matrices, or of their conjugate transpose."""
    return decomposition.inverse(linalg.adjoint(x) if adjoint else x)


def _nuclear_norm(x: Tensor, dim: tuple[int, int] | None = None, keepdim: bool = False) -> Tensor:
    """Add up the singular values of matrices over two axes."""
    return linalg.norm(x, "nuc", (0, 1) if dim is None else tuple(dim), keepdim)


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


BatchMatMul = derive("BatchMatMul", linalg.matmul_transposed, {"transpose_a": False, "transpose_b": False})
Cdist = derive("Cdist", linalg.cdist, {"p": 2.0})
Cholesky = derive("Cholesky", decomposition.cholesky, {"upper": False})
CholeskyInverse = derive("CholeskyInverse", decomposition.cholesky_inverse, {"upper": False})
CholeskySolve = derive("CholeskySolve", decomposition.cholesky_solve, {"upper": False})
ConjugateTranspose = derive("ConjugateTranspose", _conjugate_transpose)
Cross = derive("Cross", _cross, {"dim": -65530})
Eig = derive("Eig", _eig, {"compute_v": False})
Einsum = derive("Einsum", _einsum, {"equation": REQUIRED})
Geqrf = derive("Geqrf", decomposition.geqrf)
Ger = derive("Ger", linalg.ger)
LogMatrixDeterminant = derive("LogMatrixDeterminant", decomposition.slogdet)
Lstsq = derive("Lstsq", _lstsq, {"fast": True, "l2_regularizer": 0.0})
LuSolve = derive("LuSolve", decomposition.lu_solve)
LuUnpack = derive("LuUnpack", decomposition.lu_unpack, {"unpack_data": True, "unpack_pivots": True})
MatMul = derive("MatMul", linalg.matmul_transposed, {"transpose_a": False, "transpose_b": False})
MatrixDeterminant = derive("MatrixDeterminant", decomposition.det)
MatrixExp = derive("MatrixExp", decomposition.matrix_exp)
MatrixInverse = derive("MatrixInverse", _inverse, {"adjoint": False})
MatrixPower = derive("MatrixPower", linalg.matrix_power, {"n": REQUIRED})
MatrixSolve = derive("MatrixSolve", decomposition.matrix_solve, {"adjoint": False})
MatrixTriangularSolve = derive(
    "MatrixTriangularSolve", decomposition.solve_triangular, {"lower": True, "adjoint": False}
)
NuclearNorm = derive("NuclearNorm", _nuclear_norm, {"dim": None, "keepdim": False})
Orgqr = derive("Orgqr", decomposition.orgqr)
Ormqr = derive("Ormqr", decomposition.ormqr, {"left": True, "transpose": False})
Pdist = derive("Pdist", linalg.pdist, {"p": 2.0})
Qr = derive("Qr", _qr, {"full_matrices": False})
Renorm = derive("Renorm", linalg.renorm, {"p": REQUIRED, "dim": REQUIRED, "maxnorm": REQUIRED}, {"dim": "axis"})
Svd = derive("Svd", decomposition.svd, {"full_matrices": False, "compute_uv": True})
Trace = derive("Trace", linalg.trace)
