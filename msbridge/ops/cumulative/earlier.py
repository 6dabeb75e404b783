"""Histograms as they were: counts were Int32."""

from msbridge.core.dtype import int32
from msbridge.core.earlier import Earlier
from msbridge.core.tensor import Tensor
from msbridge.ops.cumulative import functions


def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in bins of equal width between `min` and `max`, Int32.

    Follows: mindspore.ops.histc (2.0).
    """
    return functions.histc(input, bins, min, max).astype(int32)


ROWS = [Earlier("ops.histc", "2.3", histc), Earlier("core.tensor.Tensor.histc", "2.3", histc)]
