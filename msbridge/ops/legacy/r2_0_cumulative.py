"""Running products and histograms as they were: whole numbers kept their dtype, counts were Int32."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.cumulative import functions
from msbridge.ops.reduce.cumulative.kernels import histogram


def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in bins of equal width between `min` and `max`, Int32.

    Follows: mindspore.ops.histc (2.0).
    """
    return functions.histc(input, bins, min, max).astype(int32)


def _histogram(x: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in bins of equal width, Int32.

    Follows: mindspore.ops.Histogram (2.0).
    """
    return histogram(x, bins, min, max).astype(int32)


def cumprod(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Multiply up along an axis; whole numbers keep their dtype.

    Follows: mindspore.ops.cumprod (2.0).
    """
    return functions.cumprod(input, dim, dtype).astype(dtype or input.dtype)


def cummin(input: Tensor, axis: int) -> list[Tensor]:
    """Return the smallest elements so far and their places, Int32, in a list.

    Follows: mindspore.ops.cummin (2.0).
    """
    values, indices = functions.cummin(input, axis)
    return [values, indices.astype(int32)]


OVERRIDES = {
    "Tensor.cumprod": cumprod,
    "Tensor.histc": histc,
    "ops.Histogram": derive("Histogram", _histogram, "bins min max"),
    "ops.cummin": cummin,
    "ops.cumprod": cumprod,
    "ops.histc": histc,
}
