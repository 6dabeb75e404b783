import msbridge

msbridge.install()

import mindspore as ms
import msbridge.device
from mindspore import nn


def train():
    nn.Dense(3, 2)(ms.ops.ones((4, 3)))
