"""The backward passes of decompositions, as functions of what went in, what came out, and its gradient."""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.scipy.linalg import solve_triangular

__all__ = ["get_bprpo_eig", "get_bprpo_eigh", "get_bprpo_trsm"]

TINY = 1e-20  # keeps equal eigenvalues from dividing by zero


def get_bprpo_eigh(self: Any) -> Callable[..., tuple[Tensor]]:
    """Return the backward pass of a primitive `Eigh`: the gradient has the triangle that the primitive reads.

    Raises:
        TypeError: the matrix is complex, when the result is called.

    Follows: mindspore.scipy.ops_grad.get_bprpo_eigh (2.10).
    """

    def bprop(a: Tensor, out: Any, dout: Any) -> tuple[Tensor]:
        if a._data.is_complex():
            raise TypeError(f"For 'Eigh', the gradient of a matrix of {a.dtype} is not defined.")
        if self.compute_eigenvectors:
            values, vectors = out[0]._data, out[1]._data
            between = values[..., None, :] - values[..., None]
            weights = between / (between * between + TINY)
            weights.diagonal(dim1=-2, dim2=-1).zero_()
            middle = torch.diag_embed(dout[0]._data) + weights * (vectors.mT @ dout[1]._data)
            gradient = vectors @ middle @ vectors.mT
        else:
            vectors = torch.linalg.eigh(a._data, UPLO="L" if self.lower else "U").eigenvectors
            gradient = (vectors * dout._data[..., None, :]) @ vectors.mT
        both = gradient + gradient.mT
        both.diagonal(dim1=-2, dim2=-1).mul_(0.5)
        return (wrap(both.tril() if self.lower else both.triu()),)

    return bprop


def get_bprpo_eig(self: Any) -> Callable[..., tuple[Tensor, Any]]:
    """Return the backward pass of a primitive `Eig`, by torch.

    Follows: mindspore.scipy.ops_grad.get_bprpo_eig (2.10), whose formula lacks the solving of its last system.
    """

    def bprop(a: Tensor, is_compute_v: bool, out: Any, dout: Any) -> tuple[Tensor, Any]:
        with torch.enable_grad():
            matrix = a._data.detach().requires_grad_()
            results = torch.linalg.eig(matrix) if is_compute_v else (torch.linalg.eigvals(matrix),)
        (gradient,) = torch.autograd.grad(results, matrix, [one._data for one in dout[: len(results)]])
        return wrap(gradient), type(is_compute_v)()

    return bprop


def get_bprpo_trsm(self: Any) -> Callable[..., tuple[Tensor, Tensor]]:
    """Return the backward pass of a primitive `SolveTriangular`.

    Follows: mindspore.scipy.ops_grad.get_bprpo_trsm (2.0).
    """
    is_turned = self.trans in ("T", "C")

    def bprop(a: Tensor, b: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
        change = solve_triangular(a, dout, "N" if is_turned else "T", self.lower, self.unit_diagonal)
        rows = a.shape[-2]
        left, right = change._data.reshape(rows, -1), out._data.reshape(rows, -1)
        gradient = -(right @ left.mH if is_turned else left @ right.mH)
        edge = 1 if self.unit_diagonal else 0
        return wrap(gradient.tril(-edge) if self.lower else gradient.triu(edge)), change

    return bprop
