"""Resizing as it was: channels lay last unless said otherwise."""

from typing import Any

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.resizing import kernels
from msbridge.ops.primitive.primitive import derive


def _resize_nearest(
    x: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False, data_format: str = "NHWC"
) -> Tensor:
    """Return images in another size, each pixel from its nearest neighbour.

    Follows: mindspore.ops.ResizeNearestNeighborV2 (2.0).
    """
    if one_of(data_format, "data_format", "ResizeNearestNeighborV2", ("NHWC", "NCHW")) == "NCHW":
        return kernels.resize_nearest(x, size, align_corners, half_pixel_centers)
    turned = kernels.resize_nearest(wrap(x._data.movedim(-1, 1)), size, align_corners, half_pixel_centers)
    return wrap(turned._data.movedim(1, -1))


_ATTRIBUTES = "align_corners half_pixel_centers data_format"
OVERRIDES = {
    "ops.ResizeNearestNeighborV2": derive("ResizeNearestNeighborV2", _resize_nearest, _ATTRIBUTES),
}
