"""Layers that lay elements out in another way, or resize images."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.windows import Sizes

__all__ = ["Flatten", "Fold", "PixelShuffle", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Flatten(Cell):
    """Flatten the axes from `start_dim` to `end_dim` into one.

    Args:
        start_dim: the first axis to join.
        end_dim: the last.

    Inputs:
        input: any shape and dtype.

    Outputs:
        A Tensor of the dtype of `input`.

    Follows: mindspore.mint.nn.Flatten (2.10).
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, input: Tensor) -> Tensor:
        return functional.flatten(input, self.start_dim, self.end_dim)


class Fold(Cell):
    """Put windows (N, C·window, L) back into images of `output_size`, and add where they overlap.

    Args:
        output_size: (h, w), or an int for both.
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding: zeros around the image, likewise.
        stride: the distance of windows, likewise.

    Inputs:
        input: shape (N, C·window, L); floats.

    Outputs:
        A Tensor of shape (N, C, h, w) and the dtype of `input`.

    Follows: mindspore.mint.nn.Fold (2.10).
    """

    def __init__(
        self, output_size: Sizes, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        window = (self.kernel_size, self.dilation, self.padding, self.stride)
        return functional.fold(input, self.output_size, *window)


class UnfoldExt(Cell):
    """Cut images (N, C, H, W) into windows: (N, C·window, L).

    Args:
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding: zeros around the image, likewise.
        stride: the distance of windows, likewise.

    Inputs:
        input: shape (N, C, H, W); floats.

    Outputs:
        A Tensor of shape (N, C·window, L) and the dtype of `input`.

    Follows: mindspore.mint.nn.Unfold (2.10).
    """

    def __init__(self, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        return functional.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class PixelShuffle(Cell):
    """Rearrange (..., C·r², H, W) to (..., C, H·r, W·r).

    Args:
        upscale_factor: r.

    Inputs:
        input: shape (..., C·r², H, W).

    Outputs:
        A Tensor of shape (..., C, H·r, W·r) and the dtype of `input`.

    Follows: mindspore.mint.nn.PixelShuffle (2.10).
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input: Tensor) -> Tensor:
        return functional.pixel_shuffle(input, self.upscale_factor)


class UpsampleExt(Cell):
    """Resize images; see `functional.interpolate`.

    Args:
        size: of the result's spatial axes.
        scale_factor: instead of `size`: a factor for all spatial axes, or one for each.
        mode: "nearest", "linear", "bilinear", "bicubic" or "trilinear".
        align_corners: whether the corner pixels keep their values.
        recompute_scale_factor: whether the factor is computed again from the rounded size.

    Inputs:
        input: shape (N, C, ...) of one to three spatial axes.

    Outputs:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Follows: mindspore.mint.nn.Upsample (2.10).
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, input: Tensor) -> Tensor:
        settings = (self.mode, self.align_corners, self.recompute_scale_factor)
        return functional.interpolate(input, self.size, self.scale_factor, *settings)


class UpsamplingNearest2d(Cell):
    """Resize images, each pixel the nearest of the input's.

    Args:
        size: height and width of the result.
        scale_factor: instead of `size`: a factor for both, or one each.

    Inputs:
        input: shape (N, C, H, W).

    Outputs:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Follows: mindspore.mint.nn.UpsamplingNearest2d (2.10).
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor

    def construct(self, input: Tensor) -> Tensor:
        return functional.interpolate(input, self.size, self.scale_factor, "nearest")


class UpsamplingBilinear2d(Cell):
    """Resize images bilinearly; the corner pixels keep their values.

    Args:
        size: height and width of the result.
        scale_factor: instead of `size`: a factor for both, or one each.

    Inputs:
        input: shape (N, C, H, W).

    Outputs:
        A Tensor of shape (N, C, *size) and the dtype of `input`.

    Follows: mindspore.mint.nn.UpsamplingBilinear2d (2.10).
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor

    def construct(self, input: Tensor) -> Tensor:
        return functional.interpolate(input, self.size, self.scale_factor, "bilinear", True)
