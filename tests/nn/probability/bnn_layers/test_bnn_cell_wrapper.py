"""A Bayesian LeNet learns, as the tutorials of r1.x train it."""

import numpy as np

import msbridge as ms
from msbridge import nn
from msbridge.nn.probability import bnn_layers


class BNNLeNet(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = bnn_layers.ConvReparam(1, 4, 3, stride=1, padding=0, has_bias=False, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = bnn_layers.DenseReparam(4 * 3 * 3, 16, activation="relu")
        self.fc2 = bnn_layers.DenseLocalReparam(16, 2)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.fc2(self.fc1(self.flatten(self.max_pool2d(self.relu(self.conv1(x))))))


def test_a_network_of_distributions_learns() -> None:
    ms.set_seed(1)
    label = np.arange(64) % 2
    x = np.random.default_rng(0).normal(0, 0.3, (64, 1, 8, 8)) + label[:, None, None, None] * np.linspace(-1, 1, 8)
    network = BNNLeNet()
    criterion = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    with_loss = bnn_layers.WithBNNLossCell(network, criterion, dnn_factor=64, bnn_factor=1e-6)
    step = nn.TrainOneStepCell(with_loss, nn.AdamWeightDecay(network.trainable_params(), learning_rate=0.01))
    step.set_train()
    images, labels = ms.Tensor(x.astype(np.float32)), ms.Tensor(label.astype(np.int32))
    losses = [float(step(images, labels).asnumpy()) for _ in range(40)]
    assert losses[-1] < 0.3 * losses[0]
    assert (network(images).asnumpy().argmax(1) == label).mean() > 0.9
    assert len(with_loss.kl_loss) == 3


def test_every_call_draws_other_weights() -> None:
    layer, x = bnn_layers.DenseReparam(4, 3), ms.Tensor(np.ones((2, 4), np.float32))
    assert not np.array_equal(layer(x).asnumpy(), layer(x).asnumpy())
