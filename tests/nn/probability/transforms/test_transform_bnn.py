"""A network under training becomes one of distributions."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import nn
from msbridge.nn.probability.bnn_layers import ConvReparam, DenseReparam
from msbridge.nn.probability.transforms import TransformToBNN


class Network(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, pad_mode="pad", padding=1, has_bias=True)
        self.blocks = nn.SequentialCell(nn.Flatten(), nn.Dense(32, 3, activation="relu"))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.blocks(self.conv(x))


def step_of(network: nn.Cell) -> nn.Cell:
    optimizer = nn.Momentum(network.trainable_params(), learning_rate=0.25, momentum=0.5, weight_decay=0.1)
    return nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer)


def test_all_layers_are_replaced_and_train() -> None:
    network = Network()
    step = TransformToBNN(step_of(network), 60, 0.001).transform_to_bnn_model()
    assert isinstance(network.conv, ConvReparam)
    assert isinstance(network.blocks[1], DenseReparam)
    assert network.conv.padding == 1
    names = [parameter.name for parameter in step.network.trainable_params()]
    assert "blocks.1.weight_posterior.mean" in names
    assert len(names) == len(set(names)) == 8
    optimizer = step.optimizer
    assert isinstance(optimizer, nn.Momentum)
    assert float(optimizer.learning_rate.asnumpy()) == 0.25
    assert float(optimizer.momentum.asnumpy()) == 0.5
    assert optimizer.weight_decay == 0.1
    x = ms.Tensor(np.ones((2, 1, 4, 4), np.float32))
    assert np.isfinite(step(x, ms.Tensor(np.ones((2, 3), np.float32))).asnumpy())


def test_one_kind_of_layers_is_replaced() -> None:
    network = Network()
    TransformToBNN(step_of(network)).transform_to_bnn_layer(nn.Dense, DenseReparam, add_args={})
    assert isinstance(network.blocks[1], DenseReparam)
    assert not isinstance(network.conv, ConvReparam)


def test_what_is_refused() -> None:
    transform = TransformToBNN(step_of(Network()))
    with pytest.raises(ValueError, match="dnn_layer"):
        transform.transform_to_bnn_layer(nn.BatchNorm2d, DenseReparam)
    with pytest.raises(ValueError, match="bnn_layer"):
        transform.transform_to_bnn_layer(nn.Dense, nn.Dense)
    with pytest.raises(TypeError, match="dnn_factor"):
        TransformToBNN(step_of(Network()), True)
