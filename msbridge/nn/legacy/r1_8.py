"""Layers of 1.8: how they are printed."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.nn.cell.compiler_attributes import Marks
from msbridge.nn.layers.convolution import Conv2d, Conv3d, Convolution
from msbridge.nn.layers.normalization.batch_norm import BatchNormBase, _channel_repr
from msbridge.nn.legacy import r1_10


def _convolution(self: Any) -> str:
    """Return the attributes, with the format of `Conv2d` and `Conv3d` only."""
    text = _today(self)
    return text if isinstance(self, Conv2d | Conv3d) else text.rpartition(", format=")[0]


IGNORED = [name.replace("_func_graph", "_mindspore") for name in r1_10.IGNORED]
_today = Convolution.extend_repr
OVERRIDES = {
    "nn.BatchNorm2d": Part(BatchNormBase, "extend_repr", lambda self: _channel_repr(self, 1 - self._kept)),
    "nn.Cell.IGNORE_LIST": Part(Marks, "IGNORE_LIST", IGNORED),
    "nn.Conv1d": Part(Convolution, "extend_repr", _convolution),
}
