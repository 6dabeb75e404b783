"""Gradients as operators. Judge: the gradient of the operator itself; most of them are in the recorded cases."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.ops.training import gradient_primitives

X = Tensor(np.array([[0.5, -1.5, 2.0], [-0.2, 1.0, 0.3]], np.float32))
DOUT = Tensor(np.array([[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]], np.float32))


def close(result: Tensor, expected: Tensor) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_selu_from_its_result() -> None:
    close(gradient_primitives.SeluGrad()(DOUT, ops.SeLU()(X)), ms.grad(lambda x: (ops.SeLU()(x) * DOUT).sum())(X))


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_soft_margin_loss(reduction: str) -> None:
    label = Tensor(np.sign(DOUT.asnumpy()))
    dout = DOUT if reduction == "none" else Tensor(0.5, ms.float32)
    expected = ms.grad(lambda x: (ops.SoftMarginLoss(reduction)(x, label) * dout).sum())(X)
    close(gradient_primitives.SoftMarginLossGrad(reduction)(X, label, dout), expected)


def test_a_gradient_has_a_gradient() -> None:
    found = ms.grad(lambda x: gradient_primitives.SiLUGrad()(DOUT, x).sum())(X)
    expected = ms.grad(lambda x: (ms.grad(lambda y: ops.silu(y).sum())(x) * DOUT).sum())(X)
    close(found, expected)


def test_the_table_is_whole() -> None:
    assert len(gradient_primitives.__all__) == len(set(gradient_primitives.__all__)) >= 60


def of(forward: object, dout: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Return the gradients that MindSpore's `grad` returns for all inputs."""
    found = ms.grad(lambda *xs: (forward(*xs) * dout).sum(), tuple(range(len(inputs))))(*inputs)
    return found if isinstance(found, tuple) else (found,)


def rand(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(sum(shape)).uniform(-1, 1, shape).astype(np.float32))


class TestThoseOfTheChip:
    """MindSpore has no CPU kernel for these; the judge is the gradient of the operator, or numpy."""

    def test_average_pooling_of_a_shape(self) -> None:
        x, dout = rand(1, 2, 4, 4), rand(1, 2, 2, 2)
        (expected,) = of(ops.AvgPool(2, 2), dout, x)
        close(gradient_primitives.AvgPoolGradGe(2, 2)(x.shape, dout), expected)
        close(gradient_primitives.AvgPoolGradV1((1, 1, 2, 2), (1, 1, 2, 2))(x.shape, dout), expected)
        close(gradient_primitives.AvgPoolGradVm(2, 2)(x.shape, dout, None, None), expected)

    def test_max_pooling(self) -> None:
        x, dout = rand(1, 2, 4, 4), rand(1, 2, 2, 2)
        close(
            gradient_primitives.MaxPoolGradV1((1, 1, 2, 2), (1, 1, 2, 2))(x, x, dout), of(ops.MaxPool(2, 2), dout, x)[0]
        )

    def test_fixed_fractional_pooling(self) -> None:
        places = Tensor(np.array([[[[0, 2], [8, 10]]]]))
        found = gradient_primitives.FractionalMaxPoolGradWithFixedKsize()(rand(1, 1, 4, 4), rand(1, 1, 2, 2), places)
        np.testing.assert_array_equal(found.asnumpy().ravel()[[0, 2, 8, 10]], rand(1, 1, 2, 2).asnumpy().ravel())

    def test_a_batch_normalisation_in_two_parts(self) -> None:
        x, dout, scale, zero = rand(4, 3, 2, 2), rand(4, 3, 2, 2) ** 2, rand(3), Tensor(np.zeros(3, np.float32))
        mean, variance = Tensor(x.asnumpy().mean((0, 2, 3))), Tensor(x.asnumpy().var((0, 2, 3)))
        d_scale, d_offset = gradient_primitives.BNTrainingUpdateGrad(1e-5)(dout, x, mean, variance)
        dx = gradient_primitives.BNTrainingReduceGrad(1e-5)(dout, x, d_scale, d_offset, scale, mean, variance)
        expected = gradient_primitives.BatchNormGrad(True, 1e-5)(dout, x, scale, mean, variance, zero)
        for found, wanted in zip((dx, d_scale, d_offset), expected, strict=True):
            close(found, wanted)

    def test_instance_normalisation(self) -> None:
        x, dout, factor = rand(2, 3, 2, 4), rand(2, 3, 4, 2).reshape(2, 3, 2, 4) ** 2, rand(3)
        dx, dgamma, dbeta = gradient_primitives.InstanceNormGrad(1e-5)(dout, x, factor, factor, factor)

        def forward(data: Tensor, gamma: Tensor) -> Tensor:
            mean = data.mean((2, 3), True)
            spread = ((data - mean) ** 2).mean((2, 3), True)
            return (data - mean) / ops.sqrt(spread + 1e-5) * gamma.reshape(1, 3, 1, 1)

        for found, wanted in zip((dx, dgamma), of(forward, dout, x, factor), strict=True):
            np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-4, atol=1e-5)
        close(dbeta, dout.sum((0, 2, 3)))

    def test_root_mean_square(self) -> None:
        x, dout, gamma = rand(4, 5), rand(4, 5) ** 2, rand(5)
        rstd = 1 / ops.sqrt((x * x).mean(1, True) + 1e-6)
        expected = of(lambda data, factor: ops.rms_norm(data, factor, 1e-6)[0], dout, x, gamma)
        for found, wanted in zip(gradient_primitives.RmsNormGrad()(dout, x, rstd, gamma), expected, strict=True):
            close(found, wanted)

    def test_softmax_from_its_result(self) -> None:
        close(gradient_primitives.SoftmaxGrad()(ops.softmax(X, -1), DOUT), of(lambda x: ops.softmax(x, -1), DOUT, X)[0])

    def test_depthwise_convolution(self) -> None:
        x, weight, dout = rand(1, 2, 4, 4), rand(1, 2, 2, 2), rand(1, 2, 4, 4) ** 2
        forward = ops.Conv2D(2, 2, pad_mode="pad", pad=(1, 0, 1, 0), group=2)
        expected = of(lambda data, kernel: forward(data, kernel.reshape(2, 1, 2, 2)), dout, x, weight)
        settings = {"channel_multiplier": 1, "kernel_size": 2, "pad_list": (1, 0, 1, 0)}
        close(gradient_primitives.DepthwiseConv2dNativeBackpropInput(**settings)(x.shape, weight, dout), expected[0])
        close(gradient_primitives.DepthwiseConv2dNativeBackpropFilter(**settings)(x, weight.shape, dout), expected[1])

    def test_dilation(self) -> None:
        x, kernel, dout = rand(1, 2, 4, 4), rand(2, 2, 2), rand(1, 2, 4, 4) ** 2
        expected = of(ops.Dilation2D(1, 1), dout, x, kernel)
        close(gradient_primitives.Dilation2DBackpropInput(1, 1)(x, kernel, dout), expected[0])
        close(gradient_primitives.Dilation2DBackpropFilter(1, 1)(x, kernel, dout), expected[1])

    def test_cholesky_from_its_result(self) -> None:
        matrix = Tensor(np.float32([[4, 2], [2, 3]]))
        (expected,) = of(ops.cholesky, DOUT[:, :2], matrix)
        close(gradient_primitives.CholeskyGrad()(ops.cholesky(matrix), DOUT[:, :2]), expected)

    def test_einsum(self) -> None:
        x, y = rand(2, 3), rand(3, 2)
        expected = of(lambda a, b: ops.matmul(a, b), DOUT[:, :2], x, y)
        for found, wanted in zip(
            gradient_primitives.EinsumGrad("ij,jk->ik")((x, y), DOUT[:, :2]), expected, strict=True
        ):
            close(found, wanted)

    @pytest.mark.parametrize("global_median", [False, True])
    def test_median(self, global_median: bool) -> None:
        median = ops.Median(global_median, 1) if not global_median else ops.Median(True)
        value, places = median(X)
        dout = Tensor(np.ones(value.shape, np.float32) * 0.5)
        found = gradient_primitives.MedianGrad(global_median, 1)(dout, X, value, places)
        close(found, of(lambda x: median(x)[0], dout, X)[0])

    def test_multilabel_margin_loss(self) -> None:
        target = Tensor(np.array([[1, 2, -1], [0, -1, 1]], np.int32))
        loss = ops.MultilabelMarginLoss()
        found = gradient_primitives.MultilabelMarginLossGrad()(Tensor(0.5, ms.float32), X, target, loss(X, target)[1])
        close(found, of(lambda x: loss(x, target)[0], Tensor(0.5, ms.float32), X)[0])

    def test_unique(self) -> None:
        places = Tensor(np.array([0, 1, 0], np.int32))
        found = gradient_primitives.UniqueGrad()((DOUT[0, :2], places), (X[0, :2], places))
        np.testing.assert_array_equal(found.asnumpy(), [1, 2, 1])

    def test_sums_of_segments(self) -> None:
        indices, segments = (Tensor(np.array(values, np.int32)) for values in ([0, 2, 1], [0, 0, 1]))
        found = gradient_primitives.SparseSegmentSumGrad()(X, indices, segments, Tensor(4, ms.int32)).asnumpy()
        np.testing.assert_array_equal(found, np.stack([*X.asnumpy()[[0, 1, 0]], np.zeros(3)]))

    def test_samples_of_a_gamma_distribution(self) -> None:
        alpha, sample = Tensor(np.float32([1.5])), Tensor(np.float32([1.0]))
        slope = -gradient_primitives.IgammaGradA()(alpha, sample).asnumpy() / (1.0**0.5 * np.exp(-1.0) / 0.886226925)
        np.testing.assert_allclose(gradient_primitives.RandomGammaGrad()(alpha, sample).asnumpy(), slope, rtol=1e-3)
