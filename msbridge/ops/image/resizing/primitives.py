"""Primitives of images and boxes."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face
from msbridge.ops.image.resizing import functions, kernels
from msbridge.ops.primitive.primitive import derive

_crop = face(
    "crop_and_resize", functions.crop_and_resize, "image_ boxes_ box_index crop_size method extrapolation_value"
)


def _sample(
    input_x: Tensor,
    grid: Tensor,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Sample images at given places."""
    return functions.grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


DERIVED = (
    derive("AffineGrid", functions.affine_grid, "align_corners"),
    derive("CropAndResize", _crop, "method extrapolation_value"),
    derive("GridSampler2D", _sample, "interpolation_mode padding_mode align_corners"),
    derive("GridSampler3D", _sample, "interpolation_mode padding_mode align_corners"),
    derive("ResizeBicubic", kernels.resize_bicubic, "align_corners half_pixel_centers"),
    derive("ResizeBilinear", kernels.resize_bilinear, "size align_corners half_pixel_centers"),
    derive("ResizeBilinearV2", kernels.resize_bilinear, "align_corners half_pixel_centers"),
    derive("ResizeNearestNeighbor", kernels.resize_nearest, "size align_corners half_pixel_centers"),
    derive("ResizeNearestNeighborV2", kernels.resize_nearest, "align_corners half_pixel_centers"),
)
