"""Computations that the faces of decomposition share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import binary_same


def solve_triangular(matrix: Tensor, rhs: Tensor, lower: bool = True, adjoint: bool = False) -> Tensor:
    """Solve matrix x = rhs for a triangular matrix, or with `adjoint` matrixᴴ x = rhs.

    Args:
        matrix: shape (..., n, n); floats or complex numbers.
        rhs: shape (..., n, k).
        lower: whether the lower triangle is read, else the upper one.
        adjoint: solve with the conjugate transpose.

    Returns:
        A Tensor of the shape and dtype of `rhs`.

    Follows: mindspore.ops.MatrixTriangularSolve (2.10).
    """

    def solve(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        triangle = left.tril() if lower else left.triu()
        return torch.linalg.solve_triangular(triangle.mH if adjoint else triangle, right, upper=lower == adjoint)

    return binary_same(solve, "MatrixTriangularSolve", matrix, rhs)


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Solve A x = b for a triangular matrix: (x, A).

    Args:
        b: the right side, (..., n, k); floats or complex numbers.
        A: shape (..., n, n).
        upper: whether the upper triangle is read, else the lower one.
        transpose: solve with the transpose.
        unitriangular: whether the diagonal counts as ones.

    Returns:
        (x, A), of the shapes and the dtype of `b` and `A`.

    Follows: mindspore.mint.triangular_solve (2.10).
    """

    def solve(right: torch.Tensor, left: torch.Tensor) -> torch.Tensor:
        triangle = left.triu() if upper else left.tril()
        matrix = triangle.mT if transpose else triangle
        return torch.linalg.solve_triangular(matrix, right, upper=upper != transpose, unitriangular=unitriangular)

    return binary_same(solve, "triangular_solve", b, A), A
