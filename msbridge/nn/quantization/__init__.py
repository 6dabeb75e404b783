"""Quantisation-aware training: layers that round weights and activations to the steps of a few bits as they compute.

Follows: mindspore.nn.layer.quant and mindspore.compression (1.9), mindspore.train.quant (1.0).
"""

from typing import TYPE_CHECKING

from msbridge.core.runtime.lazy_names import lazy_names, names_in
from msbridge.nn.public_names import FILES

_FILES = {module: names for module, names in FILES.items() if module.startswith("msbridge.nn.quantization.")}

if TYPE_CHECKING:
    from msbridge.nn.quantization.activations import *
    from msbridge.nn.quantization.convolutions import *
    from msbridge.nn.quantization.observers import *
else:
    __all__ = names_in(_FILES)

__getattr__, __dir__ = lazy_names(__name__, _FILES)
