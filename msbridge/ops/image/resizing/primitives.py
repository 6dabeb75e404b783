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
    """Sample images at given places.

    Args:
        input_x: shape (N, C, H, W) or (N, C, D, H, W); floats.
        grid: shape (N, H_out, W_out, 2) or (N, D_out, H_out, W_out, 3): places (x, y, z), -1 and 1 are the borders.
        interpolation_mode: "bilinear" or "nearest".
        padding_mode: what lies outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the corner pixels, or their outer edges.

    Returns:
        A Tensor of shape (N, C, H_out, W_out) or (N, C, D_out, H_out, W_out) and the dtype of `input_x`.
    """
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
