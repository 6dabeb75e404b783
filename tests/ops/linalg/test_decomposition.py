"""Inverses, factors and solutions. Judge: numpy, and the real MindSpore 2.10 where it has rules of its own."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops

A = np.array([[4.0, 1.0], [2.0, 3.0]], np.float32)
B = np.array([[1.0, 2.0], [0.0, 5.0]], np.float32)


def close(got: Tensor, expected: object, rtol: float = 1e-5) -> None:
    np.testing.assert_allclose(got.asnumpy(), expected, rtol=rtol, atol=1e-5)


def test_inverse_and_determinants() -> None:
    a = Tensor(A)
    close(ops.inverse(a), np.linalg.inv(A))
    close(ops.MatrixInverse(adjoint=True)(a), np.linalg.inv(A.T))
    close(ops.pinv(a), np.linalg.pinv(A))
    close(ops.det(a), np.linalg.det(A))
    close(ops.slogdet(a)[1], np.log(np.linalg.det(A)))
    close(ops.matrix_power(a, 3), A @ A @ A)


def test_svd_gives_the_values_first() -> None:
    values, u, v = ops.svd(Tensor(A))
    close(values, np.linalg.svd(A)[1])
    close(u @ ops.diag(values) @ v.T, A)
    close(ops.svd(Tensor(A), compute_uv=False), np.linalg.svd(A)[1])


def test_qr_and_cholesky() -> None:
    q, r = ops.qr(Tensor(A))
    close(q @ r, A)
    with pytest.raises(ValueError, match="mode"):
        ops.qr(Tensor(A), "full")
    square = A @ A.T
    close(ops.cholesky(Tensor(square)), np.linalg.cholesky(square))
    close(ops.cholesky(Tensor(square), upper=True), np.linalg.cholesky(square).T)


def test_solutions() -> None:
    close(ops.matrix_solve(Tensor(A), Tensor(B)), np.linalg.solve(A, B))
    close(ops.lstsq(Tensor(A), Tensor(B)), np.linalg.solve(A, B))
    upper = np.triu(A)
    close(ops.MatrixTriangularSolve(lower=False)(Tensor(A), Tensor(B)), np.linalg.solve(upper, B))
    close(ops.MatrixTriangularSolve(lower=False, adjoint=True)(Tensor(A), Tensor(B)), np.linalg.solve(upper.T, B))


def test_eigenvalues_are_complex() -> None:
    values = ops.eigvals(Tensor(A))
    assert values.dtype == ms.complex64
    np.testing.assert_allclose(sorted(values.asnumpy().real), [2.0, 5.0], rtol=1e-5)
