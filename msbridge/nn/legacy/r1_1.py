"""Layers of 1.1: names of parameters in containers, and how convolutions are printed."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.nn.layers import containers
from msbridge.nn.layers.convolution import Conv2d, Conv3d, Convolution
from msbridge.nn.legacy.r1_0 import convolution_text


def _convolution(self: Any) -> str:
    """Return the attributes; those of `Conv2d` and `Conv3d` lack a comma and end in the format."""
    text = convolution_text(self)
    if not isinstance(self, Conv2d | Conv3d):
        return text
    return f"{text.replace(',weight_init', 'weight_init')}, format={self.data_format}"


OVERRIDES = {
    "nn.CellList": Part(containers._Ordered, "_prefix_parameters", lambda self, cell, prefix: None),
    "nn.Conv1d": Part(Convolution, "extend_repr", _convolution),
}
