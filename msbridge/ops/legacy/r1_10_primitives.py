"""Primitives of 1.10 whose attributes say which results there are, and windows that are channels."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling.functions import adaptive_max_pool2d
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.sorting.functions import searchsorted
from msbridge.ops.shape.pixel_blocks.kernels import Size, windows


def _pool(input: Tensor, output_size: Sizes, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Return `output_size` maxima over the last two axes, and their places where these are asked for."""
    return adaptive_max_pool2d(input, output_size, return_indices)


def _search(sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False) -> Tensor:
    """Return the indices at which to insert values, Int32 or Int64."""
    return searchsorted(sorted_sequence, values, out_int32=out_int32, right=right)


def _windows(x: Tensor, ksizes: Size, strides: Size = 1, dilations: Size = 1, pads: Size = 0) -> Tensor:
    """Lay windows as channels: (n, c, h, w) becomes (n, c·kh·kw, rows, columns) of windows."""
    channels = windows(x, ksizes, strides, dilations, pads)._data.flatten(1, 2)
    sizes = zip(x.shape[2:], *map(_pair, (ksizes, strides, dilations, pads)), strict=True)
    counts = [
        (length + 2 * pad - (size - 1) * dilation - 1) // stride + 1 for length, size, stride, dilation, pad in sizes
    ]
    return wrap(channels.unflatten(2, counts))


def _pair(size: Size) -> Sequence[int]:
    return (size, size) if isinstance(size, int) else size


OVERRIDES = {
    "ops.AdaptiveMaxPool2D": derive("AdaptiveMaxPool2D", _pool, "output_size return_indices"),
    "ops.Im2Col": derive("Im2Col", _windows, "ksizes strides dilations pads"),
    "ops.SearchSorted": derive("SearchSorted", _search, "out_int32 right"),
}
