"""Convolutions that round their weights. Judge: the numbers of MindSpore 1.9's documentation, and plain layers."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn

X = Tensor(np.array([[[[1, 0, 3], [1, 4, 7], [2, 5, 2]]]], np.float32))
KINDS = [nn.Conv2dBnFoldQuantOneConv, nn.Conv2dBnFoldQuant, nn.Conv2dBnWithoutFoldQuant, nn.Conv2dQuant]
BATCH = Tensor(np.random.default_rng(2).normal(size=(4, 3, 6, 6)).astype(np.float32))


def made(kind: type, **settings) -> nn.Cell:
    ms.set_seed(3)
    return kind(3, 5, 3, has_bias=False, weight_init="xavier_uniform", **settings)


@pytest.mark.parametrize("kind", KINDS)
def test_the_documented_result(kind: type) -> None:
    layer = kind(1, 1, kernel_size=(2, 2), stride=(1, 1), pad_mode="valid", weight_init="ones")
    expected = [[[[5.9294, 13.8353], [11.8588, 17.7882]]]]
    np.testing.assert_allclose(layer(X).asnumpy(), expected, rtol=1e-4)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_training_comes_close_to_the_plain_layers(kind: type) -> None:
    settings = {"fake": False} if kind is not nn.Conv2dBnWithoutFoldQuant else {}
    layer = made(kind, momentum=0.9, **settings).set_train()
    plain = nn.SequentialCell([made(nn.Conv2d), nn.BatchNorm2d(5, momentum=0.9)]).set_train()
    plain[0].weight.set_data(layer.weight)
    np.testing.assert_allclose(layer(BATCH).asnumpy(), plain(BATCH).asnumpy(), atol=1e-4 if settings else 0.2)
    statistics = layer if settings else layer.batchnorm
    np.testing.assert_allclose(statistics.moving_mean.asnumpy(), plain[1].moving_mean.asnumpy(), atol=2e-3)
    np.testing.assert_allclose(statistics.moving_variance.asnumpy(), plain[1].moving_variance.asnumpy(), atol=2e-2)


def test_gradients_reach_weight_and_factors() -> None:
    layer = made(nn.Conv2dBnFoldQuant).set_train()
    gradients = ms.grad(lambda x: layer(x).square().sum(), None, layer.trainable_params())(BATCH)
    assert [np.abs(gradient.asnumpy()).max() > 0 for gradient in gradients] == [True, True, True]


def test_the_step_is_counted_and_freezes_the_statistics() -> None:
    layer = made(nn.Conv2dBnFoldQuant, freeze_bn=1).set_train()
    layer(BATCH)
    mean = layer.moving_mean.asnumpy().copy()
    layer(BATCH)
    np.testing.assert_array_equal(layer.moving_mean.asnumpy(), mean)
    assert layer.step.asnumpy() == [2]


def test_settings_of_a_block_are_taken() -> None:
    from msbridge.nn.quantization.observers import quant_config_default

    block = nn.Conv2dBnAct(3, 5, 3, stride=2, has_bn=True, eps=1e-3, activation="relu")
    layer = nn.Conv2dBnFoldQuantOneConv.from_float(block, quant_config_default)
    assert (layer.stride, layer.eps, layer.out_channels) == ((2, 2), 1e-3, 5)
    assert nn.Conv2dBnFoldQuant.from_float(block, quant_config_default, {"freeze_bn": 7}).freeze_bn == 7
    assert nn.Conv2dBnWithoutFoldQuant.from_float(block, quant_config_default).batchnorm.eps == 1e-3
    assert nn.Conv2dQuant.from_float(block.conv, quant_config_default).kernel_size == (3, 3)


def test_the_form_of_1_0_is_taken() -> None:
    layer = nn.Conv2dQuant(3, 5, 3, num_bits=4, per_channel=True, symmetric=True)
    observer = layer.fake_quant_weight
    assert (observer.num_bits, observer.num_channels, observer.symmetric) == (4, 5, True)
    with pytest.raises(TypeError, match="depth"):
        nn.Conv2dQuant(3, 5, 3, depth=1)


@pytest.mark.parametrize(
    ("settings", "error"),
    [({"pad_mode": "full"}, ValueError), ({"padding": -1}, ValueError), ({"group": 0}, ValueError)],
)
def test_what_is_refused(settings: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        nn.Conv2dQuant(3, 5, 3, **settings)
