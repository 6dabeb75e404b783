from tests.docs import made
import mindspore as ms
from mindspore import nn

made.project()
made.shards()
ms.save_checkpoint(nn.Dense(3, 2), "model.ckpt")
