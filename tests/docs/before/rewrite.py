import msbridge

msbridge.install()

from pathlib import Path

Path("written.py").write_text("""
from mindspore import nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.bn = nn.BatchNorm2d(4)

    def construct(self, x):
        return self.bn(self.conv(x))
""")
from written import Net

net = Net()
