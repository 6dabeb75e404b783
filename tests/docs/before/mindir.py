import msbridge

msbridge.install()

import mindspore as ms
from mindspore import nn

net = nn.SequentialCell(nn.Conv2d(3, 2, 3), nn.ReLU())
x = ms.ops.ones((1, 3, 8, 8))
ms.export(net, x, file_name="net", file_format="MINDIR")
