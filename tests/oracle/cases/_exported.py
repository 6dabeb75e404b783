"""A small network as the `.mindir` file of a release before 2.0, with its input and what the release computes."""

from pathlib import Path

import numpy as np
from mindspore import Tensor, context, nn
from mindspore.train.serialization import export


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()
        self.pool, self.flatten, self.fc = nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(8, 3)

    def construct(self, x):
        return self.fc(self.flatten(self.pool(self.relu(self.bn(self.conv(x))))))


def exported():
    before = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
    try:
        net = Net()
        for parameter in net.get_parameters():
            values = np.arange(np.prod(parameter.shape), dtype=np.float32) % 5 - 1.5
            parameter.set_data(Tensor(np.abs(values).reshape(parameter.shape)))
        given = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
        net.set_train(False)
        output = net(Tensor(given)).asnumpy()
        export(net, Tensor(given), file_name="network", file_format="MINDIR")
        return {"file": Path("network.mindir").read_bytes(), "in": given, "out": output}
    finally:
        context.set_context(mode=before)
