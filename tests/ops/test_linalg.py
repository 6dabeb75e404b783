"""Linear algebra. Judge: numpy, and the real MindSpore 2.10 where it has rules of its own."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops

A = np.array([[4.0, 1.0], [2.0, 3.0]], np.float32)
B = np.array([[1.0, 2.0], [0.0, 5.0]], np.float32)


def close(got: Tensor, expected: object, rtol: float = 1e-5) -> None:
    np.testing.assert_allclose(got.asnumpy(), expected, rtol=rtol, atol=1e-5)


def test_products() -> None:
    a, b, v = Tensor(A), Tensor(B), Tensor(B[1])
    close(a @ b, A @ B)
    close(ops.mm(a, b), A @ B)
    close(ops.mv(a, v), A @ B[1])
    close(ops.bmm(Tensor(A[None]), Tensor(B[None])), (A @ B)[None])
    close(ops.outer(v, v), np.outer(B[1], B[1]))
    close(ops.inner(a, b), np.inner(A, B))
    close(ops.kron(a, b), np.kron(A, B))


def test_the_primitive_transposes() -> None:
    close(ops.MatMul(transpose_a=True)(Tensor(A), Tensor(B)), A.T @ B)
    close(ops.MatMul(transpose_b=True)(Tensor(A), Tensor(B)), A @ B.T)
    close(ops.BatchMatMul(transpose_b=True)(Tensor(A[None]), Tensor(B[None])), (A @ B.T)[None])


def test_dtypes_are_not_promoted() -> None:
    with pytest.raises(TypeError, match="matmul"):
        ops.matmul(Tensor(A, ms.float16), Tensor(B))


def test_inner_lengths_that_differ() -> None:
    with pytest.raises(RuntimeError):
        ops.matmul(Tensor(A), ops.ones((3, 2)))
    with pytest.raises(ValueError, match="inner lengths"):
        ops.MatMul()(Tensor(A), ops.ones((3, 2)))


def test_dot_sums_over_the_last_but_one_axis() -> None:
    x, y = np.ones((2, 3, 4), np.float32), np.ones((5, 4, 6), np.float32)
    assert ops.dot(Tensor(x), Tensor(y)).shape == (2, 3, 5, 6)
    close(ops.dot(Tensor(A), Tensor(B)), A @ B)


def test_tensor_dot_and_batch_dot() -> None:
    close(ops.tensor_dot(Tensor(A), Tensor(B), 1), A @ B)
    close(ops.tensor_dot(Tensor(A), Tensor(B), ((0,), (1,))), A.T @ B.T)
    x, y = np.ones((2, 3, 4), np.float32), np.ones((2, 3, 5), np.float32)
    assert ops.batch_dot(Tensor(x), Tensor(y), (1, 1)).shape == (2, 4, 5)
    assert ops.batch_dot(Tensor(A), Tensor(B)).tolist() == [[6.0], [15.0]]


def test_fused_products() -> None:
    a, b = Tensor(A), Tensor(B)
    close(ops.addmm(a, a, b, beta=2, alpha=3), 2 * A + 3 * A @ B)
    close(ops.baddbmm(Tensor(A[None]), Tensor(A[None]), Tensor(B[None])), (A + A @ B)[None])
    close(ops.addr(a, Tensor(A[0]), Tensor(B[0])), A + np.outer(A[0], B[0]))


def test_einsum() -> None:
    close(ops.einsum("ij,jk->ik", Tensor(A), Tensor(B)), A @ B)
    close(ops.Einsum("ij->ji")((Tensor(A),)), A.T)


@pytest.mark.parametrize("order", [None, 1, 2, np.inf, -np.inf, "fro", "nuc"])
def test_matrix_norms(order) -> None:
    close(ops.norm(Tensor(A), order), np.linalg.norm(A, order))


def test_vector_norms() -> None:
    close(ops.norm(Tensor(A), 3, 1, True), np.linalg.norm(A, 3, 1, keepdims=True))
    close(ops.vector_norm(Tensor(A), axis=0), np.linalg.norm(A, axis=0))
    assert ops.norm(Tensor([3, 4])).item() == 5.0


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


def test_cross_uses_the_first_axis_of_three() -> None:
    x, y = Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])
    assert ops.cross(x, y).tolist() == [0.0, 0.0, 1.0]
    assert ops.Cross()(x, y).tolist() == [0.0, 0.0, 1.0]


def test_distances() -> None:
    close(ops.cdist(Tensor(A), Tensor(B)), np.linalg.norm(A[:, None] - B[None], axis=-1))
    close(ops.pdist(Tensor(A)), [np.linalg.norm(A[0] - A[1])])
    close(ops.dist(Tensor(A), Tensor(B)), np.linalg.norm(A - B))


def test_traces() -> None:
    assert ops.trace(Tensor([[1, 2], [3, 4]], ms.int32)).dtype == ms.int32
    assert Tensor(A).trace(1).item() == 1.0


@pytest.mark.parametrize("name", ["matmul", "inner", "kron"])
def test_gradients_are_torchs(name) -> None:
    left, right = (torch.tensor(data, requires_grad=True) for data in (A, B))
    getattr(torch, name)(left, right).square().sum().backward()
    mine = ms.grad(lambda x, y: ops.square(getattr(ops, name)(x, y)).sum(), (0, 1))(Tensor(A), Tensor(B))
    close(mine[0], left.grad.numpy())
    close(mine[1], right.grad.numpy())


def test_bands_of_matrices() -> None:
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert ops.matrix_band_part(x, 0, -1).tolist() == [[1.0, 2.0, 3.0], [0.0, 5.0, 6.0]]
    parts = ops.matrix_diag_part(x, Tensor([-1, 1]), Tensor(0.0))
    assert parts.tolist() == [[2.0, 6.0], [1.0, 5.0], [4.0, 0.0]]
    assert ops.matrix_set_diag(x, Tensor([8.0, 9.0])).tolist() == [[8.0, 2.0, 3.0], [4.0, 9.0, 6.0]]


@pytest.mark.parametrize(
    ("align", "diagonals"),
    [
        ("RIGHT_LEFT", [[0.0, 8.0, 9.0], [1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]),
        ("LEFT_RIGHT", [[8.0, 9.0, 0.0], [1.0, 2.0, 3.0], [0.0, 4.0, 5.0]]),
    ],
)
def test_short_diagonals_are_aligned(align, diagonals) -> None:
    got = ops.matrix_diag(Tensor(diagonals), Tensor([-1, 1]), 3, 3, 0.0, align)
    assert got.tolist() == [[1.0, 8.0, 0.0], [4.0, 2.0, 9.0], [0.0, 5.0, 3.0]]


def test_fourier_transforms() -> None:
    signal = np.array([1.0, -2.0, 3.0, 0.5], np.float32)
    np.testing.assert_allclose(ops.fft(Tensor(signal)).asnumpy(), np.fft.fft(signal), rtol=1e-5)
    np.testing.assert_allclose(ops.irfft(ops.rfft(Tensor(signal))).asnumpy(), signal, rtol=1e-5)
    assert ops.fftfreq(4).tolist() == [0.0, 0.25, -0.5, -0.25]
    assert ops.stft(Tensor(np.ones(16, np.float32)), 4).shape == (3, 17, 2)


@pytest.mark.parametrize(
    "call",
    [lambda x, w: x @ w.T, lambda x, w: ops.MatMul(transpose_b=True)(x, w), lambda x, w: ops.dense(x, w)],
)
def test_float16_on_a_cpu_is_added_up_in_float32(call) -> None:
    """The judge is the float32 result, rounded once."""
    x, w = (Tensor(np.random.default_rng(seed).normal(size=(3, 4096)).astype(np.float16)) for seed in (0, 1))
    exact = call(x.astype(ms.float32), w.astype(ms.float32)).astype(ms.float16)
    result = call(x, w)
    assert result.dtype == ms.float16
    np.testing.assert_array_equal(result.asnumpy(), exact.asnumpy())


@pytest.mark.parametrize(
    ("axes", "shape", "first"),
    [
        (2, (2, 2), 440.0),
        (1, (2, 3, 3, 2), 14.0),
        (3, (), 3554.0),
        (((1, 2), (1, 0)), (2, 2), 506.0),
        (((2, 1), (0, 1)), (2, 2), 506.0),
        (((1, 2), (0, 1)), (2, 2), 440.0),
        (((-2, -1), (0, 1)), (2, 2), 440.0),
        (0, (2, 3, 4, 4, 3, 2), 0.0),
    ],
)
def test_tensor_dot_needs_equally_many_elements_only(axes, shape, first) -> None:
    """Judge: MindSpore 2.10."""
    x = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    result = ops.tensor_dot(x, x.T, axes)
    assert (result.shape, result.asnumpy().ravel()[0]) == (shape, first)


@pytest.mark.parametrize("axes", [2, 4])
def test_tensor_dot_refuses_what_does_not_go_together(axes) -> None:
    """Judge: MindSpore 2.10."""
    with pytest.raises(ValueError, match="tensor_dot"):
        ops.tensor_dot(Tensor(np.ones((2, 3, 4), np.float32)), Tensor(np.ones((4, 5, 2, 1), np.float32)), axes)
