"""Layers that rearrange: flattening, windows, one-hot rows, sizes of images."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance, integer, positive_int
from msbridge.core.context.grad_state import state
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops.image.resizing.functions import interpolate
from msbridge.ops.image.resizing.kernels import resize_bilinear
from msbridge.ops.kernel_calls.families import unary_with
from msbridge.ops.shape.diagonals import functions as diagonals
from msbridge.ops.shape.gather_and_select import functions as indexing
from msbridge.ops.shape.pixel_blocks import functions as blocks
from msbridge.ops.shape.pixel_blocks.kernels import patches
from msbridge.ops.shape.reshaping import functions as reshaping

__all__ = [
    "ChannelShuffle",
    "Flatten",
    "OneHot",
    "PixelShuffle",
    "PixelUnshuffle",
    "ResizeBilinear",
    "Roll",
    "Tril",
    "Triu",
    "Unflatten",
    "Unfold",
    "Upsample",
]


class Flatten(Cell):
    """Flatten the axes from `start_dim` to `end_dim` into one; unlike `ops.flatten`, it refuses a single axis.

    Args:
        start_dim: the first of these axes.
        end_dim: the last of these axes.

    Inputs:
        x: a Tensor of two axes or more, of any dtype.

    Outputs:
        A Tensor of the dtype of `x`; with the defaults of shape (N, the product of the other lengths).

    Raises:
        TypeError: the input is not a Tensor (on call).
        ValueError: the input has not these axes (on call).

    Examples:
        >>> nn.Flatten()(ops.ones((4, 3, 2))).shape
        (4, 6)

    Follows: mindspore.nn.Flatten (2.10).
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, x: Tensor) -> Tensor:
        try:
            flat = torch.flatten(x._data, self.start_dim, self.end_dim)
            if self.start_dim == 1 and self.end_dim == -1:  # MindSpore's own kernel copies
                return wrap(flat if state.depth else flat.clone())
            return x if flat is x._data and flat.dim() > 1 else wrap(flat)
        except Exception as error:
            if isinstance(error, IndexError):
                axes = f"start_dim {self.start_dim} and end_dim {self.end_dim}"
                raise ValueError(f"For 'Flatten', {axes} are out of range for shape {x.shape}.") from error
            raise explain(error, "Flatten", input=x) from error


class Unflatten(Cell):
    """Split one axis into several.

    Args:
        axis: which axis.
        unflattened_size: their lengths; one may be -1.

    Inputs:
        input_x: a Tensor of any dtype.

    Outputs:
        A Tensor of the dtype of `input_x`, with `unflattened_size` instead of `axis`.

    Follows: mindspore.nn.Unflatten (2.10).
    """

    def __init__(self, axis: int, unflattened_size: tuple[int, ...] | list[int]) -> None:
        super().__init__()
        self.axis = integer(axis, "axis", "Unflatten")
        self.unflattened_size = tuple(instance(unflattened_size, "unflattened_size", "Unflatten", (list, tuple)))

    def construct(self, input_x: Tensor) -> Tensor:
        return unary_with(torch.unflatten, "Unflatten", input_x, self.axis, self.unflattened_size)


class OneHot(Cell):
    """Mark class numbers along a new axis; numbers out of range mark nothing.

    Args:
        axis: where the new axis goes; -1 is last.
        depth: its length.
        on_value: the mark.
        off_value: what is elsewhere.
        dtype: of the result.

    Inputs:
        indices: a Tensor of any shape; integers.

    Outputs:
        A Tensor of `dtype`, with one axis more than `indices`, of length `depth`.

    Follows: mindspore.nn.OneHot (2.10).
    """

    def __init__(
        self,
        axis: int = -1,
        depth: int = 1,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self.axis = axis
        self.depth = depth
        self.dtype = dtype
        self.on_value = on_value
        self.off_value = off_value
        self._values = (Tensor(on_value, dtype), Tensor(off_value, dtype))

    def construct(self, indices: Tensor) -> Tensor:
        return indexing.one_hot(indices, self.depth, *self._values, self.axis)


class Unfold(Cell):
    """Extract the windows of (N, C, H, W) as channels.

    Args:
        ksizes: (1, height, width, 1) of a window.
        strides: (1, height, width, 1) between windows.
        rates: (1, height, width, 1) between the elements of a window.
        padding: "valid" or "same".

    Inputs:
        input_x: shape (N, C, H, W); floats.

    Outputs:
        A Tensor of shape (N, C·height·width, H_out, W_out) and the dtype of `input_x`.

    Follows: mindspore.nn.Unfold (2.10).
    """

    def __init__(
        self, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str = "valid"
    ) -> None:
        super().__init__()
        for name, sizes in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            instance(sizes, name, "Unfold", (list, tuple))
            if len(sizes) != 4 or sizes[0] != 1 or sizes[3] != 1:
                raise ValueError(f"For 'Unfold', '{name}' must be (1, height, width, 1), but got {sizes!r}.")
        self._settings = (ksizes, strides, rates, padding)

    def construct(self, input_x: Tensor) -> Tensor:
        return patches(input_x, *self._settings)


class PixelShuffle(Cell):
    """Move channels into blocks: (..., C·f², H, W) becomes (..., C, H·f, W·f).

    Args:
        upscale_factor: f, > 0.

    Inputs:
        input: shape (..., C·f², H, W); any dtype.

    Outputs:
        A Tensor of shape (..., C, H·f, W·f) and the dtype of `input`.

    Follows: mindspore.nn.PixelShuffle (2.10).
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = positive_int(upscale_factor, "upscale_factor", self.cls_name)

    def construct(self, input: Tensor) -> Tensor:
        return blocks.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """Move blocks into channels: (..., C, H·f, W·f) becomes (..., C·f², H, W).

    Args:
        downscale_factor: f, > 0.

    Inputs:
        input: shape (..., C, H·f, W·f); any dtype.

    Outputs:
        A Tensor of shape (..., C·f², H, W) and the dtype of `input`.

    Follows: mindspore.nn.PixelUnshuffle (2.10).
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = positive_int(downscale_factor, "downscale_factor", self.cls_name)

    def construct(self, input: Tensor) -> Tensor:
        return blocks.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """Deal the channels of `groups` groups out in turn.

    Args:
        groups: how many groups, a divisor of C.

    Inputs:
        x: shape (N, C, ...); any dtype.

    Outputs:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.nn.ChannelShuffle (2.10).
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = positive_int(groups, "groups", self.cls_name)

    def construct(self, x: Tensor) -> Tensor:
        return blocks.channel_shuffle(x, self.groups)


class Upsample(Cell):
    """Resize images; see `ops.interpolate`.

    Args:
        size: the new lengths of the spatial axes, an int or ints; excludes `scale_factor`.
        scale_factor: how many times as long they become, a float or floats.
        mode: "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear" or "area".
        align_corners: whether the outermost pixels keep their places; for "linear", "bilinear", "bicubic" and
            "trilinear".
        recompute_scale_factor: whether the factor is computed again from the rounded lengths.

    Inputs:
        x: shape (N, C, ...), with one to three spatial axes; floats.

    Outputs:
        A Tensor of shape (N, C, ...) and the dtype of `x`.

    Follows: mindspore.nn.Upsample (2.10).
    """

    def __init__(
        self,
        size: int | tuple[int, ...] | None = None,
        scale_factor: float | tuple[float, ...] | None = None,
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

    def construct(self, x: Tensor) -> Tensor:
        how = (self.mode, self.align_corners, self.recompute_scale_factor)
        return interpolate(x, self.size, self.scale_factor, *how)


class ResizeBilinear(Cell):
    """Resize images (N, C, H, W) bilinearly.

    Args:
        half_pixel_centers: whether pixels lie at the middle of their squares.

    Follows: mindspore.nn.ResizeBilinear (1.10).
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(
        self,
        x: Tensor,
        size: tuple[int, int] | None = None,
        scale_factor: int | None = None,
        align_corners: bool = False,
    ) -> Tensor:
        if (size is None) == (scale_factor is None):
            raise ValueError("For 'ResizeBilinear', pass exactly one of 'size' and 'scale_factor'.")
        if scale_factor is not None:
            size = (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        return resize_bilinear(x, size, align_corners, self.half_pixel_centers)


class Tril(PlainLayer):
    """Keep what lies on and under the k-th diagonal.

    Inputs:
        x: shape (..., n, m); any dtype.
        k: which diagonal; 0 is the main one.

    Outputs:
        A Tensor of the shape and dtype of `x`; zeros elsewhere.

    Follows: mindspore.nn.Tril (2.10).
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        return diagonals.tril(x, k)


class Triu(PlainLayer):
    """Keep what lies on and over the k-th diagonal.

    Inputs:
        x: shape (..., n, m); any dtype.
        k: which diagonal; 0 is the main one.

    Outputs:
        A Tensor of the shape and dtype of `x`; zeros elsewhere.

    Follows: mindspore.nn.Triu (2.10).
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        return diagonals.triu(x, k)


class Roll(Cell):
    """Move the elements along axes; those that leave come back at the other end.

    Args:
        shift: how far, an int or one for each of `axis`.
        axis: which axis or axes.

    Inputs:
        input_x: a Tensor of any shape and dtype.

    Outputs:
        A Tensor of the shape and dtype of `input_x`.

    Follows: mindspore.nn.Roll (2.10).
    """

    def __init__(self, shift: int | Sequence[int], axis: int | Sequence[int]) -> None:
        super().__init__()
        self.shift: Any = shift if isinstance(shift, int | np.integer) else tuple(shift)
        self.axis: Any = axis if isinstance(axis, int | np.integer) else tuple(axis)

    def construct(self, input_x: Tensor) -> Tensor:
        return reshaping.roll(input_x, self.shift, self.axis)
