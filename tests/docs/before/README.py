from tests.docs import made
import msbridge as ms
from msbridge import nn

made.project()
made.shards()
made.torch_model()
ms.save_checkpoint(nn.Dense(3, 2), "model.ckpt")
