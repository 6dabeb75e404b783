"""Simulated quantisation. Judge: the formulas of MindSpore's documentation, in numpy."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor
from msbridge.ops import operations as Q

RNG = np.random.default_rng(5)
X = RNG.uniform(-4, 4, (2, 3, 4)).astype(np.float32)
LOW, HIGH = np.array([-3.0, -1.0, -2.0], np.float32), np.array([1.0, 2.5, 2.0], np.float32)
STEPS = [(8, False, False), (8, True, True), (4, False, True), (7, True, False)]


def rounded(x: np.ndarray, low, high, bits: int, symmetric: bool, narrow: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return x rounded, and where it lies within the range."""
    first, last = int(narrow), 2**bits - 1
    if symmetric:
        high = np.maximum(-low, high)
        low = -high
    scale = (high - low) / (last - first)
    zero = np.floor(np.clip(first - low / scale, first, last) + 0.5)
    ends = (first - zero) * scale, (last - zero) * scale
    inside = (x >= ends[0]) & (x <= ends[1])
    return (np.round(np.clip(x, *ends) / scale + zero) - zero) * scale, inside


def close(result: Tensor, expected) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=2e-5, atol=2e-5)


def tensors(*arrays) -> list[Tensor]:
    return [Tensor(np.asarray(array, np.float32)) for array in arrays]


@pytest.mark.parametrize(("bits", "symmetric", "narrow"), STEPS)
def test_a_layer_is_rounded_and_passes_its_gradient_within_the_range(bits: int, symmetric: bool, narrow: bool) -> None:
    settings = {"num_bits": bits, "symmetric": symmetric, "narrow_range": narrow}
    expected, inside = rounded(X, LOW[:1], HIGH[:1], bits, symmetric, narrow)
    x, low, high, dout = tensors(X, LOW[:1], HIGH[:1], np.cos(X))
    op = Q.FakeQuantPerLayer(**settings)
    close(op(x, low, high), expected)
    close(ms.grad(lambda x: (op(x, low, high) * dout).sum())(x), np.cos(X) * inside)
    close(Q.FakeQuantPerLayerGrad(**settings)(dout, x, low, high), np.cos(X) * inside)


@pytest.mark.parametrize(("bits", "symmetric", "narrow"), STEPS)
def test_channels_are_rounded_each_by_its_range(bits: int, symmetric: bool, narrow: bool) -> None:
    settings = {"num_bits": bits, "symmetric": symmetric, "narrow_range": narrow, "channel_axis": 1}
    expected, inside = rounded(X, LOW[:, None], HIGH[:, None], bits, symmetric, narrow)
    x, low, high, dout = tensors(X, LOW, HIGH, np.cos(X))
    op = Q.FakeQuantPerChannel(**settings)
    close(op(x, low, high), expected)
    close(ms.grad(lambda x: (op(x, low, high) * dout).sum())(x), np.cos(X) * inside)
    close(Q.FakeQuantPerChannelGrad(**settings)(dout, x, low, high), np.cos(X) * inside)


def test_half_precision_stays() -> None:
    result = Q.FakeQuantPerLayer()(Tensor(X).astype(ms.float16), *tensors([-6], [6]))
    assert result.dtype == ms.float16


def test_it_waits_for_its_delay() -> None:
    op, (x, low, high) = Q.FakeQuantPerLayer(quant_delay=2), tensors(X, [-6], [6])
    changes = [not np.array_equal(op(x, low, high).asnumpy(), X) for _ in range(3)]
    assert changes == [False, False, True]


def test_an_empty_range_gives_zeros() -> None:
    close(Q.FakeQuantPerLayer()(*tensors([0.2, 0.0], [0], [0])), [0, 0])


def test_ranges_hold_zero_and_are_averaged() -> None:
    x, low, high = tensors(X, LOW, HIGH)
    new = [X.min((0, 2)), X.max((0, 2))]
    for part, expected in zip(Q.MinMaxUpdatePerChannel()(x, low, high), new, strict=True):
        close(part, expected)
    averaged = Q.MinMaxUpdatePerChannel(True, 0.9)(x, low, high)
    close(averaged[1], 0.9 * HIGH + 0.1 * new[1])
    close(Q.MinMaxUpdatePerLayer()(*tensors(np.abs(X), [-1], [1]))[0], [0])
    close(Q.MinMaxUpdatePerLayer(True, 0.5)(*tensors(X, [-1], [1]))[0], [0.5 * X.min() - 0.5])


@pytest.mark.parametrize("neg_trunc", [False, True])
@pytest.mark.parametrize("axis", [None, 1])
def test_a_learned_scale_has_a_gradient(neg_trunc: bool, axis: int | None) -> None:
    alpha = np.array([2.0, 1.5, 3.0] if axis else [2.0], np.float32)
    scale, steps, least = alpha[:, None] if axis else alpha, 7.0, 0 if neg_trunc else -1
    part, dout = X / scale, np.cos(X)
    near = np.floor(np.clip(part, least, 1) * steps + 0.5) / steps
    inside = (part >= least) & (part <= 1)
    settings = {"channel_axis": 1} if axis else {}
    kind = "PerChannel" if axis else "PerLayer"
    inputs = tensors(X, alpha, [steps])
    close(getattr(Q, f"FakeLearnedScaleQuant{kind}")(neg_trunc=neg_trunc, **settings)(*inputs), near * scale)
    by_element = dout * (near - part * inside)
    expected = by_element.sum((0, 2)) if axis else [by_element.sum()]
    dx, dalpha = getattr(Q, f"FakeLearnedScaleQuant{kind}Grad")(neg_trunc=neg_trunc, **settings)(Tensor(dout), *inputs)
    close(dx, dout * inside)
    close(dalpha, expected)
    dx, parts = getattr(Q, f"FakeLearnedScaleQuant{kind}GradD")(neg_trunc=neg_trunc, **settings)(Tensor(dout), *inputs)
    close(dx, dout * inside)
    close(getattr(Q, f"FakeLearnedScaleQuant{kind}GradDReduce")(**settings)(parts), expected)


def test_what_lies_beyond_gives_its_gradient_to_the_end() -> None:
    x, low, high, dout = tensors(X, LOW[:1], HIGH[:1], np.cos(X))
    expected, inside = rounded(X, LOW[:1], HIGH[:1], 8, False, False)
    close(Q.FakeQuantWithMinMaxVars()(x, low, high), expected)
    parts = Q.FakeQuantWithMinMaxVarsGradient()(dout, x, low, high)
    below = (X < 0) & ~inside
    ends = np.cos(X)[below].sum(), np.cos(X)[(X > 0) & ~inside].sum()
    for part, wanted in zip(parts, (np.cos(X) * inside, *ends), strict=True):
        close(part, wanted if np.ndim(wanted) else [wanted])


def test_the_last_axis_may_have_ranges() -> None:
    data = np.moveaxis(X, 1, 2).copy()
    x, low, high, dout = tensors(data, LOW, HIGH, np.cos(data))
    expected, inside = rounded(data, LOW, HIGH, 8, False, False)
    close(Q.FakeQuantWithMinMaxVarsPerChannel()(x, low, high), expected)
    _, d_low, _ = Q.FakeQuantWithMinMaxVarsPerChannelGradient()(dout, x, low, high)
    close(d_low, (np.cos(data) * ((data < 0) & ~inside)).sum((0, 1)))


def test_quantisation_parameters_are_kept() -> None:
    op = Q.FakeQuantParam.linear_quant_param(ms.QuantDtype.INT8, 0.5, 1)
    assert (op.linear_quant_scale, op.linear_quant_zero_point) == ([0.5], [1])
    close(op(Tensor(X)), X)


class TestFolding:
    """Normalisation that is folded into weights; judged by autograd-free numpy."""

    std, mean = np.array([1.5, 0.5, 2.0], np.float32), np.array([0.3, -0.2, 0.1], np.float32)
    gamma, beta = np.array([1.2, 0.7, -0.4], np.float32), np.array([0.1, 0.2, 0.3], np.float32)
    step = Tensor(np.array([3], np.int32))

    def test_statistics_of_the_batch_and_averages(self) -> None:
        moving = tensors(self.mean, self.std)
        found = Q.BatchNormFold(0.9, 1e-5, True, 10)(Tensor(X), *moving, self.step)
        wanted = (X.mean((0, 2)), np.sqrt(X.var((0, 2)) + 1e-5), self.mean, np.sqrt(self.std + 1e-5))
        for part, expected in zip(found, wanted, strict=True):
            close(part, expected)
        close(moving[0], 0.9 * self.mean + 0.1 * X.mean((0, 2)))
        close(moving[1], 0.9 * self.std + 0.1 * X.var((0, 2), ddof=1))

    def test_frozen_averages_stay(self) -> None:
        moving = tensors(self.mean, self.std)
        mean, std, _, _ = Q.BatchNormFold(0.9, 1e-5, True, 3)(Tensor(X), *moving, self.step)
        close(mean, np.zeros(3))
        close(std, np.ones(3))
        close(moving[0], self.mean)
        assert not Q.BatchNormFold(is_training=False)(Tensor(X), *moving, self.step)[0].asnumpy().any()

    def test_ascends_form_takes_sums(self) -> None:
        found = Q.BatchNormFoldD(0.9)(*tensors(X, X.sum((0, 2)), (X**2).sum((0, 2)), self.mean, self.std))
        wanted = (X, X.mean((0, 2)), np.sqrt(X.var((0, 2)) + 1e-5), self.mean, np.sqrt(self.std + 1e-5))
        for part, expected in zip(found, wanted, strict=False):
            close(part, expected)
        close(found[6], 0.9 * self.std + 0.1 * X.var((0, 2), ddof=1))

    def test_the_gradient_of_the_statistics(self) -> None:
        d_mean, d_std = np.array([0.5, -1, 2], np.float32), np.array([1, 0.2, -0.7], np.float32)
        mean, std = X.mean((0, 2)), np.sqrt(X.var((0, 2)) + 1e-5)
        expected = (d_mean[:, None] + d_std[:, None] * (X - mean[:, None]) / std[:, None]) / 8
        inputs = tensors(d_mean, d_std, X, mean, std)
        close(Q.BatchNormFoldGradD()(*inputs), expected)
        close(Q.BatchNormFoldGrad(freeze_bn=4)(*inputs, self.step), expected)
        close(Q.BatchNormFoldGrad(freeze_bn=3)(*inputs, self.step), np.zeros_like(X))

    def test_correction(self) -> None:
        inputs = tensors(X, self.std, self.gamma)
        close(Q.CorrectionMul(1)(*inputs), X * (self.std / self.gamma)[:, None])
        dx, d_std = Q.CorrectionMulGrad(1)(Tensor(np.cos(X)), *inputs)
        close(dx, np.cos(X) * (self.std / self.gamma)[:, None])
        close(d_std, (np.cos(X) * X).sum((0, 2)) / self.gamma)
        close(Q.CorrectionMulGradReduce(1)(Tensor(X)), X.sum((0, 2)))

    def test_the_second_fold(self) -> None:
        running = tensors(self.std * 2, self.mean + 1)
        inputs = tensors(X, self.beta, self.gamma, self.std, self.mean)
        now = X * 2 + (self.beta - self.gamma * self.mean / self.std)[:, None]
        frozen = X + (self.beta - self.gamma * (self.mean + 1) / (self.std * 2))[:, None]
        close(Q.BatchNormFold2(4)(*inputs, *running, self.step), now)
        close(Q.BatchNormFold2(3)(*inputs, *running, self.step), frozen)
        close(Q.BatchNormFold2D(4)(*inputs, running[0]), now)

    def test_the_gradients_of_the_second_fold(self) -> None:
        dout = np.cos(X)
        total, with_x = dout.sum((0, 2)), (dout * X).sum((0, 2))
        running = tensors(self.std * 2, self.mean + 1)
        d_std = (self.gamma * self.mean * total - with_x * self.std * 2) / self.std**2
        wanted = (d_std, -total * self.gamma / self.std, total, -total * self.mean / self.std, dout * 2)
        inputs = tensors(dout, X, self.gamma, self.std, self.mean)
        for part, expected in zip(Q.BatchNormFold2Grad(4)(*inputs, *running, self.step), wanted, strict=True):
            close(part, expected)
        sums = Q.BatchNormFold2GradReduce()(*inputs[:2])
        found = Q.BatchNormFold2GradD()(inputs[0], *sums, *inputs[2:], running[0])
        for part, expected in zip(found, (*wanted[:2], *wanted[3:]), strict=True):
            close(part, expected)


def test_activations_are_rounded_by_a_learned_range() -> None:
    low, high = np.full((1, 1, 1), -2.0, np.float32), np.full((1, 1, 1), 3.0, np.float32)
    y, above, below, loss = Q.ActsULQ()(*tensors(X, low, high))
    scale = 5 / 255
    ends = scale * np.round(-2 / scale), scale * (np.round(-2 / scale) + 255)
    steps = np.clip(X, *ends) / scale
    close(y, np.round(steps) * scale)
    close(loss, (np.round(steps) - steps) / 255)
    assert np.array_equal(above.asnumpy(), ends[0] <= X)
    dout = np.cos(X)
    close(Q.ActsULQInputGrad()(Tensor(dout), above, below), dout * ((ends[0] <= X) & (ends[1] >= X)))
    close(Q.ActULQClampMaxGrad()(Tensor(dout), below, loss), [[[(dout * ((ends[1] < X) + loss.asnumpy())).sum()]]])
    close(Q.ActULQClampMinGrad()(Tensor(dout), above, loss), [[[(dout * ((ends[0] > X) - loss.asnumpy())).sum()]]])


@pytest.mark.parametrize("offset_flag", [False, True])
def test_weights_are_rounded_to_int8(offset_flag: bool) -> None:
    low, high = X.min(keepdims=True), X.max(keepdims=True)
    y = Q.WtsARQ(8, offset_flag)(*tensors(X, low, high)).asnumpy()
    scale = (high - low) / 255 if offset_flag else max(high.item() / 127, -low.item() / 128)
    assert np.abs(y - X).max() <= 0.5001 * scale
    assert len(np.unique(np.round(y / scale))) <= 256
