"""Small networks as the `.mindir` files of a release before 2.0, with their inputs and what the release computes."""

from pathlib import Path

import mindspore.ops.operations as P
import numpy as np
from mindspore import Tensor, context, nn
from mindspore.train.serialization import export


class Dense(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.relu, self.last = nn.Dense(4, 5), nn.ReLU(), nn.Dense(5, 3, has_bias=False)

    def construct(self, x):
        return self.last(self.relu(self.first(x)))


class Convolution(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()
        self.pool, self.flatten, self.fc = nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(8, 3)
        self.mean = nn.AvgPool2d(2, 2)

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        return self.fc(self.flatten(self.pool(x) - 0.5 * self.mean(x)))


class Embedding(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table, self.mean, self.fc = nn.Embedding(7, 4), P.ReduceMean(), nn.Dense(4, 3)
        self.softmax = nn.Softmax()

    def construct(self, ids):
        return self.softmax(self.fc(self.mean(self.table(ids), 1)))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.fc = nn.LSTM(4, 3, batch_first=True), nn.Dense(3, 2)
        self.h, self.c = Tensor(np.zeros((1, 2, 3), np.float32)), Tensor(np.zeros((1, 2, 3), np.float32))

    def construct(self, x):
        y, _ = self.lstm(x, (self.h, self.c))
        return self.fc(y[:, -1, :])


NETWORKS = {
    "dense": (Dense, np.arange(8, dtype=np.float32).reshape(2, 4)),
    "convolution": (Convolution, np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)),
    "embedding": (Embedding, np.array([[0, 3, 6], [1, 1, 5]], np.int32)),
    "recurrent": (Recurrent, np.linspace(-1, 1, 24).astype(np.float32).reshape(2, 3, 4)),
}


def network(kind):
    """Return a network with the same weights everywhere, and its input."""
    made, given = NETWORKS[kind]
    net = made()
    for parameter in net.get_parameters():
        values = np.arange(np.prod(parameter.shape), dtype=np.float32) % 5 - 1.5
        parameter.set_data(Tensor(np.abs(values).reshape(parameter.shape) / 2))
    net.set_train(False)
    return net, given


def exported(kind):
    before = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
    try:
        net, given = network(kind)
        output = net(Tensor(given)).asnumpy()
        export(net, Tensor(given), file_name="network.mindir", file_format="MINDIR")
        return {"file": Path("network.mindir").read_bytes(), "in": given, "out": output}
    finally:
        context.set_context(mode=before)
