"""Record what the real MindSpore returns: run this with its interpreter, in this folder, with docs/ on PYTHONPATH.

`net.ckpt` was converted from torch by msbridge; `input.npy` holds normal numbers.
"""

import mindspore as ms
import numpy as np
from mindspore import nn
from record_layers import record


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, 2, "pad", 1, has_bias=True)
        self.bn = nn.BatchNorm2d(4)
        self.act = nn.GELU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(64, 6)
        self.norm = nn.LayerNorm((6,), epsilon=1e-5)
        self.head = nn.Dense(6, 3)
        self.soft = nn.Softmax(-1)

    def construct(self, x):
        x = self.flatten(self.act(self.bn(self.conv(x))))
        return self.soft(self.head(self.norm(self.fc(x))))


def main():
    net = Net()
    left = ms.load_param_into_net(net, ms.load_checkpoint("net.ckpt"))
    if any(left):
        raise SystemExit(f"not loaded: {left}")
    record(net, [ms.Tensor(np.load("input.npy"))], "mindspore.npz")


if __name__ == "__main__":
    main()
