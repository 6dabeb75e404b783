"""The face of the operators with torch's argument names: `mint.sum(x, dim=0, keepdim=True)`."""

from msbridge.mint import distributed, linalg, nn, optim, special
from msbridge.ops import contents

_FUNCTIONS = contents.gather("mint")
globals().update(_FUNCTIONS)
__all__ = ["distributed", "linalg", "nn", "optim", "special", *sorted(_FUNCTIONS)]
