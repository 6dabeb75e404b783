"""Functions of `mint.nn.functional` under torch's argument names."""

from typing import Any

from torch.nn import functional as F

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.resizing import functions as resizing
from msbridge.ops.kernel_calls.families import plain_shape

_MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear")


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Return images of another size; the cubic kernel is torch's.

    Args:
        input: shape (N, C, ...) of one to three spatial axes.
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: "nearest", "linear" (1 axis), "bilinear", "bicubic" (2) or "trilinear" (3).
        align_corners: whether the corner pixels keep their values; for all modes but "nearest".
        recompute_scale_factor: whether the factor is computed again from the rounded size.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Raises:
        ValueError: an unknown mode; both or neither of `size` and `scale_factor`; settings that exclude each other.

    Follows: mindspore.mint.nn.functional.interpolate (2.10).
    """
    if mode not in _MODES:
        raise ValueError(f"For 'interpolate', 'mode' must be in {list(_MODES)}, but got {mode!r}.")
    try:
        sizes = size if size is None or isinstance(size, int) else plain_shape(size)
        return wrap(F.interpolate(input._data, sizes, scale_factor, mode, align_corners, recompute_scale_factor))
    except Exception as error:
        raise explain(error, "interpolate", input=input) from error


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """Return images of another size; see `interpolate`.

    Args:
        input: shape (N, C, ...) of one to three spatial axes.
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: "nearest", "linear", "bilinear", "bicubic" or "trilinear".
        align_corners: whether the corner pixels keep their values.

    Returns:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Follows: mindspore.mint.nn.functional.upsample (2.10).
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return the pixels of `input` at the places that `grid` names, from -1 to 1.

    Args:
        input: shape (N, C, H, W) or (N, C, D, H, W); floats.
        grid: shape (N, H_out, W_out, 2) or (N, D_out, H_out, W_out, 3): places (x, y, z).
        mode: "bilinear", "nearest" or "bicubic".
        padding_mode: what lies outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the corner pixels; None is False.

    Returns:
        A Tensor of shape (N, C, H_out, W_out) or (N, C, D_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.functional.grid_sample (2.10).
    """
    return resizing.grid_sample(input, grid, mode, padding_mode, bool(align_corners))
