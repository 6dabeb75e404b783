"""Images: resizing, sampling at given places, cropping."""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.families import plain_shape, unary_with

__all__ = ["affine_grid", "crop_and_resize", "grid_sample", "interpolate", "upsample"]

Size = int | tuple[int, ...] | list[int]
_MODES = ("nearest", "linear", "bilinear", "bicubic", "area", "nearest-exact", "trilinear")


def interpolate(
    input: Tensor,
    size: Size | None = None,
    scale_factor: float | tuple[float, ...] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Give images of another size.

    Args:
        input: shape (N, C, ...) of one to three spatial axes.
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: "nearest", "nearest-exact", "linear" (1 axis), "bilinear", "bicubic" (2), "trilinear" (3) or "area".
        align_corners: whether the corner pixels keep their values; for the linear and cubic modes.
        recompute_scale_factor: whether the factor is computed again from the rounded size.

    Raises:
        ValueError: an unknown mode; both or neither of `size` and `scale_factor`; settings that exclude each other.

    Follows: mindspore.ops.interpolate (2.10).
    """
    try:
        sizes = size if size is None or isinstance(size, int) else plain_shape(size)
        if mode == "bicubic" and (sizes is None) != (scale_factor is None):
            shape = _scaled(input._data, scale_factor) if sizes is None else sizes
            shape = (shape, shape) if isinstance(shape, int) else shape
            return wrap(_resize_bicubic(input._data, shape, bool(align_corners), not align_corners))
        return wrap(F.interpolate(input._data, sizes, scale_factor, mode, align_corners, recompute_scale_factor))
    except Exception as error:
        if mode not in _MODES:
            raise ValueError(f"For 'interpolate', 'mode' must be one of {list(_MODES)}, but got {mode!r}.") from error
        if isinstance(error, ValueError | NotImplementedError):
            raise ValueError(f"For 'interpolate': {error}") from error
        raise explain(error, "interpolate", input=input) from error


def _scaled(data: torch.Tensor, factor: Any) -> tuple[int, int]:
    factors = (factor, factor) if isinstance(factor, int | float) else factor
    return int(data.shape[-2] * factors[0]), int(data.shape[-1] * factors[1])


def upsample(
    input: Tensor,
    size: Size | None = None,
    scale_factor: float | tuple[float, ...] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Give images of another size; see `interpolate`.

    Follows: mindspore.ops.upsample (2.10).
    """
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def resize_bilinear(input: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Give (N, C, H, W) in another size, bilinearly.

    Without `align_corners` and `half_pixel_centers`, pixel i lies at i·in / out, a way that torch does not have.
    """
    shape = plain_shape(size)
    if align_corners or half_pixel_centers:
        return interpolate(input, shape, None, "bilinear", align_corners)
    return unary_with(_resize_from_corner, "ResizeBilinear", input, shape)


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
    """Give (N, C, H, W) in another size, bicubically.

    With `half_pixel_centers` the cubic's coefficient is -0.5, and what lies outside the image does not count; torch has
    -0.75, and repeats the edge.
    """
    settings = (plain_shape(size), align_corners, half_pixel_centers)
    return unary_with(_resize_bicubic, "ResizeBicubic", input, *settings)


def _resize_bicubic(
    data: torch.Tensor, shape: tuple[int, int], align_corners: bool, half_pixel_centers: bool
) -> torch.Tensor:
    data = data if data.is_floating_point() else data.float()
    rows, columns = (
        _cubic_weights(data.shape[axis], length, align_corners, half_pixel_centers, data)
        for axis, length in zip((-2, -1), shape, strict=True)
    )
    return rows @ data @ columns.T


def _cubic_weights(
    count: int, length: int, align_corners: bool, half_pixel_centers: bool, like: torch.Tensor
) -> torch.Tensor:
    """Give how much each of `count` pixels weighs in each of `length` new ones: shape (length, count)."""
    places = torch.arange(length, device=like.device, dtype=torch.float64)
    if align_corners:
        places = places * ((count - 1) / max(length - 1, 1))
    elif half_pixel_centers:
        places = (places + 0.5) * (count / length) - 0.5
    else:
        places = places * (count / length)
    factor = -0.5 if half_pixel_centers else -0.75
    near = places.floor()[:, None] + torch.arange(-1, 3, device=like.device)
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
    """Give (N, C, H, W) in another size, each pixel from its nearest neighbour."""
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


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Sample images at given places.

    Args:
        input: shape (N, C, H, W) or (N, C, D, H, W).
        grid: shape (N, H_out, W_out, 2) or (N, D_out, H_out, W_out, 3): places (x, y, z), -1 and 1 are the borders.
        mode: "bilinear", "nearest" or "bicubic".
        padding_mode: what lies outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the corner pixels, or their outer edges.

    Raises:
        ValueError: an unknown mode.

    Follows: mindspore.ops.grid_sample (2.10).
    """
    try:
        return wrap(F.grid_sample(input._data, grid._data, mode, padding_mode, bool(align_corners)))
    except Exception as error:
        raise explain(error, "grid_sample", input=input, grid=grid) from error


def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    """Give the places that affine maps send the pixels of an image to, for `grid_sample`.

    Args:
        theta: shape (N, 2, 3), or (N, 3, 4) for volumes.
        size: shape of the images: (N, C, H, W) or (N, C, D, H, W).
        align_corners: as in `grid_sample`.

    Follows: mindspore.ops.affine_grid (2.10).
    """
    return unary_with(F.affine_grid, "affine_grid", theta, list(plain_shape(size)), align_corners)


def crop_and_resize(
    image: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Cut boxes out of images and bring them to one size.

    Args:
        image: shape (N, H, W, C).
        boxes: shape (M, 4): (y1, x1, y2, x2), 0 and 1 are the first and last pixel.
        box_indices: shape (M,): which image.
        crop_size: (height, width).
        method: "bilinear" or "nearest".
        extrapolation_value: what lies outside the image.

    Returns:
        A Float32 Tensor of shape (M, height, width, C).

    Raises:
        ValueError: another `method`.

    Follows: mindspore.ops.crop_and_resize (2.10).
    """
    if method not in ("bilinear", "nearest"):
        raise ValueError(f"For 'crop_and_resize', method must be 'bilinear' or 'nearest', got {method!r}.")
    try:
        parts = (image._data.float(), boxes._data.float(), box_indices._data.long())
        return wrap(_crop(*parts, plain_shape(crop_size), method == "nearest", extrapolation_value))
    except Exception as error:
        raise explain(error, "crop_and_resize", image=image, boxes=boxes, box_indices=box_indices) from error


def _crop(
    image: torch.Tensor,
    boxes: torch.Tensor,
    which: torch.Tensor,
    size: tuple[int, int],
    is_nearest: bool,
    outside: float,
) -> torch.Tensor:
    rows = _crop_places(boxes[:, 0], boxes[:, 2], image.shape[1], size[0])
    columns = _crop_places(boxes[:, 1], boxes[:, 3], image.shape[2], size[1])
    inside = (_is_inside(rows, image.shape[1])[:, :, None] & _is_inside(columns, image.shape[2])[:, None, :])[..., None]
    rows, columns = rows.clamp(0, image.shape[1] - 1), columns.clamp(0, image.shape[2] - 1)
    picked = which[:, None, None]
    if is_nearest:
        nearest = torch.floor(rows + 0.5).long()[:, :, None], torch.floor(columns + 0.5).long()[:, None, :]
        return torch.where(inside, image[picked, nearest[0], nearest[1]], outside)
    top, left = rows.floor().long()[:, :, None], columns.floor().long()[:, None, :]
    bottom, right = rows.ceil().long()[:, :, None], columns.ceil().long()[:, None, :]
    down, along = (rows[:, :, None] - top)[..., None], (columns[:, None, :] - left)[..., None]
    upper = torch.lerp(image[picked, top, left], image[picked, top, right], along)
    lower = torch.lerp(image[picked, bottom, left], image[picked, bottom, right], along)
    return torch.where(inside, torch.lerp(upper, lower, down), outside)


def _crop_places(start: torch.Tensor, end: torch.Tensor, length: int, count: int) -> torch.Tensor:
    """Give where each row of each crop lies: shape (M, count)."""
    if count == 1:
        return (start + end)[:, None] * 0.5 * (length - 1)
    steps = torch.arange(count, device=start.device)
    return start[:, None] * (length - 1) + steps * ((end - start)[:, None] * (length - 1) / (count - 1))


def _is_inside(places: torch.Tensor, length: int) -> torch.Tensor:
    return (places >= 0) & (places <= length - 1)
