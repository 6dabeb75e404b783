"""Iterative solutions. Judge: numpy."""

from collections.abc import Callable

import numpy as np
import pytest

import msbridge as ms
from msbridge import CSRTensor, Tensor
from msbridge.scipy.sparse.linalg import bicgstab, cg, gmres

MATRIX = np.array([[4, 1, 0, 0], [1, 5, 2, 0], [0, 2, 6, 1], [0, 0, 1, 3]], np.float64)
SKEW = MATRIX + np.array([[0, 2, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]])
RIGHT = np.array([1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize(("method", "matrix"), [(cg, MATRIX), (bicgstab, SKEW), (gmres, SKEW)])
def test_solutions_of_dense_sparse_and_functional_matrices(method: Callable[..., tuple], matrix: np.ndarray) -> None:
    expected = np.linalg.solve(matrix, RIGHT)
    dense = Tensor(matrix)
    for form in (dense, dense.to_csr(), lambda x: ms.ops.mv(dense, x)):
        found, _ = method(form, Tensor(RIGHT), tol=1e-10)
        assert np.allclose(found.asnumpy(), expected)
    preconditioned, _ = method(dense, Tensor(RIGHT), M=Tensor(np.diag(1 / np.diag(matrix))), tol=1e-10)
    assert np.allclose(preconditioned.asnumpy(), expected)


@pytest.mark.parametrize(("method", "matrix"), [(cg, MATRIX), (bicgstab, SKEW), (gmres, SKEW)])
def test_gradients_are_those_of_the_solution(method: Callable[..., tuple], matrix: np.ndarray) -> None:
    solution = np.linalg.solve(matrix, RIGHT)
    pulled = np.linalg.solve(matrix.T, 2 * solution)
    of_matrix, of_right = ms.grad(lambda a, b: (method(a, b, tol=1e-10)[0] ** 2).sum(), (0, 1))(
        Tensor(matrix), Tensor(RIGHT)
    )
    assert np.allclose(of_matrix.asnumpy(), -np.outer(pulled, solution))
    assert np.allclose(of_right.asnumpy(), pulled)


def test_gradients_of_a_sparse_matrix_are_those_of_its_values() -> None:
    sparse = Tensor(MATRIX).to_csr()
    solution = np.linalg.solve(MATRIX, RIGHT)
    pulled = np.linalg.solve(MATRIX.T, np.ones(4))

    def total(values: Tensor) -> Tensor:
        matrix: CSRTensor = sparse.with_values(values)
        return cg(matrix, Tensor(RIGHT), tol=1e-10)[0].sum()

    found = ms.grad(total)(sparse.values)
    rows, columns = MATRIX.nonzero()
    assert np.allclose(found.asnumpy(), -pulled[rows] * solution[columns])


def test_gmres_restarts_and_says_when_it_did_not_arrive() -> None:
    found, info = gmres(Tensor(SKEW), Tensor(RIGHT), restart=2, tol=1e-10)
    assert info == 0
    assert np.allclose(SKEW @ found.asnumpy(), RIGHT)
    assert gmres(Tensor(SKEW), Tensor(RIGHT), restart=1, maxiter=1, tol=1e-10)[1] == 1


def test_what_is_no_system_is_refused() -> None:
    with pytest.raises(TypeError, match="'b' should be 'Tensor'"):
        cg(Tensor(MATRIX), RIGHT)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="A must be a Tensor"):
        cg(1, Tensor(RIGHT))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="solve_method"):
        gmres(Tensor(MATRIX), Tensor(RIGHT), solve_method="x")
