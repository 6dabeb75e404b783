"""Images: resizing, sampling at given places, cropping."""

import inspect
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import one_of
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.resizing.kernels import resize_cubic
from msbridge.ops.kernel_calls.families import plain_shape, unary_with

Size = int | tuple[int, ...] | list[int]
_MODES = ("nearest", "linear", "bilinear", "bicubic", "area", "nearest-exact", "trilinear")


def interpolate(
    input: Tensor,
    size: Size | None = None,
    scale_factor: float | tuple[float, ...] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    *,
    roi: None = None,
    sizes: Size | None = None,
    scales: tuple[float, ...] | None = None,
    coordinate_transformation_mode: str | None = None,
) -> Tensor:
    """Return images of another size.

    Args:
        input: shape (N, C, ...) of one to three spatial axes.
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: "nearest", "nearest-exact", "linear" (1 axis), "bilinear", "bicubic" (2), "trilinear" (3) or "area".
        align_corners: whether the corner pixels keep their values; for the linear and cubic modes.
        recompute_scale_factor: whether the factor is computed again from the rounded size.
        roi: None, as in MindSpore 1.10.
        sizes: the older form of `size`; linear or bilinear, with `coordinate_transformation_mode`.
        scales: the older form of `scale_factor`, with a factor for every axis of `input`.
        coordinate_transformation_mode: "align_corners", which None means beside the older forms, or "half_pixel".

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Raises:
        ValueError: an unknown mode; both or neither of `size` and `scale_factor`; settings that exclude each other.

    Follows: mindspore.ops.interpolate (2.10), and of 1.10 for the older forms.
    """
    if roi is not None:
        raise ValueError(f"For 'interpolate', the argument 'roi' must be None, but got {roi!r}.")
    if sizes is not None or scales is not None:
        one_of(coordinate_transformation_mode, "coordinate_transformation_mode", "interpolate", _COORDINATES)
        mode = ("linear", "bilinear")[input.ndim - 3] if mode == "nearest" else mode
        align_corners = coordinate_transformation_mode != "half_pixel"
        size, scale_factor = sizes, None if scales is None else tuple(scales)[2:]
    try:
        sizes = size if size is None or isinstance(size, int) else plain_shape(size)
        if mode == "bicubic" and (sizes is None) != (scale_factor is None):
            shape = _scale_sizes(input._data, scale_factor) if sizes is None else sizes
            shape = (shape, shape) if isinstance(shape, int) else shape
            return wrap(resize_cubic(input._data, shape, bool(align_corners), not align_corners))
        return wrap(F.interpolate(input._data, sizes, scale_factor, mode, align_corners, recompute_scale_factor))
    except Exception as error:
        if not isinstance(input, Tensor):
            raise explain(error, "interpolate", input=input) from error
        if mode not in _MODES:
            raise ValueError(f"For 'interpolate', 'mode' must be one of {list(_MODES)}, but got {mode!r}.") from error
        if (size is None) == (scale_factor is None):
            given = f"size={size!r} and scale_factor={scale_factor!r}"
            raise ValueError(f"For 'interpolate', either size or scale_factor must be given, got {given}.") from error
        raise explain(error, "interpolate", input=input) from error


# Scripts look whether `sizes` is among the arguments, and take the release for 1.10 if it is.
interpolate.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [
        argument
        for argument in inspect.signature(interpolate).parameters.values()
        if argument.kind != argument.KEYWORD_ONLY
    ]
)

_COORDINATES = (None, "align_corners", "half_pixel")


def _scale_sizes(data: torch.Tensor, factor: Any) -> tuple[int, int]:
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
    """Return images of another size; see `interpolate`.

    Args:
        input: shape (N, C, ...) of one to three spatial axes.
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: as in `interpolate`.
        align_corners: whether the corner pixels keep their values.
        recompute_scale_factor: whether the factor is computed again from the rounded size.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Follows: mindspore.ops.upsample (2.10).
    """
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
    *,
    interpolation_mode: str | None = None,
) -> Tensor:
    """Sample images at given places.

    Args:
        input: shape (N, C, H, W) or (N, C, D, H, W).
        grid: shape (N, H_out, W_out, 2) or (N, D_out, H_out, W_out, 3): places (x, y, z), -1 and 1 are the borders.
        mode: "bilinear", "nearest" or "bicubic".
        padding_mode: what lies outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the corner pixels, or their outer edges.
        interpolation_mode: the older name of `mode`.

    Returns:
        A Tensor of shape (N, C, H_out, W_out) or (N, C, D_out, H_out, W_out) and the dtype of `input`.

    Raises:
        ValueError: an unknown mode.

    Follows: mindspore.ops.grid_sample (2.10), and of 1.10 for `interpolation_mode`.
    """
    mode = interpolation_mode or mode
    try:
        return wrap(F.grid_sample(input._data, grid._data, mode, padding_mode, bool(align_corners)))
    except Exception as error:
        raise explain(error, "grid_sample", input=input, grid=grid) from error


def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    """Return the places that affine maps send the pixels of an image to, for `grid_sample`.

    Args:
        theta: shape (N, 2, 3), or (N, 3, 4) for volumes.
        size: shape of the images: (N, C, H, W) or (N, C, D, H, W).
        align_corners: as in `grid_sample`.

    Returns:
        A Tensor of shape (N, H, W, 2) or (N, D, H, W, 3) and the dtype of `theta`.

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
        boxes: shape (M, 4): (y1, x1, y2, x2), 0 and 1 are the first and last pixel; with "bilinear_v2" 1 is the size.
        box_indices: shape (M,): which image.
        crop_size: (height, width).
        method: "bilinear", "nearest", or "bilinear_v2", which cuts whole pixels out, the last one with them.
        extrapolation_value: what lies outside the image.

    Returns:
        A Float32 Tensor of shape (M, height, width, C).

    Raises:
        ValueError: another `method`.

    Follows: mindspore.ops.crop_and_resize (2.10).
    """
    if method not in ("bilinear", "nearest", "bilinear_v2"):
        raise ValueError(
            f"For 'crop_and_resize', method must be 'bilinear', 'nearest' or 'bilinear_v2', got {method!r}."
        )
    try:
        parts = (image._data.float(), boxes._data.float(), box_indices._data.long())
        return wrap(_crop(*parts, plain_shape(crop_size), method, extrapolation_value))
    except Exception as error:
        raise explain(error, "crop_and_resize", image=image, boxes=boxes, box_indices=box_indices) from error


def _crop(
    image: torch.Tensor,
    boxes: torch.Tensor,
    which: torch.Tensor,
    size: tuple[int, int],
    method: str,
    outside: float,
) -> torch.Tensor:
    places = _whole_pixel_places if method == "bilinear_v2" else _crop_places
    rows = places(boxes[:, 0], boxes[:, 2], image.shape[1], size[0])
    columns = places(boxes[:, 1], boxes[:, 3], image.shape[2], size[1])
    inside = (_is_inside(rows, image.shape[1])[:, :, None] & _is_inside(columns, image.shape[2])[:, None, :])[..., None]
    rows, columns = rows.clamp(0, image.shape[1] - 1), columns.clamp(0, image.shape[2] - 1)
    picked = which[:, None, None]
    if method == "nearest":
        nearest = torch.floor(rows + 0.5).long()[:, :, None], torch.floor(columns + 0.5).long()[:, None, :]
        return torch.where(inside, image[picked, nearest[0], nearest[1]], outside)
    top, left = rows.floor().long()[:, :, None], columns.floor().long()[:, None, :]
    bottom, right = rows.ceil().long()[:, :, None], columns.ceil().long()[:, None, :]
    down, along = (rows[:, :, None] - top)[..., None], (columns[:, None, :] - left)[..., None]
    upper = torch.lerp(image[picked, top, left], image[picked, top, right], along)
    lower = torch.lerp(image[picked, bottom, left], image[picked, bottom, right], along)
    return torch.where(inside, torch.lerp(upper, lower, down), outside)


def _crop_places(start: torch.Tensor, end: torch.Tensor, length: int, count: int) -> torch.Tensor:
    """Return the position of each row of each crop: shape (M, count)."""
    if count == 1:
        return (start + end)[:, None] * 0.5 * (length - 1)
    steps = torch.arange(count, device=start.device)
    return start[:, None] * (length - 1) + steps * ((end - start)[:, None] * (length - 1) / (count - 1))


def _whole_pixel_places(start: torch.Tensor, end: torch.Tensor, length: int, count: int) -> torch.Tensor:
    """Return the position of each row of each crop: the centers of equal parts of the box, within it and the image."""
    first = (start * length).trunc()
    extent = (end * length).trunc() - first + 1
    centers = (torch.arange(count, device=start.device) + 0.5) * extent[:, None] / count - 0.5
    within = torch.minimum(centers, extent[:, None] - 1).clamp_min(0)
    return (first[:, None] + within).clamp(0, length - 1)


def _is_inside(places: torch.Tensor, length: int) -> torch.Tensor:
    return (places >= 0) & (places <= length - 1)
