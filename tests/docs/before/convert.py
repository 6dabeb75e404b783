from tests.docs import made
import msbridge as ms
from msbridge import nn

made.project()
made.shards()
ms.save_checkpoint(nn.Dense(3, 2), "model.ckpt")

ms.install()

from my.cells import ResNet50
from my.models import resnet50

cell, module = ResNet50(), resnet50()

from pathlib import Path

from tests.train.helpers_slices import saved, strategy_file

strategy_file(saved(Path("run"), 4).parent / "strategy.ckpt", 4)
