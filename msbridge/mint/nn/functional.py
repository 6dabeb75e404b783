"""Functions of layers under torch's argument names."""

from msbridge.ops import contents

_FUNCTIONS = contents.gather("mint_functional")
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)
