"""Primitives of images and boxes."""

from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.ops import boxes, image
from msbridge.ops.primitive import REQUIRED, derive

__all__ = [
    "IOU",
    "AffineGrid",
    "BoundingBoxDecode",
    "BoundingBoxEncode",
    "CheckValid",
    "CropAndResize",
    "GridSampler2D",
    "GridSampler3D",
    "NMSWithMask",
    "ROIAlign",
    "ResizeBicubic",
    "ResizeBilinear",
    "ResizeBilinearV2",
    "ResizeNearestNeighbor",
    "ResizeNearestNeighborV2",
]


def _crop(
    image_: Tensor,
    boxes_: Tensor,
    box_index: Tensor,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Cut boxes out of images (N, H, W, C) and bring them to one size."""
    return image.crop_and_resize(image_, boxes_, box_index, crop_size, method, extrapolation_value)


def _sample(
    input_x: Tensor,
    grid: Tensor,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Sample images at given places."""
    return image.grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


_NO_MEANS = (0.0, 0.0, 0.0, 0.0)
_NO_STDS = (1.0, 1.0, 1.0, 1.0)
_CENTERS = {"align_corners": False, "half_pixel_centers": False}
_SAMPLER = {"interpolation_mode": "bilinear", "padding_mode": "zeros", "align_corners": False}
_RESIZE = {"size": REQUIRED, "align_corners": False, "half_pixel_centers": False}

AffineGrid = derive("AffineGrid", image.affine_grid, {"align_corners": False})
BoundingBoxDecode = derive(
    "BoundingBoxDecode",
    boxes.bounding_box_decode,
    {"max_shape": REQUIRED, "means": _NO_MEANS, "stds": _NO_STDS, "wh_ratio_clip": 0.016},
)
BoundingBoxEncode = derive("BoundingBoxEncode", boxes.bounding_box_encode, {"means": _NO_MEANS, "stds": _NO_STDS})
CheckValid = derive("CheckValid", boxes.check_valid)
CropAndResize = derive("CropAndResize", _crop, {"method": "bilinear", "extrapolation_value": 0.0})
GridSampler2D = derive("GridSampler2D", _sample, _SAMPLER)
GridSampler3D = derive("GridSampler3D", _sample, _SAMPLER)
IOU = derive("IOU", boxes.iou, {"mode": "iou"})
NMSWithMask = derive("NMSWithMask", boxes.suppress, {"iou_threshold": 0.5})
ROIAlign = derive(
    "ROIAlign",
    boxes.align_regions,
    {
        "pooled_height": REQUIRED,
        "pooled_width": REQUIRED,
        "spatial_scale": REQUIRED,
        "sample_num": 2,
        "roi_end_mode": 1,
    },
)
ResizeBicubic = derive("ResizeBicubic", image.resize_bicubic, _CENTERS)
ResizeBilinear = derive("ResizeBilinear", image.resize_bilinear, _RESIZE)
ResizeBilinearV2 = derive("ResizeBilinearV2", image.resize_bilinear, _CENTERS)
ResizeNearestNeighbor = derive("ResizeNearestNeighbor", image.resize_nearest, _RESIZE)
ResizeNearestNeighborV2 = derive("ResizeNearestNeighborV2", image.resize_nearest, _CENTERS)
