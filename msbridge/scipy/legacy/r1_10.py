"""Linear algebra of 1.10: what shares a matrix with a factor, and whole numbers in double precision."""

from functools import wraps
from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.scipy import linalg, ops
from msbridge.scipy._checks import square_of


@wraps(linalg.cho_factor)
def _cho_factor(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """Return the Cholesky factor, and which one it is; the other triangle is that of the matrix."""
    factor = _today_cho_factor(a, lower, overwrite_a, check_finite)[0]._data
    matrix = square_of("cho_factor", a)
    rest = matrix.triu(1) if lower else matrix.tril(-1)
    return wrap(factor + rest), lower


def _floating(data: torch.Tensor) -> torch.Tensor:
    """Return data of a floating dtype; whole numbers in double precision."""
    return data if data.is_floating_point() or data.is_complex() else data.double()


def _eig(self: Any, a: Tensor) -> tuple[Tensor, Tensor] | Tensor:
    """Return eigenvalues and eigenvectors of a matrix; without `compute_v` the values only."""
    found: tuple[Tensor, Tensor] = _today_eig(self, a)
    return found if self.compute_v else found[0]


_today_cho_factor, _today_eig = linalg.cho_factor, ops.Eig.__call__
OVERRIDES = {
    "scipy.linalg.cho_factor": _cho_factor,
    "scipy.linalg.solve_triangular": Part(linalg, "_floating", _floating),
    "scipy.ops.Eig": Part(ops.Eig, "__call__", _eig),
}
