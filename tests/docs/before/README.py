import shutil

import msbridge as ms
from msbridge import nn
from tests.docs import made

made.project()
made.shards()
shutil.copy("my/models.py", "model.py")
ms.save_checkpoint(nn.Dense(3, 2), "model.ckpt")
