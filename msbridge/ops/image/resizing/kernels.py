"""Computations that the faces of image share."""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import plain_shape, unary_with

CUBIC_STEPS = 1024  # MindSpore reads the weights from a table of so many places between two pixels


def resize_bilinear(input: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return (N, C, H, W) in another size, bilinearly.

    Without `align_corners` and `half_pixel_centers`, pixel i lies at i·in / out, a way that torch does not have.

    Args:
        input: shape (N, C, H, W); floats.
        size: (height, width) of the result.
        align_corners: whether the corner pixels keep their values.
        half_pixel_centers: whether places are counted from the centres of pixels.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.
    """
    shape = plain_shape(size)
    if align_corners or half_pixel_centers:
        return unary_with(_resize_linear, "ResizeBilinear", input, shape, align_corners)
    return unary_with(_resize_from_corner, "ResizeBilinear", input, shape)


def _resize_linear(data: torch.Tensor, shape: tuple[int, int], align_corners: bool) -> torch.Tensor:
    return F.interpolate(data, shape, mode="bilinear", align_corners=align_corners)


def _resize_from_corner(data: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    data = data if data.is_floating_point() else data.float()
    for axis, length in zip((-2, -1), shape, strict=True):
        data = _lerp_axis(data, axis, length)
    return data


def _lerp_axis(data: torch.Tensor, axis: int, length: int) -> torch.Tensor:
    count = data.shape[axis]
    places = torch.arange(length, device=data.device, dtype=torch.float32) * (count / length)
    low = places.long().clamp_max(count - 1)
    high = (low + 1).clamp_max(count - 1)
    weight = (places - low).to(data.dtype)
    weight = weight[:, None] if axis == -2 else weight
    return torch.lerp(data.index_select(axis, low), data.index_select(axis, high), weight)


def resize_bicubic(input: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return (N, C, H, W) in another size, bicubically.

    With `half_pixel_centers` the cubic's coefficient is -0.5, and what lies outside the image does not count; torch has
    -0.75, and repeats the edge.

    Args:
        input: shape (N, C, H, W); floats.
        size: (height, width) of the result.
        align_corners: whether the corner pixels keep their values.
        half_pixel_centers: whether places are counted from the centres of pixels.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.
    """
    if align_corners and half_pixel_centers:
        raise ValueError("For 'ResizeBicubic', half_pixel_centers must be False where align_corners is True.")
    settings = (plain_shape(size), align_corners, half_pixel_centers)
    return unary_with(resize_cubic, "ResizeBicubic", input, *settings)


def resize_cubic(
    data: torch.Tensor, shape: tuple[int, int], align_corners: bool, half_pixel_centers: bool
) -> torch.Tensor:
    """Return (N, C, *shape) by cubic weights along both axes."""
    data = data if data.is_floating_point() else data.float()
    rows, columns = (
        _cubic_weights(data.shape[axis], length, align_corners, half_pixel_centers, data)
        for axis, length in zip((-2, -1), shape, strict=True)
    )
    return rows @ data @ columns.T


def _cubic_weights(
    count: int, length: int, align_corners: bool, half_pixel_centers: bool, like: torch.Tensor
) -> torch.Tensor:
    """Return the weights of `count` pixels in each of `length` new ones: shape (length, count)."""
    places = torch.arange(length, device=like.device, dtype=torch.float64)
    if align_corners:
        places = places * ((count - 1) / max(length - 1, 1))
    elif half_pixel_centers:
        places = (places + 0.5) * (count / length) - 0.5
    else:
        places = places * (count / length)
    factor = -0.5 if half_pixel_centers else -0.75
    near = places.floor()[:, None] + torch.arange(-1, 3, device=like.device)
    places = (places * CUBIC_STEPS).round() / CUBIC_STEPS
    distance = (places[:, None] - near).abs()
    inner = ((factor + 2) * distance - (factor + 3)) * distance.square() + 1
    outer = factor * (((distance - 5) * distance + 8) * distance - 4)
    weights = torch.where(distance <= 1, inner, outer)
    if half_pixel_centers:
        weights = weights * ((near >= 0) & (near < count))
        weights = weights / weights.sum(1, keepdim=True)
    result = torch.zeros(length, count, device=like.device, dtype=torch.float64)
    return result.scatter_add_(1, near.long().clamp(0, count - 1), weights).to(like.dtype)


def resize_nearest(input: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return (N, C, H, W) in another size, each pixel from its nearest neighbour.

    Args:
        input: shape (N, C, H, W); floats.
        size: (height, width) of the result.
        align_corners: whether the corner pixels keep their values.
        half_pixel_centers: whether places are counted from the centres of pixels.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.
    """
    shape = plain_shape(size)
    if align_corners:
        return unary_with(_resize_nearest_aligned, "ResizeNearestNeighbor", input, shape)
    mode = "nearest-exact" if half_pixel_centers else "nearest"
    return unary_with(_resize_nearest, "ResizeNearestNeighbor", input, shape, mode)


def _resize_nearest(data: torch.Tensor, shape: tuple[int, int], mode: str) -> torch.Tensor:
    if data.is_floating_point() or data.dtype is torch.uint8:
        return F.interpolate(data, shape, mode=mode)
    return F.interpolate(data.double(), shape, mode=mode).to(data.dtype)


def _resize_nearest_aligned(data: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    for axis, length in zip((-2, -1), shape, strict=True):
        scale = (data.shape[axis] - 1) / max(length - 1, 1)
        places = torch.floor(torch.arange(length, device=data.device) * scale + 0.5).long()
        data = data.index_select(axis, places)
    return data
