"""Methods of Tensor."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.linalg.decomposition import functions, kernels


def qr(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal columns and the upper triangular R.

    Follows: mindspore.Tensor.qr (2.10).
    """
    return functions.qr(self, "reduced" if some else "complete")


def ormqr(self: Tensor, input2: Tensor, input3: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """Multiply `input3` by the orthogonal matrix of the reflectors in `self` and `input2`.

    Follows: mindspore.Tensor.ormqr (2.10).
    """
    return functions.ormqr(self, input2, input3, left, transpose)


def triangular_solve(
    self: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Solve A x = self for a triangular matrix: (x, A).

    Follows: mindspore.Tensor.triangular_solve (2.10).
    """
    return kernels.triangular_solve(self, A, upper, transpose, unitriangular)


SAME = same(
    functions,
    "cholesky cholesky_inverse cholesky_solve det eigvals geqrf inverse log_matrix_determinant logdet lstsq "
    "lu_solve matrix_determinant orgqr slogdet svd",
)
