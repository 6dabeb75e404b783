"""Gradients of sampling images at regions and grids.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

import math
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import REQUIRED, derive
from msbridge.ops.training.gradient_primitives.families import back, gradient, of_primitive


def _affine_grid(y_grad: Tensor, x_size: Any, align_corners: bool = False) -> Tensor:
    """Return the gradient of the matrices of `AffineGrid`."""
    sizes = plain_shape(x_size)
    rank = len(sizes) - 2
    grid = P.AffineGrid(align_corners)
    return back("AffineGridGrad", lambda theta: grid(theta, sizes), y_grad, (sizes[0], rank, rank + 1))


def _scale_gradient(
    grads: Tensor,
    original_image: Tensor,
    scale: Tensor,
    translation: Tensor,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> Tensor:
    """Return the gradient of the images of `ScaleAndTranslate`."""
    forward = P.ScaleAndTranslate(kernel_type, antialias)
    size = wrap(torch.tensor(grads.shape[1:3], dtype=torch.int32))
    return gradient("ScaleAndTranslateGrad", lambda x: forward(x, size, scale, translation), grads, original_image)[0]


def position_sensitive(
    features: torch.Tensor, rois: torch.Tensor, scale: float, group_size: int, output_dim: int
) -> torch.Tensor:
    """Return the means of the cells of regions, each of a channel of its own.

    Args:
        features: (N, output_dim·group_size², H, W).
        rois: (N, 5, K): image, left, top, right, bottom of K regions of each image.
        scale: of coordinates to those of the features.
        group_size: how many cells a region has along each axis.
        output_dim: how many channels the result has.

    Returns:
        (N·K, output_dim, group_size, group_size).
    """
    planes = features.unflatten(1, (output_dim, group_size, group_size))
    means = []
    for image, *region in rois.transpose(1, 2).reshape(-1, 5).tolist():
        edges = [math.floor(edge * scale + 0.5) for edge in region]
        means.append(cell_means(planes[int(image)], edges, group_size))
    return torch.stack(means)


def cell_means(planes: torch.Tensor, edges: Sequence[float], group_size: int) -> torch.Tensor:
    """Return the means of the cells of one region, each of the channels of its own.

    Args:
        planes: (output_dim, group_size, group_size, H, W).
        edges: left, top, right and bottom of the region, in pixels of the planes.
        group_size: how many cells the region has along each axis.

    Returns:
        (output_dim, group_size, group_size); a cell without pixels is 0.
    """
    x, y, right, bottom = edges
    steps = max(right - x, 0.1) / group_size, max(bottom - y, 0.1) / group_size
    height, width = planes.shape[-2:]
    rows = []
    for row in range(group_size):
        above, below = (
            _within(f(edge * steps[1] + y), height) for f, edge in ((math.floor, row), (math.ceil, row + 1))
        )
        for column in range(group_size):
            first, last = (
                _within(f(edge * steps[0] + x), width) for f, edge in ((math.floor, column), (math.ceil, column + 1))
            )
            cell = planes[:, row, column, above:below, first:last]
            rows.append(cell.mean((1, 2)) if cell.numel() else cell.sum((1, 2)))
    return torch.stack(rows, 1).reshape(-1, group_size, group_size)


def _within(place: int, length: int) -> int:
    return min(max(place, 0), length)


def _position_sensitive(
    features: Tensor, rois: Tensor, spatial_scale: float, group_size: int, output_dim: int
) -> Tensor:
    """Return the means of the cells of regions, each of a channel of its own.

    Follows: mindspore.ops.operations.nn_ops.PSROIPooling (2.10).
    """
    settings = (spatial_scale, group_size, output_dim)
    return call_kernel(lambda x, r: position_sensitive(x, r, *settings), "PSROIPooling", features, rois)  # type: ignore[no-any-return]


def _position_sensitive_gradient(
    x: Tensor, rois: Tensor, input_size: Any, spatial_scale: float, group_size: int, output_dim: int
) -> Tensor:
    """Return the gradient of the features of `PSROIPooling`, whose height and width are `input_size`."""
    settings = (spatial_scale, group_size, output_dim)
    shape = (rois.shape[0], output_dim * group_size**2, *plain_shape(input_size))
    pool = lambda features: wrap(position_sensitive(features._data, rois._data, *settings))  # noqa: E731
    return back("PSROIPoolingGrad", pool, x, shape)


DERIVED = (
    derive("AffineGridGrad", _affine_grid, "align_corners"),
    derive("PSROIPooling", _position_sensitive, "spatial_scale group_size output_dim"),
    derive("PSROIPoolingGrad", _position_sensitive_gradient, "input_size spatial_scale group_size output_dim"),
    of_primitive(
        "ROIAlignGrad",
        P.ROIAlign,
        "dy rois xdiff_shape",
        "x rois",
        "x",
        shape="xdiff_shape",
        pooled_height=REQUIRED,
        pooled_width=REQUIRED,
        spatial_scale=REQUIRED,
        sample_num=2,
    ),
    derive("ScaleAndTranslateGrad", _scale_gradient, "kernel_type antialias"),
)
