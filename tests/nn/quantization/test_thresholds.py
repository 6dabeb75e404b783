"""Numbers of a quantisation. Judge: formulas in numpy."""

import numpy as np
import pytest

from msbridge.nn.quantization import thresholds
from msbridge.nn.quantization.convolutions import Conv2dBnFoldQuant, Conv2dBnWithoutFoldQuant
from msbridge.nn.quantization.dtypes import QuantDtype
from msbridge.nn.quantization.observers import FakeQuantWithMinMaxObserver


def test_scale_and_zero_point() -> None:
    scale, zero = thresholds.cal_quantization_params(np.array([-1.0]), np.array([3.0]), 0, 255, np.uint8)
    np.testing.assert_allclose(scale, [4 / 255])
    np.testing.assert_array_equal(zero, [64])
    scale, zero = thresholds.cal_quantization_params(np.array([-1.0]), np.array([3.0]), -127, 127, np.int8, True)
    np.testing.assert_allclose(scale, [6 / 254])
    np.testing.assert_array_equal(zero, [0])
    scale, _ = thresholds.cal_quantization_params(np.zeros(2), np.zeros(2), 0, 1, np.int8)
    np.testing.assert_array_equal(scale, [1, 1])


def test_limits() -> None:
    assert thresholds.get_quant_min_max(np.int8) == (-128, 127)
    assert thresholds.get_quant_min_max(np.uint8, 4, True) == (1, 15)


def test_weights_become_integers_channel_by_channel() -> None:
    weight = np.array([[0.5, -1.0], [3.0, 9.0]])
    found = thresholds.weight2int(weight, np.array([0.5, 1.0]), np.array([0.0, 1.0]), -8, 7)
    np.testing.assert_array_equal(found, [[1, -2], [4, 7]])


def test_numbers_of_an_observer() -> None:
    observer = FakeQuantWithMinMaxObserver(-1, 3)
    scale, zero, high, low = thresholds.scale_zp_max_min_from_fake_quant_cell(observer, np.uint8)
    np.testing.assert_allclose((scale[0], zero[0], high[0], low[0]), (4 / 255, 64, 3, -1), rtol=1e-6)


@pytest.mark.parametrize("kind", [Conv2dBnFoldQuant, Conv2dBnWithoutFoldQuant])
def test_a_normalisation_is_folded(kind: type) -> None:
    layer = kind(2, 3, 3, momentum=0.9)
    fold = thresholds.fold_batchnorm if kind is Conv2dBnFoldQuant else thresholds.without_fold_batchnorm
    weight, bias = fold(layer.weight.asnumpy(), layer)
    np.testing.assert_allclose(weight, layer.weight.asnumpy() / np.sqrt(1 + 1e-5), rtol=1e-5)
    np.testing.assert_array_equal(bias, np.zeros(3))


def test_few_values_keep_their_range_and_many_lose_their_outlier() -> None:
    assert thresholds.compute_kl_threshold(np.array([0.5, -2.0]), QuantDtype.INT8) == 2.0
    assert thresholds.compute_kl_threshold(np.zeros(3), QuantDtype.INT8) == 1e-5
    many = np.append(np.random.default_rng(0).normal(size=4000), 30.0)
    assert thresholds.compute_kl_threshold(many, QuantDtype.INT2) < 30


@pytest.mark.parametrize(
    "call",
    [
        lambda: thresholds.cal_quantization_params(np.zeros(1), np.ones(1), 1, 1, np.int8),
        lambda: thresholds.cal_quantization_params(np.zeros(1), np.ones(2), 0, 1, np.int8),
        lambda: thresholds.get_quant_min_max(np.int16),
        lambda: thresholds.weight2int(np.ones(2), np.zeros(1), np.zeros(1), 0, 1),
        lambda: thresholds.weight2int(np.ones((2, 2)), np.ones(3), np.zeros(3), 0, 1),
    ],
)
def test_what_is_refused(call) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
