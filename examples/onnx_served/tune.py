"""Train a converted network on, and export it to ONNX; a MindSpore script that knows nothing of msbridge.

usage: tune.py CKPT ONNX
"""

import sys

import mindspore as ms
import numpy as np
from mindspore import dataset as ds
from mindspore import nn, ops, train
from sklearn.datasets import load_digits


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(64, 64)
        self.fc2 = nn.Dense(64, 10)

    def construct(self, x):
        return self.fc2(ops.relu(self.fc1(x)))


def main(ckpt, onnx):
    ms.set_seed(1)
    net = Net()
    ms.load_param_into_net(net, ms.load_checkpoint(ckpt), strict_load=True)
    found = load_digits()
    rows = (found.data[:1500] / 16).astype(np.float32), found.target[:1500].astype(np.int32)
    data = ds.NumpySlicesDataset(rows, ["x", "y"]).batch(50)
    model = train.Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 1e-3))
    model.train(5, data, callbacks=[train.LossMonitor()])
    ms.export(net, ms.Tensor(np.zeros((1, 64), np.float32)), file_name=onnx, file_format="ONNX")


if __name__ == "__main__":
    main(*sys.argv[1:])
