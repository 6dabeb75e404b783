"""Tensors of 1.8: lists of numpy's numbers and arrays keep their dtype."""

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor import construction

OVERRIDES = {
    "Tensor.__init__": Part(construction, "_LISTED", {torch.float64: torch.float32}),
}
