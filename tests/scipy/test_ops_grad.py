"""Backward passes of decompositions; those of Eigh are MindSpore 2.10's numbers, the others torch's."""

import numpy as np
import pytest
import torch

from msbridge import Tensor
from msbridge.core.tensor.tensor import wrap
from msbridge.scipy import ops as primitives
from msbridge.scipy.ops_grad import get_bprpo_eig, get_bprpo_eigh, get_bprpo_trsm

MATRIX = np.array([[2, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 1]], np.float32)
RANDOM = np.random.RandomState(0)
OF_VALUES, OF_VECTORS = RANDOM.rand(3).astype(np.float32), RANDOM.rand(3, 3).astype(np.float32)
BOTH = [[0.00781812705, 0, 0], [0.0961513817, 0.783789217, 0], [0.596996903, -0.440439403, 1.07515895]]
VALUES = [[0.647515893, 0, 0], [-0.0806022137, 0.635518849, 0], [0.114913985, -0.0672500432, 0.583731532]]


@pytest.mark.parametrize("lower", [True, False])
def test_eigh(lower: bool) -> None:
    primitive = primitives.Eigh(True, lower)
    out = primitive(Tensor(MATRIX))
    signs = np.sign(out[1].asnumpy()[0])
    gradient = get_bprpo_eigh(primitive)(Tensor(MATRIX), out, (Tensor(OF_VALUES), Tensor(OF_VECTORS * signs)))
    wanted = np.array(BOTH)
    assert np.allclose(gradient[0].asnumpy(), wanted if lower else wanted.T, atol=2e-5)
    primitive = primitives.Eigh(False, lower)
    gradient = get_bprpo_eigh(primitive)(Tensor(MATRIX), primitive(Tensor(MATRIX)), Tensor(OF_VALUES))
    wanted = np.array(VALUES)
    assert np.allclose(gradient[0].asnumpy(), wanted if lower else wanted.T, atol=2e-5)


def test_complex_matrices_are_refused() -> None:
    with pytest.raises(TypeError):
        get_bprpo_eigh(primitives.Eigh())(Tensor(MATRIX.astype(np.complex64)), None, None)


def test_eig_of_a_general_matrix() -> None:
    """Judge: central differences of the sum of squared absolute eigenvalues."""
    general = np.array([[2.0, 1.0], [-1.5, 0.5]])

    def total(matrix: np.ndarray) -> float:
        return float((np.abs(np.linalg.eigvals(matrix)) ** 2).sum())

    values = torch.linalg.eigvals(torch.tensor(general))
    gradient, flag = get_bprpo_eig(primitives.Eig())(Tensor(general), False, None, (wrap(2 * values),))
    steps = np.eye(4).reshape(4, 2, 2) * 1e-6
    wanted = np.array([(total(general + one) - total(general - one)) / 2e-6 for one in steps]).reshape(2, 2)
    assert np.allclose(gradient.asnumpy().real, wanted, atol=1e-5)
    assert flag is False


@pytest.mark.parametrize("trans", ["N", "T"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
def test_triangular_systems(trans: str, lower: bool, unit: bool) -> None:
    primitive = primitives.SolveTriangular(lower, unit, trans)
    a, b = Tensor(MATRIX), Tensor(OF_VECTORS)
    gradients = get_bprpo_trsm(primitive)(a, b, primitive(a, b), Tensor(np.ones((3, 3), np.float32)))

    matrix, right = torch.tensor(MATRIX, requires_grad=True), torch.tensor(OF_VECTORS, requires_grad=True)
    turned = matrix if trans == "N" else matrix.mT
    upper = (not lower) == (trans == "N")
    torch.linalg.solve_triangular(turned, right, upper=upper, unitriangular=unit).sum().backward()
    for found, wanted in zip(gradients, (matrix.grad, right.grad), strict=True):
        assert wanted is not None
        assert np.allclose(found.asnumpy(), wanted.numpy(), atol=1e-4)
