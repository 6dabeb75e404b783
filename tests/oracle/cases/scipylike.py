"""mindspore.scipy: linear algebra, cosine transforms and optimization. Signs of eigenvectors are free.

The gradients of its cosine transforms (not of the inverse ones) are not those of what it computes, and left out.
"""

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor
from mindspore.scipy import fft, linalg, optimize  # noqa: F401  # the expressions use them
from mindspore.scipy.ops import LU, SolveTriangular  # noqa: F401

from tests.oracle.case import Case, each, rand

SYMMETRIC = Tensor([[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]])
GENERAL = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
WIDE = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
TALL = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
EVEN = Tensor([1.0, 2.0, 3.0])
STACK = mnp.stack([SYMMETRIC, SYMMETRIC * 2])
ZEROS = Tensor([0.0, 0.0, 0.0])
ONES = Tensor([1.0, 1.0, 1.0])


def symmetric(x: Tensor) -> Tensor:
    """A positive definite matrix that depends on `x`."""
    return (x + x.T) / 8 + SYMMETRIC


def apart(x: Tensor) -> Tensor:
    """A matrix that is easily solved and depends on `x`."""
    return x / 4 + SYMMETRIC


def parabola(x: Tensor) -> Tensor:
    return mnp.sum((x - mnp.arange(3).astype(ms.float32)) ** 2) + 1


def rosenbrock(x: Tensor) -> Tensor:
    return mnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def shifted(x: Tensor, by: float) -> Tensor:
    return mnp.sum((x - by) ** 2)


CASES = [
    *each(
        """
        linalg.block_diag(SYMMETRIC, TALL, EVEN)
        linalg.block_diag()
        linalg.block_diag(SYMMETRIC, TALL.astype(ms.int32))
        linalg.inv(SYMMETRIC)
        linalg.inv(SYMMETRIC.astype(ms.int32))
        linalg.inv(GENERAL.astype(ms.float64))
        linalg.cho_factor(SYMMETRIC)
        linalg.cho_factor(SYMMETRIC.astype(ms.int64), lower=True)
        linalg.cholesky(SYMMETRIC)
        linalg.cholesky(SYMMETRIC.astype(ms.float64), True)
        linalg.cho_solve(linalg.cho_factor(SYMMETRIC), EVEN)
        linalg.cho_solve(linalg.cho_factor(SYMMETRIC, True), TALL)
        linalg.eigh(SYMMETRIC)[0], mnp.abs(linalg.eigh(SYMMETRIC)[1])
        linalg.eigh(SYMMETRIC, eigvals_only=True)
        linalg.eigh(GENERAL, lower=False, eigvals_only=True)
        linalg.eigh(GENERAL, eigvals_only=True)
        linalg.eigh(SYMMETRIC.astype(ms.int32), eigvals_only=True)
        linalg.eigh(SYMMETRIC.astype(ms.complex64), eigvals_only=True)
        linalg.lu_factor(GENERAL)
        linalg.lu_factor(SYMMETRIC.astype(ms.int32))
        linalg.lu(GENERAL)
        linalg.lu(WIDE)
        linalg.lu(GENERAL.astype(ms.int32))
        linalg.lu_solve(linalg.lu_factor(GENERAL), TALL)
        linalg.lu_pivots_to_permutation(Tensor([1, 2, 2]), 3)
        linalg.lu_pivots_to_permutation(Tensor([[1, 2, 2], [0, 1, 2]]), 3)
        linalg.det(SYMMETRIC)
        linalg.det(SYMMETRIC.astype(ms.int32))
        linalg.det(SYMMETRIC[:2, :2])
        linalg.det(Tensor(np.diag([1.0, 2.0, 3.0, 4.0]).astype(np.float32)))
        linalg.solve_triangular(GENERAL, EVEN)
        linalg.solve_triangular(GENERAL, TALL, lower=True)
        linalg.solve_triangular(GENERAL, EVEN, trans="T", lower=True)
        linalg.solve_triangular(GENERAL, EVEN, trans=1, lower=True, unit_diagonal=True)
        linalg.solve_triangular(GENERAL, EVEN, trans="C")
        linalg.solve_triangular(STACK, Tensor(np.ones((2, 3, 1), np.float32)))
        linalg.solve_triangular(STACK, Tensor(np.ones((2, 3), np.float32)))
        linalg.solve_triangular(SYMMETRIC.astype(ms.int32), EVEN.astype(ms.int32))
        linalg.solve_triangular(SYMMETRIC.astype(ms.int64), EVEN.astype(ms.int64)).dtype
        linalg.solve_triangular(SYMMETRIC.astype(ms.float64), EVEN.astype(ms.float64))
        linalg.lstsq(SYMMETRIC, TALL)
        SolveTriangular(lower=True)(GENERAL, EVEN)
        SolveTriangular(trans="T", unit_diagonal=True)(GENERAL, EVEN)
        LU()(GENERAL)
        LU()(SYMMETRIC)
        """,
        tolerance=1e-5,
    ),
    *each(
        """
        linalg.inv(apart(x))
        linalg.eigh(symmetric(x), eigvals_only=True)
        mnp.abs(linalg.eigh(symmetric(x))[1])
        linalg.det(apart(x))
        linalg.det(apart(x)[:2, :2])
        linalg.solve_triangular(apart(x), EVEN)
        linalg.solve_triangular(apart(x), x)
        linalg.solve_triangular(apart(x), TALL, "T", True, True)
        linalg.block_diag(x, EVEN, x)
        linalg.lstsq(apart(x), EVEN)[0]
        fft.idct(x)
        fft.idctn(x)
        """,
        x=rand(3, 3),
        grad=True,
        tolerance=1e-4,
    ),
    *each(
        """
        fft.dct(x)
        fft.dctn(x)
        fft.dct(x, axis=0)
        fft.dct(x, n=5)
        fft.dct(x, n=2, norm="ortho")
        fft.dct(x.astype(ms.float64))
        fft.dct((x * 3).astype(ms.int32))
        fft.dct(x.astype(ms.float16))
        fft.dct(x.astype(ms.complex64))
        fft.idct(x, n=7, axis=0)
        fft.idct(x, norm="ortho")
        fft.idct(x[:1])
        fft.dctn(x, s=(2, 3))
        fft.dctn(x, s=(4,), axes=(0,))
        fft.dctn(x, axes=(0,))
        fft.dctn(x.reshape(2, 2, 3))
        fft.idctn(x, s=(5, 4), norm="ortho")
        fft.idctn(fft.dctn(x))
        """,
        x=rand(4, 3),
        tolerance=1e-5,
    ),
    *each(
        """
        optimize.linear_sum_assignment(GENERAL, False)
        optimize.linear_sum_assignment(GENERAL, True)
        optimize.linear_sum_assignment(WIDE, False)
        optimize.linear_sum_assignment(TALL, True)
        optimize.linear_sum_assignment(GENERAL, False, Tensor(2))
        optimize.linear_sum_assignment(GENERAL.astype(ms.int32), True)
        tuple(optimize.line_search(parabola, ZEROS, ONES))
        tuple(optimize.line_search(parabola, ZEROS, -ONES))
        tuple(optimize.line_search(parabola, ZEROS, ONES * 0.05))
        tuple(optimize.line_search(parabola, ZEROS, ONES * 7))
        tuple(optimize.line_search(rosenbrock, ZEROS, ONES))
        tuple(optimize.line_search(rosenbrock, ZEROS, ONES * 5))
        tuple(optimize.line_search(parabola, ZEROS, ONES, maxiter=1, c2=0.0001))
        tuple(optimize.minimize(rosenbrock, ZEROS[:2], method="BFGS"))[:4]
        tuple(optimize.minimize(parabola, ZEROS, method="bfgs"))
        tuple(optimize.minimize(parabola, ZEROS, method="bfgs", options=dict(maxiter=1)))
        tuple(optimize.minimize(shifted, ZEROS, (2.0,), method="BFGS"))
        tuple(optimize.minimize(parabola, ZEROS, method="LBFGS"))
        tuple(optimize.minimize(rosenbrock, ZEROS[:2], method="LBFGS", options=dict(maxiter=3, history_size=2)))
        tuple(optimize.minimize(rosenbrock, ZEROS[:2], method="lbfgs", options=dict(maxiter=5)))
        """,
        tolerance=1e-4,
    ),
    *each(
        """
        linalg.inv(SYMMETRIC.asnumpy())
        linalg.inv(SYMMETRIC.astype(ms.float16))
        linalg.inv(SYMMETRIC, overwrite_a=1)
        linalg.cho_factor(SYMMETRIC, lower=1)
        linalg.cho_solve((SYMMETRIC, 1), TALL)
        linalg.cho_solve((SYMMETRIC.astype(ms.float64), True), EVEN)
        linalg.eigh(SYMMETRIC, turbo=1)
        linalg.lu_factor(GENERAL, check_finite=0)
        linalg.lu_solve((GENERAL, Tensor([0, 1, 2])), TALL)
        linalg.det(1)
        linalg.solve_triangular(SYMMETRIC, EVEN.astype(ms.float64))
        linalg.solve_triangular(SYMMETRIC, 1)
        optimize.linear_sum_assignment(GENERAL, Tensor(False))
        optimize.minimize(rosenbrock, ZEROS, args=1, method="BFGS")
        optimize.minimize(1, ZEROS, method="lagrange")
        optimize.minimize(parabola, ZEROS, method="bfgs", options=dict(foo=1))
        """,
        raises=TypeError,
    ),
    *each(
        """
        linalg.block_diag(STACK)
        linalg.inv(STACK)
        linalg.inv(TALL)
        linalg.cholesky(STACK)
        linalg.cho_solve((SYMMETRIC, True), EVEN[:2])
        linalg.eigh(STACK)
        linalg.eigh(SYMMETRIC, b=SYMMETRIC)
        linalg.eigh(SYMMETRIC, eigvals=(0, 1))
        linalg.lu_factor(WIDE)
        linalg.lu(TALL)
        linalg.lu(STACK)
        linalg.lu_solve(linalg.lu_factor(GENERAL), TALL, 3)
        linalg.det(STACK)
        linalg.solve_triangular(GENERAL, EVEN, trans="X")
        linalg.solve_triangular(TALL, EVEN)
        linalg.solve_triangular(SYMMETRIC, EVEN[:2])
        linalg.lstsq(TALL, EVEN, driver="x")
        fft.dct(EVEN, norm="forward")
        fft.dct(EVEN, norm="x")
        fft.dct(EVEN, type=1)
        fft.idct(EVEN, type=3)
        fft.dctn(TALL, type=1)
        fft.dct(TALL, axis=3)
        optimize.linear_sum_assignment(EVEN, False)
        optimize.minimize(rosenbrock, ZEROS)
        optimize.minimize(rosenbrock, ZEROS, method="x")
        """,
        raises=ValueError,
    ),
    Case("linalg.cholesky(GENERAL)", raises=RuntimeError),
    Case("linalg.cholesky(-SYMMETRIC)", raises=RuntimeError),
    Case("linalg.solve_triangular(GENERAL, EVEN, trans=4)", raises=RuntimeError),
    Case("linalg.block_diag(1)", raises=AttributeError),
]
