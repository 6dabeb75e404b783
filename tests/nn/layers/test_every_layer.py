"""Layers: parameters, printed forms, defaults of each release, gradients. Judge: the real MindSpore 2.10, torch."""

import copy
import math
import pickle

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.core.releases.release import set_release
from msbridge.dropin.private.layers import _Conv
from tests.tensors import arange


@pytest.fixture
def old_release():
    set_release("1.1")


SHAPES = [
    (lambda: nn.Dense(2, 3), {"weight": (3, 2), "bias": (3,)}),
    (lambda: nn.Dense(2, 3, has_bias=False), {"weight": (3, 2)}),
    (lambda: nn.BiDense(2, 3, 4), {"weight": (4, 2, 3), "bias": (4,)}),
    (lambda: nn.Conv2d(2, 4, (3, 5), group=2, has_bias=True), {"weight": (4, 1, 3, 5), "bias": (4,)}),
    (lambda: nn.Conv1d(1, 2, 3), {"weight": (2, 1, 1, 3)}),
    (lambda: nn.Conv3d(1, 2, 3), {"weight": (2, 1, 3, 3, 3)}),
    (lambda: nn.Conv2dTranspose(1, 2, 3, has_bias=True), {"weight": (1, 2, 3, 3), "bias": (2,)}),
    (lambda: nn.Conv1dTranspose(1, 2, 3), {"weight": (1, 2, 1, 3)}),
    (lambda: nn.Embedding(5, 3), {"embedding_table": (5, 3)}),
    (lambda: nn.EmbeddingLookup(5, 3), {"embedding_table": (5, 3)}),
    (lambda: nn.PReLU(2), {"a": (2,)}),
    (
        lambda: nn.Conv2dBnAct(2, 3, 3, has_bn=True),
        {
            "conv.weight": (3, 2, 3, 3),
            "batchnorm.moving_mean": (3,),
            "batchnorm.moving_variance": (3,),
            "batchnorm.gamma": (3,),
            "batchnorm.beta": (3,),
        },
    ),
]


@pytest.mark.parametrize(("make", "shapes"), SHAPES)
def test_parameters(make, shapes) -> None:
    assert {parameter.name: parameter.shape for parameter in make().get_parameters()} == shapes


PRINTED = [
    (lambda: nn.Dense(2, 3), "Dense(input_channels=2, output_channels=3, has_bias=True)"),
    (lambda: nn.Dense(2, 3, has_bias=False), "Dense(input_channels=2, output_channels=3)"),
    (
        lambda: nn.Dense(2, 3, activation="relu"),
        "Dense(\n  input_channels=2, output_channels=3, has_bias=True, activation=ReLU()\n  (activation): ReLU()\n)",
    ),
    (
        lambda: nn.Conv2d(2, 4, 3, weight_init="normal", has_bias=True, bias_init="ones"),
        "Conv2d(input_channels=2, output_channels=4, kernel_size=(3, 3), stride=(1, 1), pad_mode=same, padding=0, "
        "dilation=(1, 1), group=1, has_bias=True, weight_init=normal, bias_init=ones, format=NCHW)",
    ),
    (
        lambda: nn.Conv1d(2, 4, 3, 2, "pad", 1, weight_init="normal"),
        "Conv1d(input_channels=2, output_channels=4, kernel_size=(1, 3), stride=(1, 2), pad_mode=pad, "
        "padding=(0, 0, 1, 1), dilation=(1, 1), group=1, has_bias=False, weight_init=normal, bias_init=None, "
        "format=NCHW)",
    ),
    (lambda: nn.Dropout(), "Dropout(keep_prob=0.5)"),
    (lambda: nn.Dropout(0.8), "Dropout(keep_prob=0.8)"),
    (lambda: nn.Dropout(0.8, p=0.3), "Dropout(p=0.3)"),
    (lambda: nn.Dropout2d(0.25), "Dropout2d(p=0.75)"),
    (lambda: nn.GroupNorm(2, 4), "GroupNorm(num_groups=2, num_channels=4)"),
    (lambda: nn.Norm(0, True), "Norm(axis=0, keep_dims=True)"),
    (lambda: nn.Flatten(), "Flatten()"),
    (lambda: nn.Linear(2, 3), "Linear(input_features=2, output_features=3, has_bias=True)"),
]


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_printed_form(make, text) -> None:
    assert repr(make()) == text


@pytest.mark.parametrize(
    ("make", "fan"),
    [
        (lambda: nn.Dense(16, 64), 16),
        (lambda: nn.Conv2d(4, 64, 3, has_bias=True), 36),
        (lambda: nn.Conv2dTranspose(16, 32, 3, has_bias=True), 288),
    ],
)
def test_default_initialisation(make, fan) -> None:
    for parameter in make().get_parameters():
        largest = np.abs(parameter.asnumpy()).max()
        assert 0.8 / math.sqrt(fan) < largest <= 1 / math.sqrt(fan)


def test_initialisation_of_old_releases(old_release) -> None:
    for layer in (nn.Dense(100, 100), nn.Conv2d(10, 100, 3, has_bias=True)):
        assert 0.009 < layer.weight.asnumpy().std() < 0.011
        assert not layer.bias.asnumpy().any()


@pytest.mark.parametrize(
    ("layer", "x"),
    [
        (nn.Dense(3, 2), arange(4, 3)),
        (nn.Conv2d(2, 3, 3, has_bias=True), arange(1, 2, 4, 4)),
        (nn.Conv1d(2, 3, 3), arange(1, 2, 5)),
        (nn.Conv2dTranspose(2, 3, 3, 2), arange(1, 2, 3, 3)),
        (nn.LayerNorm((3,)), arange(2, 3)),
        (nn.PReLU(3), arange(2, 3) - 0.2),
    ],
    ids=lambda item: type(item).__name__,
)
def test_gradient_of_parameters(layer, x) -> None:
    gradients = ms.grad(lambda x: (layer(x) ** 2).sum(), None, layer.trainable_params())(x)
    for parameter, gradient in zip(layer.trainable_params(), gradients, strict=True):
        position = (0,) * parameter.ndim
        before, step = float(parameter[position]), 1e-2
        parameter[position] = before + step
        above = float((layer(x) ** 2).sum())
        parameter[position] = before - step
        below = float((layer(x) ** 2).sum())
        parameter[position] = before
        np.testing.assert_allclose(float(gradient[position]), (above - below) / (2 * step), rtol=2e-2, atol=2e-2)


def test_float16_computation_of_a_network() -> None:
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Dense(18, 3))
    net.set_train().to_float(ms.float16)
    assert net(arange(2, 1, 3, 3)).dtype == ms.float16
    assert {parameter.dtype for parameter in net.get_parameters()} == {ms.float32}
    assert net[1].moving_mean.asnumpy().any()


@pytest.mark.parametrize(
    "layer", [nn.Dense(2, 2), nn.Conv2d(1, 1, 2), nn.MaxPool2d(2, 2, "same"), nn.LSTM(2, 2), nn.Softmax((0, 1))]
)
def test_copies_and_pickles(layer) -> None:
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        for mine, theirs in zip(layer.get_parameters(), other.get_parameters(), strict=True):
            np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: nn.Dense(0, 1), ValueError, "in_channels"),
        (lambda: nn.Dense("a", 1), TypeError, "in_channels"),
        (lambda: nn.Dense(2, 2, has_bias=1), TypeError, "has_bias"),
        (lambda: nn.Dense(2, 2, weight_init=arange(3, 2)), ValueError, "weight_init"),
        (lambda: nn.Dense(2, 2, bias_init=arange(3)), ValueError, "bias_init"),
        (lambda: nn.Dense(2, 2, activation="foo"), KeyError, "foo"),
        (lambda: nn.Dense(2, 2, activation=5), TypeError, "activation"),
        (lambda: nn.Dense(2, 2)(arange(1, 3)), ValueError, "For .Dense., the last axes"),
        (
            lambda: nn.Dense(2, 2)(arange(1, 2).astype(ms.float16)),
            TypeError,
            "For 'Dense', the dtypes do not fit: x float16, weight float32",
        ),
        (lambda: nn.Dense(2, 2)(np.ones((1, 2), np.float32)), TypeError, "Tensor"),
        (lambda: nn.Dropout(p=1.0), ValueError, "'p'"),
        (lambda: nn.Dropout(p="a"), TypeError, "'p'"),
        (lambda: nn.Dropout(1), TypeError, "keep_prob"),
        (lambda: nn.Dropout(0.0), ValueError, "keep_prob"),
        (lambda: nn.Dropout2d(2.0), ValueError, "'p'"),
        (lambda: nn.Embedding(3, 2, padding_idx=5), ValueError, "padding_idx"),
        (lambda: nn.Embedding(3, 2)(arange(2)), TypeError, "Gather"),
        (lambda: nn.Flatten()(arange(3)), ValueError, "start_dim"),
        (lambda: nn.Pad([1, 1]), TypeError, "paddings"),
        (lambda: nn.Pad(((-1, 0),)), ValueError, "paddings"),
        (lambda: nn.Pad(((1, 1),), "foo"), ValueError, "mode"),
        (lambda: nn.L1Regularizer(-1.0), ValueError, "scale"),
        (lambda: nn.ClipByNorm()(arange(2), 10.0), TypeError, "clip_norm"),
        (lambda: nn.TimeDistributed(1, 1), TypeError, "layer"),
        (lambda: ops.dropout(arange(2), 1.0), RuntimeError, "keep_prob"),
    ],
)
def test_bad_argument(call, error, says) -> None:
    with pytest.raises(error, match=says):
        call()


class _Standardized(nn.Conv2d):
    def construct(self, x: Tensor) -> Tensor:
        return self.bias_add(self.conv2d(x, self.weight * 2), self.bias)


class _Doubled(nn.Dense):
    def construct(self, x: Tensor) -> Tensor:
        rows = self.reshape(x, (-1, self.shape_op(x)[-1]))
        return self.bias_add(self.matmul(rows, self.weight * 2), self.bias)


class _Normed(nn.LayerNorm):
    def construct(self, x: Tensor) -> Tensor:
        return self.layer_norm(x, self.gamma, self.beta)[0]


class _Masked(nn.LossBase):
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.reduce_mean(self.mul(logits, self.cast(labels > 0, ms.float32)))


class _Descent(nn.Optimizer):
    def construct(self, gradients: tuple) -> Tensor:
        return self.hyper_map(ops.neg, gradients)


def test_subclasses_have_the_operators_of_the_layer() -> None:
    """The names: MindSpore 2.10. The judge of the values: the layer with its weight doubled."""
    image = Tensor(np.arange(2 * 3 * 5 * 5).reshape(2, 3, 5, 5).astype(np.float32))
    settings = {"stride": 2, "pad_mode": "pad", "padding": 1, "has_bias": True, "bias_init": 0.5}
    own = _Standardized(3, 4, 3, weight_init=0.25, **settings)
    np.testing.assert_allclose(own(image).asnumpy(), nn.Conv2d(3, 4, 3, weight_init=0.5, **settings)(image).asnumpy())
    rows = image[:, :, 0, 0]
    dense = nn.Dense(3, 4, weight_init=0.5, bias_init=1.0)(rows)
    np.testing.assert_allclose(_Doubled(3, 4, weight_init=0.25, bias_init=1.0)(rows).asnumpy(), dense.asnumpy())
    np.testing.assert_allclose(_Normed((3,))(rows).asnumpy(), nn.LayerNorm((3,))(rows).asnumpy(), rtol=1e-6)
    assert _Masked()(Tensor([1.0, 3.0]), Tensor([0, 1])).item() == 1.5
    assert _Descent(0.1, nn.Dense(1, 1).trainable_params())((Tensor([2.0]),))[0].item() == -2.0


class SpatialGate2d(nn.Conv2d):
    """A user's layer, whose name is like an operator's."""


@pytest.mark.parametrize(
    ("layer", "name"),
    [
        (SpatialGate2d(3, 4, 2), "Conv2d"),
        (_Conv(3, 4, (2, 2), (1, 1), "same", 0, (1, 1), 1, False, "ones", "zeros"), "Conv2d"),
        (type("Wide", (nn.Conv1d,), {})(3, 4, 2), "Conv1d"),
        (type("Deconvolution", (nn.Conv3dTranspose,), {})(3, 4, 2), "Conv3dTranspose"),
    ],
)
def test_a_subclass_does_not_rename_the_layer(layer, name) -> None:
    with pytest.raises(ValueError, match=f"For '{name}'"):
        layer(arange(2, 3))
