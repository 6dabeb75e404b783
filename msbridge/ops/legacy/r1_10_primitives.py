"""Primitives of 1.10 whose attributes say which results there are."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling.functions import adaptive_max_pool2d
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.sorting.functions import searchsorted


def _pool(input: Tensor, output_size: Sizes, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Return `output_size` maxima over the last two axes, and their places where these are asked for."""
    return adaptive_max_pool2d(input, output_size, return_indices)


def _search(sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False) -> Tensor:
    """Return the indices at which to insert values, Int32 or Int64."""
    return searchsorted(sorted_sequence, values, out_int32=out_int32, right=right)


OVERRIDES = {
    "ops.AdaptiveMaxPool2D": derive("AdaptiveMaxPool2D", _pool, "output_size return_indices"),
    "ops.SearchSorted": derive("SearchSorted", _search, "out_int32 right"),
}
