"""Linear algebra in other orders; what MindSpore computes on a CPU is in the recorded cases."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.contrib.ops import auto_generate as gen

DATA = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)


def test_norms_products_and_decompositions() -> None:
    x = Tensor(DATA)
    assert np.allclose(gen.LinalgVectorNorm()(x, 3.0, 1), np.linalg.norm(DATA, 3, 1))
    assert gen.LinalgVectorNorm()(x, 2, None, False, ms.float64).dtype == ms.float64
    assert np.allclose(gen.LpNormV2()(x, 2, (0,), True), np.linalg.norm(DATA, axis=0, keepdims=True))
    assert gen.LpNormV2()(x * 0, 2, None, False, 0.5).item() == 0.5
    assert np.allclose(gen.EinsumExt()("ij,kj->ik", (x, x)), DATA @ DATA.T, atol=1e-5)
    q, r = gen.linalg_qr(x, "complete")
    assert q.shape == (3, 3)
    assert np.allclose(q @ r, DATA, atol=1e-5)


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, 4.0, float("inf")])
def test_gradients_of_distances(p: float) -> None:
    left = torch.from_numpy(DATA).requires_grad_()
    right = torch.from_numpy(DATA[:2] + 1)
    far = torch.cdist(left, right, p)
    seed = torch.rand_like(far)
    (slope,) = torch.autograd.grad(far, left, seed)
    given = map(Tensor, (seed, left.detach(), right, far.detach()))
    assert np.allclose(gen.CdistGrad(p)(*given), slope, atol=1e-5)


def test_a_transposed_system() -> None:
    matrix = Tensor(np.tril(DATA[:, :3]) + 3 * np.eye(3, dtype=np.float32))
    for trans in (0, 1, 2):
        solved = gen.solve_triangular(matrix, Tensor(DATA), trans, True)
        assert np.allclose(ops.matmul(matrix if trans == 0 else matrix.T, solved), DATA, atol=1e-5)
    with pytest.raises(ValueError, match="trans"):
        gen.solve_triangular(matrix, Tensor(DATA), 3)
