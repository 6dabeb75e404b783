"""The primitives below linear algebra and optimization."""

from typing import Any

import torch

from msbridge.core.checks.arguments import boolean
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.linalg.decomposition import functions as decomposition
from msbridge.ops.primitive.primitive import Primitive, derive
from msbridge.scipy.linalg import decompose_symmetric, lu_pivots_to_permutation, solve_triangular
from msbridge.scipy.optimize.linear_sum_assignment import LinearSumAssignment

__all__ = ["LU", "Eig", "Eigh", "LinearSumAssignment", "SolveTriangular"]


def _eig(a: Tensor, compute_v: bool = True) -> tuple[Tensor, Tensor]:
    values, vectors = decomposition.eig(a)
    return values, vectors if compute_v else wrap(values._data.new_zeros(()))


class Eig(derive("Eig", _eig, "compute_v")):  # type: ignore[misc]
    """Return eigenvalues and eigenvectors of a matrix; without `compute_v` a zero instead of the vectors.

    Follows: mindspore.scipy.ops.Eig (2.10).
    """

    def __init__(self, compute_v: bool = True) -> None:
        super().__init__(boolean(compute_v, "compute_v", "Eig"))


class SolveTriangular:
    """Solve a·x = b for a triangular matrix.

    Args:
        lower: read the lower triangle; else the upper one.
        unit_diagonal: take the diagonal for ones.
        trans: "N" for a, "T" for its transpose, "C" for the conjugate of that.

    Follows: mindspore.scipy.ops.SolveTriangular (2.10).
    """

    def __init__(self, lower: bool = False, unit_diagonal: bool = False, trans: str = "N") -> None:
        self.lower = lower
        self.unit_diagonal = unit_diagonal
        self.trans = trans

    def __call__(self, a: Tensor, b: Tensor) -> Tensor:
        return solve_triangular(a, b, self.trans, self.lower, self.unit_diagonal)


class LU(Primitive):
    """Return L and U in one matrix, the exchanges of rows, and their matrix.

    Follows: mindspore.scipy.ops.LU (2.10).
    """

    def __init__(self) -> None:
        super().__init__("LU")

    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        packed, pivots = torch.linalg.lu_factor(x._data)
        rows = x.shape[-2]
        order = lu_pivots_to_permutation(wrap(pivots - 1), rows)._data.long()
        exchanges = torch.eye(rows, dtype=torch.int32, device=order.device)[order].mT
        return wrap(packed), wrap(pivots - 1), wrap(exchanges)


class Eigh(Primitive):
    """Return the eigenvalues of a symmetric matrix, and its eigenvectors.

    Args:
        compute_eigenvectors: return the eigenvectors, too.
        lower: read the lower triangle; else the upper one.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.ops.operations.linalg_ops.Eigh (2.10).
    """

    def __init__(self, compute_eigenvectors: bool = True, lower: bool = True) -> None:
        super().__init__("Eigh")
        self.compute_eigenvectors = boolean(compute_eigenvectors, "compute_eigenvectors", "Eigh")
        self.lower = boolean(lower, "lower", "Eigh")

    def __call__(self, A: Tensor) -> Any:
        return decompose_symmetric(A, self.compute_eigenvectors, self.lower)
