"""Cells of MindSpore 1.0's graph kernels. Judge: NumPy; for BiasAdd, BiasAddGrad and TanhGrad the real 1.0.0."""

import numpy as np
import pytest

from msbridge import Parameter, Tensor, ops
from msbridge.nn.legacy import graph_kernels as G

RNG = np.random.default_rng(2)
X, Y, D = (RNG.normal(size=(3, 4)).astype(np.float32) for _ in range(3))


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis, keepdims=True))
    return exponentials / exponentials.sum(axis, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


CASES = {
    "MaximumGrad": (G.MaximumGrad(), (X, Y, D), (D * (X >= Y), D * (X < Y))),
    "MinimumGrad": (G.MinimumGrad(), (X, Y, D), (D * (X <= Y), D * (X > Y))),
    "AbsGrad": (G.AbsGrad(), (X, D), (np.sign(X) * D,)),
    "BiasAdd": (G.BiasAdd(), ([[1, -2], [3, 4]], [1, 2]), ([[2, 0], [4, 6]],)),
    "BiasAdd of images": (G.BiasAdd(), (np.zeros((1, 2, 2, 1)), [1, 2]), ([[[[1], [1]], [[2], [2]]]],)),
    "BiasAddGrad": (G.BiasAddGrad(), ([[1, -2], [3, 4]],), ([4, 2],)),
    "EqualCount": (G.EqualCount(), ([1, 2, 3, 4], [1, 0, 3, 4]), (3,)),
    "ReduceMean": (G.ReduceMean(), (X, (1,)), (X.mean(1, keepdims=True),)),
    "ReduceMean away": (G.ReduceMean(False), (X, (0, 1)), (X.mean(),)),
    "ReLU": (G.ReLU(), (X,), (np.maximum(X, 0),)),
    "SoftmaxCrossEntropyWithLogits": (
        G.SoftmaxCrossEntropyWithLogits(),
        (X, np.eye(4)[:3]),
        (-np.log(softmax(X, 1))[range(3), range(3)], softmax(X, 1) - np.eye(4)[:3]),
    ),
    "LayerNorm": (
        G.LayerNorm(),
        (X, Y[0], Y[1]),
        (
            (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True) * Y[0] + Y[1],
            X.mean(1, keepdims=True),
            X.var(1, keepdims=True),
        ),
    ),
    "LogSoftmax": (G.LogSoftmax(), (X,), (np.log(softmax(X, 1)),)),
    "Softmax": (G.Softmax(0), (X,), (softmax(X, 0),)),
    "Softmax of axes": (G.Softmax((0, 1)), (X,), (softmax(X, (0, 1)),)),
    "Tanh": (G.Tanh(), (X,), (np.tanh(X),)),
    "TanhGrad": (G.TanhGrad(), ([[1, -2], [3, 4]], [[1, 2], [0, 5]]), ([[0, -6], [0, -75]],)),
    "Gelu": (G.Gelu(), (X,), (gelu(X),)),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name):
    cell, arguments, expected = CASES[name]
    arguments = [one if isinstance(one, tuple) else Tensor(np.asarray(one, np.float32)) for one in arguments]
    found = cell(*arguments)
    for one, other in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-3, atol=1e-5)


def test_gradients_of_a_normalisation():
    gamma, beta = Tensor(Y[0]), Tensor(Y[1])
    net = G.LayerNorm()
    _, mean, variance = net(Tensor(X), gamma, beta)
    expected = ops.grad(lambda x, g, b: net(x, g, b)[0] * Tensor(D), (0, 1, 2))(Tensor(X), gamma, beta)
    by_input = G.LayerNormXBackprop()(Tensor(D), Tensor(X), variance, mean, gamma)
    by_offset, by_scale = G.LayerNormBetaGammaBackprop()(Tensor(D), Tensor(X), variance, mean, (4,))
    for one, other in zip((by_input, by_scale, by_offset), expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradient_of_the_cross_entropy_is_that_of_the_loss():
    net, labels = G.SoftmaxCrossEntropyWithLogits(), Tensor(np.eye(4, dtype=np.float32)[:3])
    gradients = ops.grad(lambda x, y: net(x, y)[0], (0, 1))(Tensor(X), labels)
    np.testing.assert_allclose(gradients[0].asnumpy(), softmax(X, 1) - np.eye(4)[:3], rtol=1e-4, atol=1e-6)
    assert not gradients[1].asnumpy().any()


def test_momentum_updates_in_place():
    variable, accumulation = Parameter(Tensor(X), name="w"), Parameter(Tensor(Y), name="a")
    found = G.ApplyMomentum(gradient_scale=0.5)(variable, accumulation, 0.1, Tensor(D), 0.9)
    np.testing.assert_allclose(accumulation.asnumpy(), 0.9 * Y + 0.5 * D, rtol=1e-5)
    np.testing.assert_allclose(variable.asnumpy(), X - 0.1 * (0.9 * Y + 0.5 * D), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[0].asnumpy(), accumulation.asnumpy())
    np.testing.assert_array_equal(found[1].asnumpy(), variable.asnumpy())


@pytest.mark.parametrize(("norm", "ratio"), [(2.0, 0.5), (0.0, 1.0), (-1.0, 1.0)])
def test_step_of_lamb(norm, ratio):
    weight = Parameter(Tensor(X), name="w")
    scalars = [Tensor(value, weight.dtype) for value in (norm, 2.0, 4.0, 0.1, 0.0, 1.0, 10.0)]
    first, second, third, rate, least, other, most = scalars
    found = G.LambUpdateWithLR()(first, second, third, rate, Tensor(D), weight, least, other, most)
    np.testing.assert_allclose(weight.asnumpy(), X - ratio * 0.1 * D, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found.asnumpy(), weight.asnumpy())


def test_moments_of_lamb():
    first, second = Parameter(Tensor(X), name="m"), Parameter(Tensor(Y**2), name="v")
    numbers = [Tensor(value, first.dtype) for value in (0.5, 0.25, 0.9, 0.1, 0.99, 0.01, 0.3, 1e-6)]
    c2, c1, b1, a1, b2, a2, decay, least = numbers
    steps = G.LambNextMV()(Tensor(D**2), second, c2, Tensor(D), first, c1, Tensor(Y), b1, a1, b2, a2, decay, least)
    mean, variance = (0.9 * X + 0.1 * D) / 0.25, (0.99 * Y**2 + 0.01 * D**2) / 0.5
    np.testing.assert_allclose(first.asnumpy(), 0.9 * X + 0.1 * D, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(second.asnumpy(), 0.99 * Y**2 + 0.01 * D**2, rtol=1e-4)
    np.testing.assert_allclose(steps[0].asnumpy(), mean / np.sqrt(variance + 1e-6) + 0.3 * Y, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(steps[1].asnumpy(), mean / (np.sqrt(variance) + 1e-6), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: G.Softmax(1.5),
        lambda: G.LogSoftmax("a"),
        lambda: G.ReduceMean(1),
        lambda: G.ApplyMomentum(gradient_scale=1),
    ],
)
def test_bad_argument(make):
    with pytest.raises(TypeError):
        make()
