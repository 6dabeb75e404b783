import sys
from pathlib import Path

from tests.docs import made
import msbridge
import numpy as np
import torch

from msbridge.converters import load_into

msbridge.install()
import mindspore

made.project()
sys.path.insert(0, str(Path(made.__file__).parents[2] / "docs"))  # where record_layers.py is

from my.cells import ResNet50
from my.models import resnet50

images = np.random.default_rng(0).standard_normal((1, 3, 224, 224)).astype(np.float32)
net = ResNet50()
load_into(net, "resnet50.pth")
