"""Images of another size, and their gradients: the size or the factors are given, as torch's kernels take them."""

from collections.abc import Sequence

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import plain_shape, unary
from msbridge.ops.kernel_calls.vector_jacobian import backward

Size = Sequence[int] | None
Scales = Sequence[float] | None


def _resize(data: torch.Tensor, size: Size, scales: Scales, mode: str, corners: bool | None) -> torch.Tensor:
    sizes = None if size is None else plain_shape(size)
    factors = None if scales is None or sizes is not None else list(scales)
    return F.interpolate(data, sizes, factors, mode, corners)


def _upsample(op: str, mode: str, x: Tensor, size: Size, scales: Scales, corners: bool | None = None) -> Tensor:
    return unary(lambda data: _resize(data, size, scales, mode, corners), op, x)


def _gradient(
    op: str, mode: str, dy: Tensor, shape: Size, size: Size, scales: Scales, corners: bool | None = None
) -> Tensor:
    """Return the gradient of an image: the resampling is linear, so that its values do not matter."""
    image = Tensor(dy._data.new_zeros(plain_shape(shape)))
    return backward(op, lambda data: _resize(data, size, scales, mode, corners), dy, image)[0]


def upsample_nearest1d(x: Tensor, output_size: Size = None, scales: Scales = None) -> Tensor:
    """Return rows (N, C, L) of another length: the nearest values.

    Follows: mindspore.ops.auto_generate.UpsampleNearest1D (2.10).
    """
    return _upsample("UpsampleNearest1D", "nearest", x, output_size, scales)


def upsample_nearest2d(x: Tensor, output_size: Size = None, scales: Scales = None) -> Tensor:
    """Return images (N, C, H, W) of another size: the nearest values.

    Follows: mindspore.ops.auto_generate.UpsampleNearest2D (2.10).
    """
    return _upsample("UpsampleNearest2D", "nearest", x, output_size, scales)


def upsample_linear1d(
    x: Tensor, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return rows (N, C, L) of another length, by linear interpolation.

    Follows: mindspore.ops.auto_generate.UpsampleLinear1D (2.10).
    """
    return _upsample("UpsampleLinear1D", "linear", x, output_size, scales, align_corners)


def upsample_bilinear2d(
    x: Tensor, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return images (N, C, H, W) of another size, by bilinear interpolation.

    Follows: mindspore.ops.auto_generate.UpsampleBilinear2D (2.10).
    """
    return _upsample("UpsampleBilinear2D", "bilinear", x, output_size, scales, align_corners)


def upsample_bicubic2d(
    x: Tensor, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return images (N, C, H, W) of another size, by bicubic interpolation.

    Follows: mindspore.ops.auto_generate.UpsampleBicubic2D (2.10).
    """
    return _upsample("UpsampleBicubic2D", "bicubic", x, output_size, scales, align_corners)


def upsample_nearest1d_grad(dy: Tensor, input_size: Size, output_size: Size = None, scales: Scales = None) -> Tensor:
    """Return the gradient of `upsample_nearest1d` for rows of shape `input_size`.

    Follows: mindspore.ops.auto_generate.UpsampleNearest1DGrad (2.10).
    """
    return _gradient("UpsampleNearest1DGrad", "nearest", dy, input_size, output_size, scales)


def upsample_nearest2d_grad(dy: Tensor, input_size: Size, output_size: Size = None, scales: Scales = None) -> Tensor:
    """Return the gradient of `upsample_nearest2d` for images of shape `input_size`.

    Follows: mindspore.ops.auto_generate.UpsampleNearest2DGrad (2.10).
    """
    return _gradient("UpsampleNearest2DGrad", "nearest", dy, input_size, output_size, scales)


def upsample_linear1d_grad(
    dy: Tensor, input_size: Size, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return the gradient of `upsample_linear1d` for rows of shape `input_size`.

    Follows: mindspore.ops.auto_generate.UpsampleLinear1DGrad (2.10).
    """
    return _gradient("UpsampleLinear1DGrad", "linear", dy, input_size, output_size, scales, align_corners)


def upsample_bilinear2d_grad(
    dy: Tensor, input_size: Size, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return the gradient of `upsample_bilinear2d` for images of shape `input_size`.

    Follows: mindspore.ops.auto_generate.UpsampleBilinear2DGrad (2.10).
    """
    return _gradient("UpsampleBilinear2DGrad", "bilinear", dy, input_size, output_size, scales, align_corners)


def upsample_bicubic2d_grad(
    dy: Tensor, input_size: Size, output_size: Size = None, scales: Scales = None, align_corners: bool = False
) -> Tensor:
    """Return the gradient of `upsample_bicubic2d` for images of shape `input_size`.

    Follows: mindspore.ops.auto_generate.UpsampleBicubic2DGrad (2.10).
    """
    return _gradient("UpsampleBicubic2DGrad", "bicubic", dy, input_size, output_size, scales, align_corners)
