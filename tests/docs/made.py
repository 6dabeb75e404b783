"""What the pages take for granted: a project with a torch network, the same as a Cell, checkpoints and a script."""

from pathlib import Path

import torch

from msbridge.converters import convert

MODELS = """
import torch


class resnet50(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 4, 7, 4, padding=3, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(4)
        self.fc = torch.nn.Linear(4, 10)

    def forward(self, image):
        return self.fc(self.bn1(self.conv1(image)).relu().mean((2, 3)))
"""

CELLS = """
from mindspore import nn, ops


class ResNet50(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 7, 4, pad_mode="pad", padding=3)
        self.bn1 = nn.BatchNorm2d(4)
        self.fc = nn.Dense(4, 10)

    def construct(self, image):
        return self.fc(ops.relu(self.bn1(self.conv1(image))).mean((2, 3)))
"""

SCRIPT = """
import argparse
import mindspore as ms
from mindspore import nn

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
ms.set_context(mode=ms.GRAPH_MODE, device_target="Ascend")
print(nn.Dense(2, 2)(ms.ops.ones((parser.parse_args().epochs, 2), ms.float32)).shape)
"""


def project() -> None:
    """Write `my/models.py`, `my/cells.py`, weights of the network under the names in use, and `train.py`."""
    Path("my").mkdir()
    Path("my/models.py").write_text(MODELS, encoding="utf-8")
    Path("my/cells.py").write_text(CELLS, encoding="utf-8")
    Path("train.py").write_text(SCRIPT, encoding="utf-8")
    Path("src").mkdir()
    Path("src/net.py").write_text(CELLS, encoding="utf-8")
    from my.models import resnet50

    torch.manual_seed(0)
    for name in ("resnet.pth", "resnet50.pth"):
        torch.save(resnet50().state_dict(), name)


def torch_model() -> None:
    """Write `model.py`, a network of torch."""
    Path("model.py").write_text(MODELS, encoding="utf-8")


def shards() -> None:
    """Write `llama/`, a folder of shards with their index."""
    Path("llama").mkdir()
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    for number, name in enumerate(names):
        torch.save({f"model.layers.{number}.mlp.up_proj.weight": torch.ones(4, 2)}, "shard.pth")
        convert("shard.pth", f"llama/{name}")
    index = ", ".join(f'"model.layers.{number}.mlp.up_proj.weight": "{name}"' for number, name in enumerate(names))
    Path("llama/model.safetensors.index.json").write_text(f'{{"metadata": {{}}, "weight_map": {{{index}}}}}')
