"""Primitives below ops.operations that it does not list. Judge: numpy, torch, or the primitive that is listed."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.contrib.ops.internal import unlisted

X = Tensor(np.float32([[0.5, -1.5, 2.0], [-0.2, 1.0, 0.3]]))


def same(found: Tensor, wanted: object, rtol: float = 1e-6) -> None:
    np.testing.assert_allclose(found.asnumpy(), np.asarray(wanted), rtol=rtol, atol=1e-6)


def test_factors_of_a_matrix() -> None:
    data = np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32)
    packed, rows = unlisted.Lu(ms.int32)(Tensor(data))
    lower, upper = np.tril(packed.asnumpy(), -1) + np.eye(3), np.triu(packed.asnumpy())
    np.testing.assert_allclose(lower @ upper, data[rows.asnumpy()], rtol=1e-4, atol=1e-5)
    assert rows.dtype == ms.int32


def test_gradients_without_their_scale() -> None:
    first, second = unlisted.ScaleGrad()((X, X[0]), Tensor(2.0, ms.float32))
    same(first, X.asnumpy() * 2)
    same(second, X.asnumpy()[0] * 2)


def test_the_gradient_of_a_sparse_sum() -> None:
    one, other, total = (Tensor(np.array(places)) for places in ([[0, 0], [1, 1]], [[0, 0], [1, 0]], [[0, 0], [1, 1]]))
    first, second = unlisted.SparseAddGrad()(Tensor(np.float32([3, 5])), one, other, total)
    same(first, [3, 5])
    same(second, [3, 0])


def test_positions_of_the_smallest() -> None:
    found = unlisted.ArgminV2()(X, Tensor(1, ms.int32))
    same(found, [1, 0])
    assert found.dtype == ms.int32


@pytest.mark.parametrize(("axis", "shape"), [(0, (1, 2, 3)), (-1, (2, 3, 1)), ((0, 2), (1, 2, 1, 3))])
def test_inserted_axes(axis: object, shape: tuple[int, ...]) -> None:
    assert unlisted.Unsqueeze(axis)(X).shape == shape


def test_rectified_with_a_mask() -> None:
    values, mask = ops.ReLUV2()(X)
    same(values, np.maximum(X.asnumpy(), 0))
    same(unlisted.ReluGradV2()(X, mask), np.where(X.asnumpy() > 0, X.asnumpy(), 0))


def test_a_batch_normalisation_in_two_parts() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(4, 3, 2, 2)).astype(np.float32))
    scale, bias, zero, one = (Tensor(np.full(3, value, np.float32)) for value in (2, 0.5, 0, 1))
    total, squares = ops.BNTrainingReduce()(x)
    y, mean, variance, own, width = ops.BNTrainingUpdate()(x, total, squares, scale, bias, zero, one)
    data = x.asnumpy()
    same(own, data.mean((0, 2, 3)), 1e-5)
    same(width, data.var((0, 2, 3)), 1e-5)
    same(mean, 0.1 * data.mean((0, 2, 3)), 1e-5)
    same(variance, 0.9 + 0.1 * data.var((0, 2, 3), ddof=1), 1e-5)
    wanted = (data - data.mean((0, 2, 3), keepdims=True)) / np.sqrt(data.var((0, 2, 3), keepdims=True) + 1e-5)
    same(y, wanted * 2 + 0.5, 1e-4)


def test_a_step_of_an_lstm() -> None:
    rng = np.random.default_rng(0)
    x, h, c, w, b = (rng.normal(size=size).astype(np.float32) for size in ((2, 3), (2, 4), (2, 4), (7, 16), (16,)))
    memory, hidden, *_, bent = ops.BasicLSTMCell(forget_bias=0.5)(*map(Tensor, (x, h, c, w, b)))
    entry, new, forget, out = np.split(np.concatenate([x, h], 1) @ w + b, 4, 1)
    squash = lambda value: 1 / (1 + np.exp(-value))  # noqa: E731
    wanted = c * squash(forget + 0.5) + squash(entry) * np.tanh(new)
    same(memory, wanted, 1e-5)
    same(bent, np.tanh(wanted), 1e-5)
    same(hidden, squash(out) * np.tanh(wanted), 1e-5)
    with pytest.raises(ValueError, match="keep_prob"):
        ops.BasicLSTMCell(0.5)


def test_a_triangular_factor() -> None:
    matrix = np.float32([[4, 2], [2, 3]])
    same(unlisted._Cholesky()(Tensor(matrix)), np.linalg.cholesky(matrix).T)
    same(unlisted._Cholesky(True)(Tensor(matrix)), np.linalg.cholesky(matrix))


def test_pooling_by_other_names() -> None:
    x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    same(unlisted.AvgPoolV1(2, 2)(x), ops.AvgPool(2, 2)(x).asnumpy())
    same(unlisted.MaxPoolV1(2, 2)(x), ops.MaxPool(2, 2)(x).asnumpy())
    assert repr(unlisted.MaxPoolV1(2, 2)).startswith("Prim[MaxPoolV1]")


def test_uniform_numbers() -> None:
    draw = unlisted.Uniform(1.0, 2.0, 3)
    first, second = draw(X).asnumpy(), draw(X).asnumpy()
    assert first.shape == (2, 3)
    assert ((first >= 1) & (first < 2)).all()
    assert (first != second).any()
    with pytest.raises(ValueError, match="minval"):
        unlisted.Uniform(2.0, 1.0)


@pytest.mark.parametrize(("layers", "ways", "has_bias"), [(1, 1, True), (2, 2, True), (2, 1, False)])
def test_a_gru_takes_all_matrices_and_then_all_biases(layers: int, ways: int, has_bias: bool) -> None:
    judge = torch.nn.GRU(5, 3, layers, bias=has_bias, bidirectional=ways == 2)
    named = sorted(judge.named_parameters(), key=lambda pair: "bias" in pair[0])
    packed = torch.cat([value.detach().reshape(-1) for _, value in named]).reshape(-1, 1, 1)
    x, h = torch.randn(4, 2, 5), torch.randn(layers * ways, 2, 3)
    found = unlisted.CudnnGRU(5, 3, layers, has_bias, ways == 2, 0.0)(
        *(ms.Tensor(one.numpy()) for one in (x, h, packed))
    )
    for here, there in zip(found, judge(x, h), strict=False):
        np.testing.assert_allclose(here.asnumpy(), there.detach().numpy(), rtol=1e-5, atol=1e-6)
