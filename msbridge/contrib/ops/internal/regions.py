"""The pooling of regions that R-FCN's scripts take from `mindspore.ops.operations._inner_ops`."""

import math

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.gradient_primitives.sampling import cell_means


def position_sensitive(
    features: torch.Tensor, rois: torch.Tensor, spatial_scale: float, out_dim: int, group_size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the means of the cells of regions, each of a channel of its own, and which channel that is.

    Other than `PSROIPooling`, edges are rounded before they are scaled, and the pixel at the end belongs to a region.

    Args:
        features: (N, out_dim·group_size², H, W).
        rois: (R, 5): image, left, top, right, bottom of a region.
        spatial_scale: of coordinates to those of the features.
        out_dim: how many channels the result has.
        group_size: how many cells a region has along each axis.

    Returns:
        The means and the channels, int32, both (R, out_dim, group_size, group_size).
    """
    planes = features.unflatten(1, (out_dim, group_size, group_size))
    means = []
    for image, left, top, right, bottom in rois.tolist():
        edges = [_round_half_away(edge) * spatial_scale for edge in (left, top, right + 1, bottom + 1)]
        means.append(cell_means(planes[int(image)], edges, group_size))
    channels = torch.arange(out_dim * group_size**2, dtype=torch.int32, device=features.device)
    return torch.stack(means), channels.reshape(planes.shape[1:4]).expand(len(means), -1, -1, -1)


def _round_half_away(number: float) -> int:
    """Return the nearest integer; a half is rounded away from zero."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def _ps_roi_pooling(
    features: Tensor,
    rois: Tensor,
    pooled_height: int,
    pooled_width: int,
    num_rois: int,
    spatial_scale: float,
    out_dim: int,
    group_size: int,
) -> tuple[Tensor, Tensor]:
    """Return the means of the cells of regions, each of a channel of its own, and which channel that is.

    Raises:
        ValueError: a region has another number of cells than `group_size` along an axis, the number of regions is not
            `num_rois`, or that of channels not out_dim·group_size².

    Follows: mindspore.ops.operations._inner_ops.PsROIPooling (2.10), which has a kernel on a GPU only.
    """
    if not pooled_height == pooled_width == group_size:
        raise ValueError(
            f"For 'PsROIPooling', pooled_height and pooled_width must be group_size, {group_size}, "
            f"got {pooled_height} and {pooled_width}."
        )
    if rois.shape != (num_rois, 5):
        raise ValueError(f"For 'PsROIPooling', rois must have the shape {(num_rois, 5)}, got {rois.shape}.")
    if features.shape[1] != out_dim * group_size**2:
        raise ValueError(
            f"For 'PsROIPooling', features must have {out_dim * group_size**2} channels, got {features.shape}."
        )
    settings = (spatial_scale, out_dim, group_size)
    return call_kernel(lambda x, r: position_sensitive(x, r, *settings), "PsROIPooling", features, rois)  # type: ignore[no-any-return]


_SETTINGS = "pooled_height pooled_width num_rois spatial_scale out_dim group_size"
DERIVED = (derive("PsROIPooling", _ps_roi_pooling, _SETTINGS),)
