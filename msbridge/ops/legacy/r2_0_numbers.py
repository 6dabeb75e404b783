"""Numbers beside Tensors as in 2.0: one that the dtype does not hold becomes one that it does, wherever it stands."""

from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.comparison import functions as comparison


def _fmod(left: torch.Tensor, right: Any) -> torch.Tensor:
    return arithmetic._divide_leaving(torch.fmod, left, right, left)


OVERRIDES = {
    "Tensor.__lt__": Part(comparison, "_is_less", torch.lt),
    "ops.fmod": Part(arithmetic, "_fmod", _fmod),
}
