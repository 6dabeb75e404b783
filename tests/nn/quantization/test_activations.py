"""Layers that round weights or results. Judge: the numbers of MindSpore 1.9's documentation."""

import numpy as np
import pytest

from msbridge import Tensor, nn, ops
from msbridge.nn.quantization import activations
from msbridge.nn.quantization.activations import QuantBlock

X = Tensor(np.array([[1, 2, 1], [-2, 0, -1]], np.float32))


def close(result: Tensor, expected) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=1e-6)


def test_dense() -> None:
    layer = nn.DenseQuant(2, 1, weight_init="ones")
    close(layer(Tensor([[1.0, 5.0], [3.0, 4.0]])), [[5.929413], [6.9176483]])


def test_dense_takes_settings_and_values_of_a_dense() -> None:
    from msbridge.nn.quantization.observers import quant_config_default

    plain = nn.Dense(3, 2, activation="relu")
    layer = nn.DenseQuant.from_float(plain, quant_config_default)
    np.testing.assert_array_equal(layer.weight.asnumpy(), plain.weight.asnumpy())
    assert layer.activation is plain.activation


def test_activation() -> None:
    layer = nn.ActQuant(nn.ReLU())
    close(layer(X), [[0.9882355, 1.9764705, 0.9882355], [0, 0, 0]])
    assert isinstance(layer.get_origin(), nn.ReLU)


def test_sum_and_product() -> None:
    ones = Tensor(np.ones((2, 3), np.float32))
    close(nn.TensorAddQuant()(X, ones), [[1.9764705, 3.011765, 1.9764705], [-0.9882355, 0.9882355, 0]])
    close(nn.MulQuant()(X, ones * 2), [[1.9764705, 4, 1.9764705], [-4, 0, -1.9764705]])


@pytest.mark.parametrize("name", ["LeakyReLU", "HSwish", "HSigmoid"])
def test_activations_of_1_0_round_twice(name: str) -> None:
    layer = getattr(activations, f"{name}Quant")(getattr(nn, name)())
    plain = getattr(nn, name)()(X).asnumpy()
    np.testing.assert_allclose(layer(X).asnumpy(), plain, atol=0.06)
    with pytest.raises(ValueError, match=name):
        getattr(activations, f"{name}Quant")(nn.Tanh())


def test_a_block_takes_its_quantisation_back() -> None:
    weight = Tensor(np.ones((3, 2), np.float32))
    block = QuantBlock(ops.MatMul(), weight, lambda x: x * 2, ops.Mul(), Tensor(0.5), activation=nn.ReLU())
    close(block(X), X.asnumpy() @ weight.asnumpy())
    assert block.dequant.relu_flag


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: nn.ActQuant("relu"), TypeError),
        (lambda: nn.ActQuant(nn.ReLU(), fake_before=1), TypeError),
        (lambda: nn.DenseQuant(0, 1), ValueError),
        (lambda: nn.DenseQuant(2, 1, weight_init=Tensor([[1.0]])), ValueError),
        (lambda: nn.DenseQuant(2, 1, activation=3), TypeError),
    ],
)
def test_what_is_refused(make, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()
